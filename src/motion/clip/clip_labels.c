// The labels of a clip: contacts of frames, events at times.
#include "clip_data.h"

#include <string.h>

void tr_clip_set_contacts(tr_clip *clip, uint32_t frame, uint32_t contacts) {
    if (frame < clip->frame_count)
        clip->contacts[frame] = (uint8_t)contacts;
}

uint32_t tr_clip_frame_contacts(const tr_clip *clip, uint32_t frame) {
    return frame < clip->frame_count ? clip->contacts[frame] : 0;
}

uint32_t tr_clip_contacts(const tr_clip *clip, double time) {
    return clip->contacts[tr_clip_moment(clip, time).frame];
}

tr_status tr_clip_add_event(tr_clip *clip, double time, const char *name) {
    if (!name || !(time >= 0 && time <= tr_clip_duration(clip)))
        return TR_INVALID;
    void *events = clip->events;
    bool room = tr_reserve(&clip->allocator, &events, &clip->event_capacity, (uint64_t)clip->event_count + 1,
                           sizeof *clip->events);
    clip->events = events;
    size_t size = strlen(name) + 1;
    char *copy = room ? tr_allocate(&clip->allocator, size, 1) : NULL;
    if (!copy)
        return TR_OUT_OF_MEMORY;
    memcpy(copy, name, size);
    uint32_t place = clip->event_count++;
    for (; place > 0 && clip->events[place - 1].time > time; place--)
        clip->events[place] = clip->events[place - 1];
    clip->events[place] = (clip_event){time, copy, size};
    return TR_OK;
}

uint32_t tr_clip_event_count(const tr_clip *clip) {
    return clip->event_count;
}

tr_clip_event tr_clip_get_event(const tr_clip *clip, uint32_t event) {
    tr_clip_event none = {0, NULL};
    if (event >= clip->event_count)
        return none;
    tr_clip_event found = {clip->events[event].time, clip->events[event].name};
    return found;
}

void tr_clip_events_between(const tr_clip *clip, double begin, double end,
                            void (*take)(void *user, const char *name, double time), void *user) {
    double duration = tr_clip_duration(clip);
    bool goes_round = clip->loop && duration > 0;
    if (clip->event_count == 0 || !(begin < end) || !isfinite(begin) || !isfinite(end))
        return;
    // Starts one loop before the one that contains the beginning: an event at the very end of a loop
    // coincides with the start of the next.
    double first = goes_round ? floor(begin / duration) - 1 : 0,
           last = goes_round ? floor(end / duration) : 0;
    for (double round = first; round <= last; round++)
        for (uint32_t i = 0; i < clip->event_count; i++) {
            double time = clip->events[i].time + round * duration;
            if (time > begin && time <= end)
                take(user, clip->events[i].name, time);
        }
}
