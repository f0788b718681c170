// Contacts and events in the extras of an animation, as our own writer stores them. Any program may write
// extras: invalid ones are left out, and the motion is read without them.
#include "gltf_motion_data.h"

#include <string.h>

#define RATE_MOST 10000.0
#define CONTACTS_ALL 255.0 // of tr_contact
#define EVENT_BYTES 7      // the least that an event takes in the file: [0,""],
#define AT_FRAME 1e-4      // a time this close to a frame is that of the frame [frames]

// The labels of one character.
typedef struct gltf_labels {
    uint32_t contacts, events; // lists in the JSON
    double rate;               // frame rate of the contacts
} gltf_labels;

static bool is_list(const tr_json *json, uint32_t value) {
    tr_json_kind kind = tr_json_kind_of(json, value);
    return kind == TR_JSON_ARRAY || kind == TR_JSON_ABSENT;
}

static bool is_whole(double number, double low, double high) {
    return number >= low && number <= high && floor(number) == number;
}

// One stretch: [contacts, first frame, frame after the last].
static bool read_stretch(const tr_json *json, uint32_t value, double stretch[3]) {
    if (tr_json_kind_of(json, value) != TR_JSON_ARRAY || tr_json_count(json, value) != 3)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t item = tr_json_item(json, value, i);
        if (tr_json_kind_of(json, item) != TR_JSON_NUMBER)
            return false;
        stretch[i] = tr_json_number(json, item);
    }
    return is_whole(stretch[0], 1, CONTACTS_ALL) && is_whole(stretch[1], 0, TR_CLIP_FRAMES_MAX) &&
           is_whole(stretch[2], stretch[1] + 1, TR_CLIP_FRAMES_MAX + 1.0);
}

// Stretches must be in order: then all of them together cost no more than the frames.
static bool contacts_are_good(const tr_json *json, uint32_t list) {
    double last = 0, stretch[3];
    for (uint32_t i = 0; i < tr_json_count(json, list); i++) {
        if (!read_stretch(json, tr_json_item(json, list, i), stretch) || stretch[1] < last)
            return false;
        last = stretch[2];
    }
    return true;
}

static bool events_are_good(const tr_json *json, uint32_t list) {
    double last = 0;
    for (uint32_t i = 0; i < tr_json_count(json, list); i++) {
        uint32_t event = tr_json_item(json, list, i), time = tr_json_item(json, event, 0),
                 name = tr_json_item(json, event, 1);
        if (tr_json_kind_of(json, event) != TR_JSON_ARRAY || tr_json_count(json, event) != 2 ||
            tr_json_kind_of(json, time) != TR_JSON_NUMBER || tr_json_kind_of(json, name) != TR_JSON_STRING)
            return false;
        size_t length;
        const char *text = tr_json_text(json, name, &length);
        if (!(tr_json_number(json, time) >= last) || strlen(text) != length)
            return false;
        last = tr_json_number(json, time);
    }
    return true;
}

static bool labels_are_good(const tr_json *json, const gltf_labels *labels) {
    return labels->rate > 0 && labels->rate <= RATE_MOST && is_list(json, labels->contacts) &&
           is_list(json, labels->events) && contacts_are_good(json, labels->contacts) &&
           events_are_good(json, labels->events);
}

// Is the node a joint of the current figure, or one of the nodes above it that were left out?
static bool is_of_figure(gltf_motion_reading *reading, uint32_t node) {
    if (reading->joint[node] != TR_NONE)
        return true;
    for (uint32_t above = reading->dropped; above != TR_NONE; above = reading->graph.parents[above]) {
        reading->label_work++;
        if (above == node)
            return true;
    }
    return false;
}

// The node that labels name by number and by name; TR_NONE if there is no such node.
static uint32_t find_node(const gltf_motion_reading *reading, uint32_t labels) {
    const gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t number = tr_json_member(json, labels, "node"), name = tr_json_member(json, labels, "name");
    if (tr_json_kind_of(json, number) != TR_JSON_NUMBER || reading->graph.count == 0 ||
        !is_whole(tr_json_number(json, number), 0, reading->graph.count - 1.0))
        return TR_NONE;
    uint32_t node = (uint32_t)tr_json_number(json, number);
    uint32_t own = tr_json_member(json, tr_gltf_node_value(document, node), "name");
    return strcmp(tr_json_text(json, own, NULL), tr_json_text(json, name, NULL)) == 0 ? node : TR_NONE;
}

// If the frames of the clip differ from the labelled ones, each takes the labels of its time.
static void set_contacts(const tr_json *json, const gltf_labels *labels, double begin, tr_clip *clip) {
    double rate = tr_clip_rate(clip), stretch[3] = {0, 0, 0};
    uint32_t next = 0, count = tr_json_count(json, labels->contacts);
    for (uint32_t frame = 0; frame < tr_clip_frame_count(clip); frame++) {
        double labelled = floor((begin + frame / rate) * labels->rate + AT_FRAME);
        while (next < count && labelled >= stretch[2])
            read_stretch(json, tr_json_item(json, labels->contacts, next++), stretch);
        if (labelled >= stretch[1] && labelled < stretch[2])
            tr_clip_set_contacts(clip, frame, (uint32_t)stretch[0]);
    }
}

static tr_status add_events(gltf_motion_reading *reading, const gltf_labels *labels, double begin,
                            tr_clip *clip) {
    const tr_json *json = reading->document->json;
    double duration = tr_clip_duration(clip);
    for (uint32_t i = 0; i < tr_json_count(json, labels->events); i++) {
        uint32_t event = tr_json_item(json, labels->events, i);
        double time = tr_json_number(json, tr_json_item(json, event, 0)) - begin;
        size_t length;
        const char *name = tr_json_text(json, tr_json_item(json, event, 1), &length);
        if (!(time >= 0 && time <= duration + AT_FRAME / tr_clip_rate(clip)))
            continue;
        // Figures attached to one node share its labels: their copies must not take more memory than the
        // file.
        reading->label_bytes += length + EVENT_BYTES;
        if (reading->label_bytes > reading->document->bytes_read)
            return TR_OK;
        if (tr_clip_add_event(clip, time < duration ? time : duration, name) != TR_OK)
            return tr_gltf_motion_no_memory(reading);
    }
    return TR_OK;
}

// Finds the labels for the current figure in the list. If there are several, none can be trusted. false:
// there are none.
static bool find_labels(gltf_motion_reading *reading, uint32_t list, gltf_labels *labels) {
    const tr_json *json = reading->document->json;
    uint32_t found = 0, lost = 0;
    for (uint32_t i = 0; i < tr_json_count(json, list); i++) {
        uint32_t item = tr_json_item(json, list, i), node = find_node(reading, item);
        // Limits the time for a file with many figures and many invalid labels.
        if (++reading->label_work > reading->options.max_values)
            return false;
        lost += node == TR_NONE;
        if (node == TR_NONE || !is_of_figure(reading, node))
            continue;
        found++;
        labels->contacts = tr_json_member(json, item, "contacts");
        labels->events = tr_json_member(json, item, "events");
        labels->rate = tr_json_number(json, tr_json_member(json, item, "frames_per_second"));
        reading->label_work += tr_json_count(json, labels->contacts);
        reading->label_work += tr_json_count(json, labels->events);
    }
    if (lost)
        tr_scene_note(&reading->document->reading,
                      "%u labels of an animation name nodes that the file lacks and are left out", lost);
    if (found > 1)
        tr_scene_note(&reading->document->reading,
                      "the labels of %u characters are left out: the characters were read as one figure",
                      found);
    return found == 1;
}

tr_status tr_gltf_motion_read_labels(gltf_motion_reading *reading, const gltf_animation *animation,
                                     tr_clip *clip) {
    const gltf_document *document = reading->document;
    const tr_json *json = document->json;
    uint32_t extras = tr_json_member(json, animation->value, "extras"),
             list = tr_json_member(json, extras, "labels");
    gltf_labels labels = {TR_NONE, TR_NONE, 0};
    if (tr_json_kind_of(json, list) != TR_JSON_ARRAY || !find_labels(reading, list, &labels))
        return TR_OK;
    if (!labels_are_good(json, &labels)) {
        tr_scene_note(&document->reading,
                      "contacts and events of the animation \"%.80s\" are invalid and are left out",
                      tr_clip_name(clip));
        return TR_OK;
    }
    set_contacts(json, &labels, animation->begin, clip);
    return add_events(reading, &labels, animation->begin, clip);
}
