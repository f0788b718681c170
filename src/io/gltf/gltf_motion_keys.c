#include "gltf_motion_data.h"

#include <inttypes.h>
#include <string.h>

#define PLAIN_RATE 60.0 // frames per second if the keys give no rate
#define LEAST_RATE 20.0 // more widely spaced keys are sampled in between, at about:
#define FINE_RATE 48.0
#define MOST_RATE 1000.0
#define MULTIPLES 12  // tried multiples of the densest channel's rate
#define OFF_GRID 1e-2 // largest distance of a key from its frame [frames]

static double time_at(const gltf_accessor *input, uint32_t key) {
    double time;
    tr_gltf_read_numbers(input, key, &time);
    return time;
}

// Restores a whole-number rate that float rounding has changed.
static double whole_again(double rate, const gltf_times *times) {
    double largest = fabs(times->end) > fabs(times->begin) ? fabs(times->end) : fabs(times->begin);
    double slack = 1e-6 + 2.4e-7 * largest / (times->end - times->begin), whole = floor(rate + 0.5);
    return fabs(rate - whole) <= slack * rate ? whole : rate;
}

// Are the keys evenly spaced, or at whole multiples of the smallest distance? Distances are added from key to
// key, so that float rounding far from 0 does not accumulate.
static void find_rate(const gltf_accessor *input, gltf_times *times) {
    double least = 0, steps = 0, before = times->begin;
    times->even = true;
    for (uint32_t i = 1; i < input->count; i++) {
        double time = time_at(input, i), gap = time - before;
        least = gap > 0 && (least == 0 || gap < least) ? gap : least;
        before = time;
    }
    if (least == 0)
        return;
    before = times->begin;
    for (uint32_t i = 1; i < input->count; i++) {
        double time = time_at(input, i);
        steps += floor((time - before) / least + 0.5);
        before = time;
    }
    times->rate = whole_again(steps / (times->end - times->begin), times);
    times->even = times->rate <= MOST_RATE;
    for (uint32_t i = 1; i < input->count && times->even; i++) {
        double time = time_at(input, i), frames = (time - times->begin) * times->rate;
        double slack = OFF_GRID + fabs(time) * 2e-7 * times->rate; // of a float
        times->even = fabs(frames - floor(frames + 0.5)) <= slack;
    }
}

static tr_status check_times(const gltf_document *document, const gltf_accessor *input, gltf_times *times) {
    double before = -INFINITY;
    if (input->rows != 1 || input->columns != 1)
        return tr_json_fail(document->json, input->value, document->error,
                            "has times, its type must be SCALAR");
    for (uint32_t i = 0; i < input->count; i++) {
        double time = time_at(input, i);
        if (!isfinite(time))
            return tr_json_fail(document->json, input->value, document->error,
                                "has a time (%u) that is not finite", i);
        if (time < before)
            return tr_json_fail(document->json, input->value, document->error,
                                "has the time %g after %g, times must increase", time, before);
        before = time;
    }
    times->checked = true;
    times->begin = time_at(input, 0);
    times->end = before;
    find_rate(input, times);
    return TR_OK;
}

static tr_status open_sampler(gltf_motion_reading *reading, uint32_t sampler, gltf_channel *channel) {
    gltf_document *document = reading->document;
    uint32_t output = 0;
    const char *name = "LINEAR";
    tr_status status = tr_gltf_get_index(document, sampler, "input", TR_JSON_REQUIRED,
                                         document->accessor_list, "accessors", &channel->input_number);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, sampler, "output", TR_JSON_REQUIRED, document->accessor_list,
                                   "accessors", &output);
    if (status == TR_OK)
        status = tr_json_get_text(document->json, sampler, "interpolation", TR_JSON_OPTIONAL, &name,
                                  document->error);
    if (status == TR_OK)
        status = tr_gltf_open_accessor(document, channel->input_number, &channel->input);
    if (status == TR_OK)
        status = tr_gltf_open_accessor(document, output, &channel->output);
    gltf_times *times = &reading->times[channel->input_number];
    if (status == TR_OK && !times->checked)
        status = check_times(document, channel->input, times);
    if (status != TR_OK)
        return status;
    if (strcmp(name, "STEP") != 0 && strcmp(name, "LINEAR") != 0 && strcmp(name, "CUBICSPLINE") != 0)
        return tr_json_fail(document->json, tr_json_member(document->json, sampler, "interpolation"),
                            document->error, "is \"%.20s\", it must be STEP, LINEAR or CUBICSPLINE", name);
    channel->interpolation = name[0] == 'S' ? GLTF_STEP : name[0] == 'L' ? GLTF_LINEAR : GLTF_CUBIC;
    return TR_OK;
}

static tr_status check_output(const gltf_document *document, const gltf_channel *channel) {
    uint32_t rows = channel->path == GLTF_ROTATION ? 4 : 3;
    uint64_t needed = (uint64_t)channel->input->count * (channel->interpolation == GLTF_CUBIC ? 3 : 1);
    if (channel->output->rows != rows || channel->output->columns != 1)
        return tr_json_fail(document->json, channel->output->value, document->error,
                            "has keys of an animation, its type must be VEC%u here", rows);
    if (channel->output->count < needed)
        return tr_json_fail(document->json, channel->output->value, document->error,
                            "has %u values, but the keys need %" PRIu64, channel->output->count, needed);
    return TR_OK;
}

static gltf_path path_of(const char *name) {
    static const char *const names[] = {"translation", "rotation", "scale"};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0)
            return (gltf_path)i;
    return GLTF_OTHER_PATH;
}

static tr_status read_channel(gltf_motion_reading *reading, uint32_t animation, uint32_t value) {
    gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t target = TR_NONE, sampler = 0, list = tr_json_member(json, animation, "samplers");
    const char *path = "";
    gltf_channel channel = {.node = TR_NONE};
    tr_status status = tr_json_get_object(json, value, "target", TR_JSON_REQUIRED, &target, document->error);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, target, "node", TR_JSON_OPTIONAL, document->node_list, "nodes",
                                   &channel.node);
    if (status == TR_OK)
        status = tr_json_get_text(json, target, "path", TR_JSON_REQUIRED, &path, document->error);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, value, "sampler", TR_JSON_REQUIRED, list, "samplers", &sampler);
    if (status != TR_OK)
        return status;
    channel.path = path_of(path);
    reading->weights_count += channel.path == GLTF_OTHER_PATH && strcmp(path, "weights") == 0;
    if (channel.path == GLTF_OTHER_PATH || channel.node == TR_NONE)
        return TR_OK; // the standard lets readers ignore unknown paths
    status = open_sampler(reading, tr_json_item(json, list, sampler), &channel);
    if (status == TR_OK)
        status = check_output(document, &channel);
    if (status != TR_OK)
        return status;
    if (!tr_gltf_motion_more(reading, &reading->channels, &reading->channel_capacity, reading->channel_count,
                             sizeof channel))
        return tr_gltf_motion_no_memory(reading);
    reading->channels[reading->channel_count++] = channel;
    reading->is_animated[channel.node] = true;
    return TR_OK;
}

// Is every key of the animation on a frame at this rate?
static bool fits_rate(const gltf_motion_reading *reading, const gltf_animation *animation, double rate) {
    const gltf_channel *channels = reading->channels + animation->first_channel;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const gltf_times *times = &reading->times[channels[i].input_number];
        double steps = times->rate > 0 ? rate / times->rate : 1;
        double frames = (times->begin - animation->begin) * rate;
        if (fabs(steps - floor(steps + 0.5)) > 1e-3 || fabs(frames - floor(frames + 0.5)) > OFF_GRID * 2)
            return false;
    }
    return true;
}

// The rate that fits all keys of an animation, or 0: that of the densest channel, or a multiple if another
// has keys in between.
static double common_rate(const gltf_motion_reading *reading, const gltf_animation *animation) {
    const gltf_channel *channels = reading->channels + animation->first_channel;
    double densest = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const gltf_times *times = &reading->times[channels[i].input_number];
        if (!times->even)
            return 0;
        densest = times->rate > densest ? times->rate : densest;
    }
    for (int multiple = 1; multiple <= MULTIPLES && densest > 0; multiple++) {
        double rate = densest * multiple;
        if (fits_rate(reading, animation, rate))
            return rate < LEAST_RATE ? rate * ceil(FINE_RATE / rate) : rate;
    }
    return 0;
}

static double choose_rate(const gltf_motion_reading *reading, const gltf_animation *animation) {
    const tr_json *json = reading->document->json;
    if (reading->options.frames_per_second > 0)
        return reading->options.frames_per_second;
    uint32_t extras = tr_json_member(json, animation->value, "extras");
    double told = tr_json_number(json, tr_json_member(json, extras, "frames_per_second"));
    if (told > 0 && told <= MOST_RATE) // written by our own writer
        return told;
    double common = common_rate(reading, animation);
    return common > 0 && common <= MOST_RATE ? common : PLAIN_RATE;
}

static tr_status read_animation(gltf_motion_reading *reading, uint32_t number) {
    gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t value = tr_json_item(json, document->animation_list, number);
    gltf_animation animation = {.number = number, .value = value, .first_channel = reading->channel_count};
    uint32_t channels = TR_NONE, samplers = TR_NONE;
    tr_status status =
        tr_json_get_array(json, value, "channels", TR_JSON_REQUIRED, &channels, document->error);
    if (status == TR_OK)
        status = tr_json_get_array(json, value, "samplers", TR_JSON_REQUIRED, &samplers, document->error);
    for (uint32_t i = 0; i < tr_json_count(json, channels) && status == TR_OK; i++)
        status = read_channel(reading, value, tr_json_item(json, channels, i));
    if (status != TR_OK)
        return status;
    animation.channel_count = reading->channel_count - animation.first_channel;
    double end = -INFINITY;
    animation.begin = INFINITY;
    for (uint32_t i = animation.first_channel; i < reading->channel_count; i++) {
        const gltf_times *times = &reading->times[reading->channels[i].input_number];
        animation.begin = times->begin < animation.begin ? times->begin : animation.begin;
        end = times->end > end ? times->end : end;
    }
    if (animation.channel_count == 0)
        return TR_OK;
    animation.rate = choose_rate(reading, &animation);
    if (fabs(animation.begin) * animation.rate > 2.5) // many exporters begin with frame 1 or 2
        tr_scene_note(&document->reading, "the animation \"%.80s\" begins at %g s, which becomes 0 s",
                      tr_json_text(json, tr_json_member(json, value, "name"), NULL), animation.begin);
    double frames = ceil((end - animation.begin) * animation.rate - OFF_GRID) + 1;
    animation.frame_count = frames < 1 ? 1 : frames < 1e18 ? (uint64_t)frames : (uint64_t)1e18;
    if (!tr_gltf_motion_more(reading, &reading->animations, &reading->animation_capacity,
                             reading->animation_count, sizeof animation))
        return tr_gltf_motion_no_memory(reading);
    reading->animations[reading->animation_count++] = animation;
    return TR_OK;
}

tr_status tr_gltf_motion_read_animations(gltf_motion_reading *reading) {
    const gltf_document *document = reading->document;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_json_count(document->json, document->animation_list) && status == TR_OK; i++)
        status = read_animation(reading, i);
    return status;
}
