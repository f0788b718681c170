// DetourCrowd for comparison: as many discs as we have bodies, on the same square, with the same goals and
// speeds.
extern "C" {
#include "bench.h"
}
#include "bench_detour.hpp"

#include <recastnavigation/DetourCrowd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <vector>

namespace {

const float arrived = 0.5f; // distance from the goal: others may occupy it [m]

struct free_crowd {
    void operator()(dtCrowd *crowd) const { dtFreeCrowd(crowd); }
};

// The four quality settings of RecastDemo, which most users have adopted.
dtObstacleAvoidanceParams avoidance(const dtCrowd &crowd, bench_crowd_quality quality) {
    static const unsigned char shapes[4][3] = {
        {5, 2, 1}, {5, 2, 2}, {7, 2, 3}, {7, 3, 3}}; // divs, rings, depth
    dtObstacleAvoidanceParams params = *crowd.getObstacleAvoidanceParams(0);
    params.velBias = 0.5f;
    params.adaptiveDivs = shapes[quality][0];
    params.adaptiveRings = shapes[quality][1];
    params.adaptiveDepth = shapes[quality][2];
    return params;
}

dtCrowdAgentParams agent_of(const tr_sample_person &person, const bench_crowd_setting &setting) {
    dtCrowdAgentParams params = {};
    params.radius = TR_SAMPLE_PERSON_RADIUS;
    params.height = person.height;
    params.maxAcceleration = 8;
    params.maxSpeed = person.speed;
    params.collisionQueryRange = 12 * params.radius;
    params.pathOptimizationRange = 30 * params.radius;
    params.separationWeight = 2;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO |
                         DT_CROWD_OBSTACLE_AVOIDANCE;
    if (setting.separation)
        params.updateFlags |= DT_CROWD_SEPARATION;
    params.obstacleAvoidanceType = 0;
    return params;
}

struct walker {
    uint32_t trip = 0;
    tr_vec3 goal = {0, 0, 0};
};

struct arena {
    bench_detour *detour = nullptr;
    std::unique_ptr<dtCrowd, free_crowd> crowd{dtAllocCrowd()};
    std::vector<walker> walkers;
    const tr_sample_crowd *people = nullptr;
    ~arena() {
        crowd.reset(); // it keeps a pointer to the mesh
        bench_detour_destroy(detour);
    }
};

bool send(arena &all, int agent) {
    walker &who = all.walkers[static_cast<size_t>(agent)];
    who.goal = tr_sample_crowd_goal(all.people, static_cast<uint32_t>(agent), who.trip++);
    const float goal[3] = {who.goal.x, who.goal.y, who.goal.z}, around[3] = {1, 2, 1};
    float nearest[3];
    dtPolyRef polygon = 0;
    if (dtStatusFailed(
            all.detour->query.findNearestPoly(goal, around, all.crowd->getFilter(0), &polygon, nearest)) ||
        !polygon)
        return false;
    return all.crowd->requestMoveTarget(agent, polygon, nearest);
}

// An agent that has arrived gets its next goal. Counted as part of a tick, as it is for us.
void send_on(arena &all, uint32_t &trips) {
    for (size_t i = 0; i < all.walkers.size(); i++) {
        const dtCrowdAgent *agent = all.crowd->getAgent(static_cast<int>(i));
        float x = agent->npos[0] - all.walkers[i].goal.x, z = agent->npos[2] - all.walkers[i].goal.z;
        if (x * x + z * z < arrived * arrived) {
            send(all, static_cast<int>(i));
            trips++;
        }
    }
}

// Counts the agents that overlap another by more than a tenth of the diameter; cells are as wide as a
// diameter.
size_t count_overlaps(const arena &all) {
    const float reach = 2 * TR_SAMPLE_PERSON_RADIUS, limit = 0.9f * reach;
    std::unordered_map<uint64_t, std::vector<size_t>> cells;
    auto key = [](int64_t column, int64_t row) {
        return static_cast<uint64_t>(column) << 32 ^ static_cast<uint32_t>(row);
    };
    auto position = [&all](size_t i) { return all.crowd->getAgent(static_cast<int>(i))->npos; };
    auto cell = [reach](float x) { return static_cast<int64_t>(std::floor(x / reach)); };
    for (size_t i = 0; i < all.walkers.size(); i++)
        cells[key(cell(position(i)[0]), cell(position(i)[2]))].push_back(i);
    size_t count = 0;
    for (size_t i = 0; i < all.walkers.size(); i++) {
        const float *p = position(i);
        bool overlaps = false;
        for (int64_t c = cell(p[0]) - 1; c <= cell(p[0]) + 1; c++)
            for (int64_t r = cell(p[2]) - 1; r <= cell(p[2]) + 1; r++) {
                auto found = cells.find(key(c, r));
                for (size_t k = 0; found != cells.end() && k < found->second.size(); k++) {
                    const float *q = position(found->second[k]);
                    overlaps |= found->second[k] != i && std::hypot(p[0] - q[0], p[2] - q[2]) < limit;
                }
            }
        count += overlaps;
    }
    return count;
}

const char *set_up(arena &all, const bench_crowd_setting &setting) {
    uint32_t count;
    const tr_sample_person *people = tr_sample_crowd_people(all.people, &count);
    const tr_sample *sample = tr_sample_crowd_scene(all.people);
    const bench_agent body = {2.0f, TR_SAMPLE_PERSON_RADIUS, 0.3f, 45, 0.1f};
    tr_grid grid;
    if (tr_grid_cover(sample->ground, count > 2000 ? 0.2f : 0.1f, 0, 0, &grid, nullptr) != TR_OK)
        return "the ground is too large for Recast";
    const char *refusal = bench_detour_build(sample->scene, &grid, &body, &all.detour);
    if (refusal)
        return refusal;
    if (!all.crowd || !all.crowd->init(static_cast<int>(count), TR_SAMPLE_PERSON_RADIUS, &all.detour->mesh))
        return "DetourCrowd cannot be set up";
    dtObstacleAvoidanceParams params = avoidance(*all.crowd, setting.quality);
    all.crowd->setObstacleAvoidanceParams(0, &params);
    all.walkers.resize(count);
    for (uint32_t i = 0; i < count; i++) {
        const float start[3] = {people[i].start.x, people[i].start.y, people[i].start.z};
        dtCrowdAgentParams agent = agent_of(people[i], setting);
        if (all.crowd->addAgent(start, &agent) != static_cast<int>(i) || !send(all, static_cast<int>(i)))
            return "DetourCrowd rejected an agent or its goal";
    }
    return nullptr;
}

} // namespace

extern "C" const char *bench_detour_crowd(const tr_sample_crowd *people, const bench_crowd_setting *setting,
                                          uint32_t warm_up, uint32_t ticks, bench_crowd_figures *figures) {
    const float dt = 1.0f / 30;
    arena all;
    all.people = people;
    const char *refusal = set_up(all, *setting);
    if (refusal)
        return refusal;
    std::vector<double> times;
    size_t overlaps = 0;
    uint32_t trips = 0;
    double moved = 0, wanted = 0;
    for (uint32_t tick = 0; tick < warm_up + ticks; tick++) {
        uint32_t arrivals = 0;
        uint64_t begin = bench_thread_nanoseconds();
        all.crowd->update(dt, nullptr);
        send_on(all, arrivals);
        double elapsed = static_cast<double>(bench_thread_nanoseconds() - begin) / 1e6;
        if (tick < warm_up)
            continue;
        times.push_back(elapsed);
        trips += arrivals;
        overlaps += count_overlaps(all);
        for (size_t i = 0; i < all.walkers.size(); i++) {
            const dtCrowdAgent *agent = all.crowd->getAgent(static_cast<int>(i));
            moved += std::hypot(agent->vel[0], agent->vel[2]);
            wanted += agent->params.maxSpeed;
        }
    }
    double sum = 0;
    for (double time : times)
        sum += time;
    std::sort(times.begin(), times.end());
    figures->tick_ms = sum / ticks;
    figures->tick_p99_ms = times[(times.size() - 1) * 99 / 100];
    figures->overlap = static_cast<double>(overlaps) /
                       (static_cast<double>(ticks) * static_cast<double>(all.walkers.size()));
    figures->trips = trips;
    figures->pace = moved / wanted;
    return nullptr;
}
