// Events: a list for each step, and a list for what happens between two steps, which the next step reports.
#include "stage_data.h"

#include <string.h>

#define EVENTS_LEAST 4 // events of an actor in a tick: two footfalls, blocked, covered

static bool reserve_events(tr_stage *stage, tr_event **list, uint32_t *capacity, uint64_t count) {
    void *events = *list;
    bool room = tr_reserve(&stage->allocator, &events, capacity, count, sizeof **list);
    *list = events;
    return room;
}

bool tr_stage_reserve_events(tr_stage *stage) {
    uint64_t count = stage->event_count;
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        const stage_actor *who = stage->actors[i];
        count += EVENTS_LEAST;
        // Orders for arms may end at once; others do not.
        for (uint32_t k = who->current; k < who->order_count; k++) {
            count += 2;
            tr_order_kind kind = who->orders[k].order.kind;
            count += kind == TR_ORDER_DRAG ? 1 : 0; // the next one may begin at once
            if (kind != TR_ORDER_REACH && kind != TR_ORDER_LOWER &&
                who->orders[k].state != TR_ORDER_CANCELLED)
                break;
        }
    }
    return reserve_events(stage, &stage->events, &stage->event_capacity, count);
}

bool tr_stage_reserve_later(tr_stage *stage, uint32_t count) {
    return reserve_events(stage, &stage->later, &stage->later_capacity, (uint64_t)stage->later_count + count);
}

static void add_event(tr_stage *stage, tr_event **list, uint32_t *count, uint32_t *capacity,
                      const tr_event *event) {
    if (reserve_events(stage, list, capacity, (uint64_t)*count + 1))
        (*list)[(*count)++] = *event;
}

void tr_stage_tell(tr_stage *stage, const tr_event *event) {
    if (stage->stepping)
        add_event(stage, &stage->events, &stage->event_count, &stage->event_capacity, event);
    else
        add_event(stage, &stage->later, &stage->later_count, &stage->later_capacity, event);
}

// Events since the last step come first.
tr_status tr_stage_tell_later(tr_stage *stage, tr_error *error) {
    if (!reserve_events(stage, &stage->events, &stage->event_capacity, stage->later_count))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for events");
    if (stage->later_count)
        memcpy(stage->events, stage->later, stage->later_count * sizeof *stage->events);
    stage->event_count = stage->later_count;
    stage->later_count = 0;
    return TR_OK;
}

const tr_event *tr_stage_events(const tr_stage *stage, uint32_t *count) {
    *count = stage->event_count;
    return stage->events;
}
