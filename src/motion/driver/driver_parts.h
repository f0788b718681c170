// What the sources of `driver` share.
//
//   driver.c        tasks, and which driver is at work
//   driver_route.c  what a route asks for: speeds, stretches with little room
//   driver_gait.c   standing, walking, turning, side-stepping
//   driver_steps.c  going over footsteps
//   driver_ride.c   being carried
//   driver_archive.c  into bytes and back
#pragma once
#include "motion/driver/driver.h"

#define DRIVER_WAIT_SPEED 0.05f // at a limit below this nobody takes another step over footsteps [m/s]
#define DRIVER_ARRIVE 0.04f     // so near to the end is there: the last centimetres would be shuffled [m]

extern const tr_driver tr_driver_gait, tr_driver_steps, tr_driver_rides;

// How a route is followed at a speed [m/s, > 0]: all else follows from the body's nature.
tr_follow_params tr_driver_follow_params(const tr_driver_nature *nature, float speed);
// A tick of a body that stands: its pose, relative to the root, and what touches the floor.
void tr_driver_stand(const tr_driver_nature *nature, tr_driver_body *body);
