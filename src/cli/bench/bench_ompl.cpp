// OMPL and FCL on the same tasks, for comparison: what a user of them would write for this arm. Works in
// double and in the axes of files with Z up (X ahead, Y left), by the formula that such files state; shares
// no geometry with our own planner.
extern "C" {
#include "bench_ompl.h"
#include "troupe/base/clock.h"
}
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/narrowphase/collision.h>
#include <ompl/base/goals/GoalSampleableRegion.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>
#include <new>
#include <vector>

namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using vector = Eigen::Vector3d;
using matrix = Eigen::Matrix3d;
using tree = fcl::BVHModel<fcl::OBB<double>>;
using angles = std::array<double, TR_ARM_JOINTS>;

constexpr double range = 0.8, step = 0.05; // [rad], of distances over all seven angles
constexpr double seconds_max = 5;

// Converts our axes (X left, Y up, Z ahead) to those of the file.
vector named(tr_vec3 p) {
    return {p.z, p.x, p.y};
}

matrix turn(int axis, double angle) {
    return Eigen::AngleAxisd(angle, vector::Unit(axis)).toRotationMatrix();
}

double processor_ms() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct capsule {
    vector a, b;
    double radius;
    unsigned links;
};

struct placed {
    std::array<vector, 4> points; // shoulder, elbow, wrist, tip
    vector hand;                  // where it points
};

double square_distance(const capsule &p, const capsule &q) {
    vector u = p.b - p.a, v = q.b - q.a, w = p.a - q.a;
    double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w);
    double best = INFINITY;
    auto clamp = [](double t) { return std::min(1.0, std::max(0.0, t)); };
    auto consider = [&](double s, double t) { best = std::min(best, (w + u * s - v * t).squaredNorm()); };
    double cross = uu * vv - uv * uv;
    if (cross > 1e-12 * uu * vv) {
        double s = (uv * vw - vv * uw) / cross, t = (uu * vw - uv * uw) / cross;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            consider(s, t);
    }
    // Otherwise the nearest point is an end of one of them.
    for (double end : {0.0, 1.0}) {
        consider(end, vv > 0 ? clamp((vw + uv * end) / vv) : 0);
        consider(uu > 0 ? clamp((uv * end - uw) / uu) : 0, end);
    }
    return best;
}

bool touch(const capsule &p, const capsule &q) {
    double reach = p.radius + q.radius;
    return square_distance(p, q) < reach * reach;
}

} // namespace

struct bench_ompl {
    std::array<double, 3> length, radius;
    angles low, high;
    vector shoulder;
    matrix to_body; // from the world's axes
    vector origin;
    std::vector<capsule> bodies;
    bool self = false;
    std::shared_ptr<tree> scene;
    std::array<std::shared_ptr<fcl::Capsule<double>>, 3> links;
    std::vector<tr_posture> path;

    vector from_world(tr_vec3 p) const {
        vector b = to_body * (vector(p.x, p.y, p.z) - origin);
        return {b[2], b[0], b[1]};
    }
    vector direction_from_world(tr_vec3 p) const {
        vector b = to_body * vector(p.x, p.y, p.z);
        return {b[2], b[0], b[1]};
    }

    placed put(const angles &q) const {
        const vector down(0, 0, -1);
        matrix r1 = turn(1, -q[0]) * turn(0, -q[1]) * turn(2, q[2]), r2 = r1 * turn(1, -q[3]),
               r3 = r2 * turn(2, q[4]) * turn(1, q[5]) * turn(0, q[6]);
        placed at;
        at.points[0] = shoulder;
        at.points[1] = at.points[0] + length[0] * (r1 * down);
        at.points[2] = at.points[1] + length[1] * (r2 * down);
        at.hand = r3 * down;
        at.points[3] = at.points[2] + length[2] * at.hand;
        return at;
    }

    bool touches_scene(const capsule &link, const fcl::Capsule<double> &shape) const {
        fcl::Transform3d place = fcl::Transform3d::Identity();
        place.linear() =
            Eigen::Quaterniond::FromTwoVectors(vector::UnitZ(), link.b - link.a).toRotationMatrix();
        place.translation() = (link.a + link.b) / 2;
        fcl::CollisionRequestd request;
        fcl::CollisionResultd result;
        return fcl::collide(&shape, place, scene.get(), fcl::Transform3d::Identity(), request, result) > 0;
    }

    bool touches(const angles &q) const {
        placed at = put(q);
        std::array<capsule, 3> arm;
        for (unsigned i = 0; i < 3; i++)
            arm[i] = {at.points[i], at.points[i + 1], radius[i], 0};
        if (self && touch(arm[0], arm[2]))
            return true;
        for (const capsule &body : bodies)
            for (unsigned i = 0; i < 3; i++)
                if ((body.links >> i & 1) && touch(arm[i], body))
                    return true;
        for (unsigned i = 0; i < 3; i++)
            if (touches_scene(arm[i], *links[i]))
                return true;
        return false;
    }
};

namespace {

angles angles_of(const ob::State *state) {
    angles q;
    const double *values = state->as<ob::RealVectorStateSpace::StateType>()->values;
    std::copy(values, values + TR_ARM_JOINTS, q.begin());
    return q;
}

// Samples postures that put the wrist (and the direction of the hand) at the goal, as many as OMPL requests.
class goal_region : public ob::GoalSampleableRegion {
  public:
    goal_region(const ob::SpaceInformationPtr &space, const bench_ompl &arm_, const tr_reach_task &task,
                bool pose_)
        : ob::GoalSampleableRegion(space), arm(arm_), pose(pose_ && task.has_pose) {
        wrist = arm.from_world(task.position.wrist);
        if (pose)
            direction = arm.direction_from_world(task.pose.direction).normalized();
        cosine = std::cos(task.pose.tolerance);
        setThreshold(1e-5);
    }

    unsigned int maxSampleCount() const override { return 1000000; }

    double distanceGoal(const ob::State *state) const override {
        placed at = arm.put(angles_of(state));
        double off = (at.points[2] - wrist).norm();
        return pose && at.hand.dot(direction) < cosine ? off + 1 : off;
    }

    void sampleGoal(ob::State *state) const override {
        angles q;
        for (int tries = 0; tries < 100000 && !draw(q); tries++)
            ;
        std::copy(q.begin(), q.end(), state->as<ob::RealVectorStateSpace::StateType>()->values);
    }

  private:
    bool within(const angles &q, int joint) const {
        return q[joint] >= arm.low[joint] && q[joint] <= arm.high[joint];
    }

    // The law of cosines gives the elbow angle, a random point on its circle the position, and the shoulder
    // angles follow.
    bool draw(angles &q) const {
        vector line = wrist - arm.shoulder;
        double far = line.norm(), l1 = arm.length[0], l2 = arm.length[1];
        double bend = (far * far - l1 * l1 - l2 * l2) / (2 * l1 * l2);
        q = arm.low;
        if (!(bend > -1 && bend < 1) || !(far > 0))
            return false;
        q[3] = std::acos(bend);
        vector axis = line / far, across = axis.unitOrthogonal();
        double along = (l1 * l1 + far * far - l2 * l2) / (2 * far), angle = random.uniformReal(-M_PI, M_PI);
        vector out = std::cos(angle) * across + std::sin(angle) * axis.cross(across);
        vector elbow = arm.shoulder + axis * along + out * std::sqrt(std::max(0.0, l1 * l1 - along * along));
        vector upper = (elbow - arm.shoulder) / l1, fore = (wrist - elbow) / l2;
        matrix r;
        r.col(0) = (fore - std::cos(q[3]) * upper) / std::sin(q[3]);
        r.col(2) = -upper;
        r.col(1) = r.col(2).cross(r.col(0));
        double side = std::asin(std::min(1.0, std::max(-1.0, -r(1, 2))));
        bool turned = random.uniformBool();
        double sign = turned ? -1 : 1;
        q[0] = -std::atan2(sign * r(0, 2), sign * r(2, 2));
        q[1] = -(turned ? (side > 0 ? M_PI - side : -M_PI - side) : side);
        q[2] = std::atan2(sign * r(1, 0), sign * r(1, 1));
        for (int i = 4; i < 7; i++)
            q[i] = random.uniformReal(arm.low[i], arm.high[i]);
        for (int i = 0; i < 4; i++)
            if (!within(q, i))
                return false;
        return !pose || arm.put(q).hand.dot(direction) >= cosine;
    }

    const bench_ompl &arm;
    bool pose;
    vector wrist, direction;
    double cosine;
    mutable ompl::RNG random;
};

// All objects as one tree, in the body's axes.
void add_scene(bench_ompl &ompl, const tr_scene *scene) {
    std::vector<vector> corners;
    std::vector<fcl::Triangle> triangles;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.mesh == TR_NONE)
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        size_t first = corners.size();
        for (uint32_t v = 0; v < mesh.position_count; v++)
            corners.push_back(ompl.from_world(tr_affine_apply(&object.placement, mesh.positions[v])));
        for (uint32_t k = 0; k < mesh.triangle_count; k++)
            triangles.emplace_back(first + mesh.indices[3 * k], first + mesh.indices[3 * k + 1],
                                   first + mesh.indices[3 * k + 2]);
    }
    ompl.scene = std::make_shared<tree>();
    ompl.scene->beginModel();
    ompl.scene->addSubModel(corners, triangles);
    ompl.scene->endModel();
}

std::unique_ptr<bench_ompl> make(const tr_scene *scene, const tr_reach_file *file) {
    auto made = std::make_unique<bench_ompl>();
    const tr_arm &arm = file->arm;
    for (int i = 0; i < 3; i++) {
        made->length[i] = arm.length[i];
        made->radius[i] = arm.radius[i];
        made->links[i] = std::make_shared<fcl::Capsule<double>>(made->radius[i], made->length[i]);
        made->origin[i] = arm.base.m[i][3];
        for (int k = 0; k < 3; k++)
            made->to_body(k, i) = arm.base.m[i][k]; // the inverse of a rotation
    }
    for (int i = 0; i < TR_ARM_JOINTS; i++)
        made->low[i] = arm.low.q[i], made->high[i] = arm.high.q[i];
    made->shoulder = named(arm.shoulder);
    made->self = file->self;
    for (uint32_t i = 0; i < file->body_count; i++) {
        const tr_reach_body &body = file->bodies[i];
        made->bodies.push_back({named(body.a), named(body.b), body.radius, body.links});
    }
    add_scene(*made, scene);
    return made;
}

void plan(bench_ompl &ompl, const tr_reach_task &task, bool pose, uint64_t seed, bench_ompl_run *run) {
    ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(seed));
    auto space = std::make_shared<ob::RealVectorStateSpace>(TR_ARM_JOINTS);
    ob::RealVectorBounds bounds(TR_ARM_JOINTS);
    bounds.low.assign(ompl.low.begin(), ompl.low.end());
    bounds.high.assign(ompl.high.begin(), ompl.high.end());
    space->setBounds(bounds);
    og::SimpleSetup setup(space);
    setup.setStateValidityChecker(
        [&ompl](const ob::State *state) { return !ompl.touches(angles_of(state)); });
    setup.getSpaceInformation()->setStateValidityCheckingResolution(step / space->getMaximumExtent());
    auto planner = std::make_shared<og::RRTConnect>(setup.getSpaceInformation());
    planner->setRange(range);
    setup.setPlanner(planner);
    ob::ScopedState<ob::RealVectorStateSpace> start(space);
    for (int i = 0; i < TR_ARM_JOINTS; i++) // floats of the file may be outside by one rounding
        start[i] = std::min(ompl.high[i], std::max(ompl.low[i], static_cast<double>(task.start.q[i])));
    setup.setStartState(start);
    setup.setGoal(std::make_shared<goal_region>(setup.getSpaceInformation(), ompl, task, pose));
    setup.setup();
    double cpu = processor_ms();
    uint64_t begin = tr_clock_nanoseconds();
    run->solved = setup.solve(seconds_max) == ob::PlannerStatus::EXACT_SOLUTION;
    uint64_t middle = tr_clock_nanoseconds();
    run->plan_cpu_ms = processor_ms() - cpu;
    if (run->solved)
        setup.simplifySolution();
    run->plan_ms = static_cast<double>(middle - begin) / 1e6;
    run->simplify_ms = static_cast<double>(tr_clock_nanoseconds() - middle) / 1e6;
    run->cpu_ms = processor_ms() - cpu;
    ompl.path.clear();
    for (size_t i = 0; run->solved && i < setup.getSolutionPath().getStateCount(); i++) {
        angles q = angles_of(setup.getSolutionPath().getState(static_cast<unsigned>(i)));
        tr_posture posture = {};
        for (int k = 0; k < TR_ARM_JOINTS; k++)
            posture.q[k] = static_cast<float>(q[k]);
        ompl.path.push_back(posture);
    }
    run->path = ompl.path.data();
    run->count = static_cast<uint32_t>(ompl.path.size());
}

} // namespace

extern "C" {

const char *bench_ompl_create(const tr_scene *scene, const tr_reach_file *file, bench_ompl **ompl) {
    *ompl = nullptr;
    if (file->arm.side != TR_ARM_RIGHT || file->help)
        return "OMPL was set up for a right arm without the trunk";
    ompl::msg::noOutputHandler();
    try {
        *ompl = make(scene, file).release();
    } catch (const std::exception &) {
        return "FCL cannot build its tree";
    }
    return nullptr;
}

void bench_ompl_destroy(bench_ompl *ompl) {
    delete ompl;
}

const char *bench_ompl_plan(bench_ompl *ompl, const tr_reach_task *task, bool pose, uint64_t seed,
                            bench_ompl_run *run) {
    *run = {};
    try {
        plan(*ompl, *task, pose, seed, run);
    } catch (const std::exception &) {
        return "OMPL threw an exception";
    }
    return nullptr;
}

bool bench_ompl_touches(bench_ompl *ompl, const tr_posture *posture) {
    angles q;
    std::copy(posture->q, posture->q + TR_ARM_JOINTS, q.begin());
    return ompl->touches(q);
}
}
