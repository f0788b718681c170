// What the sources of `driver` share.
//
//   driver.c         tasks, and the choice of the driver
//   driver_route.c   the demands of a route: speeds, stretches with little room
//   driver_slope.c   the heights of a route
//   driver_gait.c    standing, walking, turning, side-stepping
//   driver_steps.c   taking footsteps
//   driver_ride.c    being carried
//   driver_perform.c playing a chain of behaviors
//   driver_archive.c into bytes and back
#pragma once
#include "motion/driver/driver.h"

#define DRIVER_WAIT_SPEED 0.05f // below this speed limit a body takes no further footstep [m/s]
#define DRIVER_ARRIVE 0.04f     // this close counts as arrived: the last centimetres would be shuffled [m]

extern const tr_driver tr_driver_gait, tr_driver_steps, tr_driver_rides, tr_driver_performs;

// The parameters for following a route at a speed [m/s, > 0]; the rest depends on the body's nature.
tr_follow_params tr_driver_follow_params(const tr_driver_nature *nature, float speed);
// The greatest speed on the slope that the root is on, or comes to.
float tr_driver_slope_limit(const tr_driver_root *root, const tr_driver_task *task);
// The length of a stride on the slope that the root is on, as a share of that on level ground.
float tr_driver_slope_stride(const tr_driver_root *root, const tr_driver_task *task);
// The parameters for going over footsteps at the pace of a walk at a speed [m/s, > 0].
tr_footstep_motion_params tr_driver_steps_params(const tr_driver_nature *nature, float speed);
// A tick of a standing body: its pose, relative to the root, and its contacts with the floor.
void tr_driver_stand(const tr_driver_nature *nature, tr_driver_body *body);
