#include "solid_near.h"
#include "solid_data.h"

#include <math.h>

typedef struct near_box {
    tr_box box;
    float middle[3], half[3];
    void (*take)(void *user, const tr_vec3 corners[3]);
    void *user;
} near_box;

static bool apart(const float *a, const float *b, const float *c, float low, float high) {
    return (*a > high && *b > high && *c > high) || (*a < low && *b < low && *c < low);
}

static void take_packet(const solid_packet *packet, const near_box *near) {
    const tr_box *box = &near->box;
    for (int i = 0; i < SOLID_WIDTH; i++) {
        const float(*corner)[SOLID_WIDTH] = packet->corner;
        if (isnan(corner[0][i]) ||
            apart(&corner[0][i], &corner[3][i], &corner[6][i], box->min.x, box->max.x) ||
            apart(&corner[1][i], &corner[4][i], &corner[7][i], box->min.y, box->max.y) ||
            apart(&corner[2][i], &corner[5][i], &corner[8][i], box->min.z, box->max.z))
            continue;
        const tr_vec3 corners[3] = {{corner[0][i], corner[1][i], corner[2][i]},
                                    {corner[3][i], corner[4][i], corner[5][i]},
                                    {corner[6][i], corner[7][i], corner[8][i]}};
        near->take(near->user, corners);
    }
}

static void take_tree(const tr_solid *solid, const solid_tree *tree, const near_box *near) {
    uint32_t stack[SOLID_STACK], count = 0;
    if (tree->node_count)
        stack[count++] = 0;
    while (count) {
        const solid_node *node = &tree->nodes[stack[--count]];
        for (uint32_t hits = solid->kernel.near(node, near->middle, near->half); hits; hits &= hits - 1) {
            uint32_t child = node->child[__builtin_ctz(hits)];
            if (child & SOLID_LEAF)
                take_packet(&tree->packets[child & ~SOLID_LEAF], near);
            else
                stack[count++] = child;
        }
    }
}

void tr_solid_triangles_in(const tr_solid *solid, tr_box box,
                           void (*take)(void *user, const tr_vec3 corners[3]), void *user) {
    near_box near = {.box = box, .take = take, .user = user};
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    for (int k = 0; k < 3; k++) {
        near.middle[k] = 0.5f * low[k] + 0.5f * high[k];
        near.half[k] = 0.50001f * (high[k] - low[k]) + 4e-7f * fabsf(near.middle[k]);
    }
    take_tree(solid, &solid->large, &near);
    for (uint32_t i = 0; i < solid->mover_count; i++)
        if (solid->movers[i].shown)
            take_tree(solid, &solid->movers[i].tree, &near);
}
