// Contacts of the feet and events: glTF has no place for them, so they are stored as extras of animations.
#include "gltf_write_data.h"

static uint32_t contacts_at(const tr_clip *clip, uint32_t frame) {
    return tr_clip_frame_contacts(clip, frame % tr_clip_frame_count(clip));
}

// Stretches of frames with the same contacts: [contacts, first, end). The frame that closes a loop is a copy
// of its first.
static void write_contacts(const tr_clip *clip, tr_json_writer *writer) {
    uint32_t count = tr_clip_frame_count(clip) + tr_clip_loops(clip), end;
    tr_json_write_key(writer, "contacts");
    tr_json_write_array(writer);
    for (uint32_t begin = 0; begin < count; begin = end) {
        uint32_t contacts = contacts_at(clip, begin);
        for (end = begin + 1; end < count && contacts_at(clip, end) == contacts;)
            end++;
        if (contacts == 0)
            continue;
        tr_json_write_array(writer);
        tr_json_write_integer(writer, contacts);
        tr_json_write_integer(writer, begin);
        tr_json_write_integer(writer, end);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_events(const tr_clip *clip, tr_json_writer *writer) {
    tr_json_write_key(writer, "events");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < tr_clip_event_count(clip); i++) {
        tr_clip_event event = tr_clip_get_event(clip, i);
        tr_json_write_array(writer);
        tr_json_write_number(writer, event.time);
        tr_json_write_text(writer, event.name);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static bool has_contacts(const tr_clip *clip) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        if (tr_clip_frame_contacts(clip, i))
            return true;
    return false;
}

static bool has_labels(const tr_clip *clip) {
    return tr_clip_event_count(clip) > 0 || has_contacts(clip);
}

// The node's number identifies the character of the labels; its name lets a reader check whether the number
// is still valid after another program rewrote the file.
static void write_labels_of(const gltf_out *out, uint32_t actor, const tr_clip *clip,
                            tr_json_writer *writer) {
    uint32_t node = out->first_joint[actor] - 1;
    tr_json_write_object(writer);
    tr_json_write_key(writer, "node");
    tr_json_write_integer(writer, tr_gltf_write_node_number(out, node));
    tr_json_write_key(writer, "name");
    tr_json_write_text(writer, out->nodes[node].name);
    tr_json_write_key(writer, "frames_per_second");
    tr_json_write_number(writer, tr_clip_rate(clip));
    if (has_contacts(clip))
        write_contacts(clip, writer);
    if (tr_clip_event_count(clip) > 0)
        write_events(clip, writer);
    tr_json_write_end(writer);
}

// The clip of an actor that is part of the animation; NULL for none.
static const tr_clip *clip_of(const gltf_out *out, const gltf_out_animation *animation, uint32_t actor) {
    const tr_gltf_actor *shown = &out->shot->actors[actor];
    if (animation->clip >= shown->clip_count || (animation->actor != TR_NONE && animation->actor != actor))
        return NULL;
    return shown->clips[animation->clip];
}

static void write_labels(const gltf_out *out, const gltf_out_animation *animation, tr_json_writer *writer) {
    tr_json_write_key(writer, "labels");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < out->shot->actor_count; i++) {
        const tr_clip *clip = clip_of(out, animation, i);
        if (clip && has_labels(clip))
            write_labels_of(out, i, clip, writer);
    }
    tr_json_write_end(writer);
}

void tr_gltf_write_extras(const gltf_out *out, const gltf_out_animation *animation, tr_json_writer *writer) {
    bool labelled = false;
    for (uint32_t i = 0; i < out->shot->actor_count && !labelled; i++) {
        const tr_clip *clip = clip_of(out, animation, i);
        labelled = clip && has_labels(clip);
    }
    if (!labelled && !(animation->rate > 0))
        return;
    tr_json_write_key(writer, "extras");
    tr_json_write_object(writer);
    if (animation->rate > 0) {
        tr_json_write_key(writer, "frames_per_second");
        tr_json_write_number(writer, animation->rate);
    }
    if (labelled)
        write_labels(out, animation, writer);
    tr_json_write_end(writer);
}
