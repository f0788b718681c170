// stage/stage_tuning.h - the tuned numbers of a stage. Internal to stage*.c.
#pragma once

// Bodies; what they need of the ground is defined by plan/go.
#define TUNE_CORRIDOR TR_GO_CORRIDOR
#define TUNE_FLOOR_RISE 0.5f  // a point this far below a floor still belongs to that floor [m]
#define TUNE_COVER_REACH 3.0f // a covered actor looks for room within this distance [m]

// Committed motions [ticks].
#define TUNE_HORIZON 45        // a motion goes on for this long before it comes to rest
#define TUNE_HORIZON_MAX 111   // for actors that have to turn on the spot first,
#define TUNE_HORIZON_NARROW 80 // for actors before places with little room: a bend takes more than a second
#define TUNE_SET_OUT 0.3f      // and have walked less than this by then [m]
#define TUNE_PERIOD 4          // from one extension of a motion to the next
#define TUNE_FREE_PERIOD 15    // for actors that meet no body
#define TUNE_CALM_PERIOD 12    // for actors that have met a body and have time
#define TUNE_WAIT_PERIOD 12    // for actors whose way stays closed, as far as they know
#define TUNE_POSITIONS 250     // of the longest motion; the timeline's ticks_max
#define TUNE_PROGRESS 0.04f    // an extension that gains less than this is not worth it [m]
#define TUNE_WORTH 0.15f       // an actor does not set out for less [m]
#define TUNE_SQUEEZE 0.1f      // share of the margin that an actor keeps that would be stuck otherwise
#define TUNE_SLOW_BONUS 0.3f   // a motion without a stop may end this much shorter and still be taken [m]

// Number of actors, of `actors`, whose trials are remembered while they wait.
#define TUNE_WAITING(actors) ((actors) / 8 + 8)

// While a motion is tried, the body that it is likely to meet is checked early.
#define TUNE_SUSPECT_TICKS 4   // every this many ticks
#define TUNE_SUSPECT_HAIR 1e-3 // share of the squared distance that is beyond rounding
#define TUNE_SUSPECT_RISE 0.9f // share of a height, likewise

// A motion is estimated before it is tried.
#define TUNE_FORESEEN 110       // ticks of an estimate at most
#define TUNE_FORESEE_ROOM 0.05f // error of an estimated place [m]
#define TUNE_FORESEE_WAY 0.1f   // error of the estimated length [m]

#define TUNE_SIDE_BY_SIDE 0.9f // the same: they lead on side by side
#define TUNE_SAME_WAY 0.7f     // cosine: ways with a smaller angle lead in the same direction

// Room that is left to actors that are nearer to a place [m].
#define TUNE_STRIP 2.0f       // the way of an actor counts this far ahead
#define TUNE_STRIP_EQUAL 0.2f // two distances that differ by less are equal
#define TUNE_STRIP_LEAST 0.1f // anything nearer is where the actor stands
#define TUNE_ASIDE_NODES 1024 // of a search for a way out of the way; memory for them is always reserved
#define TUNE_STRIP_MORE 0.05f // in addition to the bodies and the margin

// Ways around others [m, ticks].
#define TUNE_LOSS 0.35f       // an actor that loses less within the horizon goes on as before
#define TUNE_AROUND_PERIOD 10 // from one search for a way around to the next
#define TUNE_AROUND_VAIN 3    // after this many failures the period doubles, after as many more again
#define TUNE_AROUND_GAIN                                                                                     \
    1.5f // an actor that stands, or saves this much time [s], also takes a long way round
#define TUNE_AROUND_REACH 0.4f // on which it walks at this share of its speed or faster,
#define TUNE_ROUNDS 3          // but at most this often
#define TUNE_ROUND_WORTH 2.0f  // before it has made this much progress [m]

#define TUNE_EDGE 0.4f         // length of a step to the side of an actor that is stuck between others
#define TUNE_EDGE_PERIOD 12    // from one such attempt to the next [ticks]
#define TUNE_STRAIGHT 2.0f     // how far ahead an actor looks that sets out again
#define TUNE_OVERTAKE 0.2f     // an actor overtakes others that are slower by this [m/s]
#define TUNE_QUEUE_SIGHT 1.0f  // two actors share a way if they are together this far ahead,
#define TUNE_QUEUE_WIDTH 0.7f  // to within this distance; the one behind then queues
#define TUNE_QUEUE_NARROW 8.0f // this far before a narrow place actors queue behind actors that stand

// Headway.
#define TUNE_HEADWAY 0.36f      // between the middles of two people that stand in a row [m],
#define TUNE_HEADWAY_TIME 1.06f // and of two that walk: plus the way of this time [s]
#define TUNE_HEADWAY_HALF 0.19f // others farther beside the line of an actor are not ahead of it [m]
#define TUNE_HEADWAY_NEAR 0.05f // an actor is as slow as the other this far before the two would touch [m],
#define TUNE_HEADWAY_SLOW 0.5f  // and slows down to that within this time [s]
#define TUNE_HEADWAY_LEAST 0.2f // nobody walks slower than this [m/s]
#define TUNE_HEADWAY_SAME 0.05f // speeds that differ by less are the same [m/s]
#define TUNE_OVER_PERIOD 15     // from one attempt to move over to the next [ticks]

// Limbs [ticks].
#define TUNE_STRIDE_TIME 7      // a foot is where the actor was this long ago, or will be in this time
#define TUNE_STRIDE_WIDTH 0.33f // of striding legs, as a share of the disc
#define TUNE_STRIDE_CLOSE 0.5f  // the same where the margin is not kept
#define TUNE_ROOM_SIGHT 12      // arms are drawn in this long before other bodies come near

// Stairs [m, m/s].
#define TUNE_STAIR_SPEED 0.8f  // at which a walking actor arrives at footsteps
#define TUNE_STAIR_SIGHT 1.2f  // it slows down this far before them,
#define TUNE_STAIR_STROLL 1.4f // and further at more than this speed,
#define TUNE_STAIR_BRAKE 0.8f  // as if it braked by this [m/s2]
#define TUNE_OVERRUN 0.7f      // a level piece is extended by this, so that actors do not brake before stairs
#define TUNE_SWITCH 0.2f       // a level piece before footsteps ends this near to its end,
#define TUNE_STRIDE 0.4f       // or this near, if a foot has just come down
#define TUNE_SHORT 0.3f        // a shorter level piece before others is not walked
#define TUNE_FIRST_STEP 0.2f   // an actor does not begin footsteps for less progress than this
#define TUNE_RIDE_SPEED 1.0f

#define TUNE_STEER_SECONDS 1.5f // a steered actor plans this far ahead [s]

// Arrival [m].
#define TUNE_MISS 0.15f      // an actor farther from its goal has not arrived
#define TUNE_BESIDE 3.0f     // an actor that finds its goal occupied within this distance stays beside it
#define TUNE_FOLLOW_GAP 0.4f // between discs, behind an actor that is followed

// Impasses.
#define TUNE_CLAIM_SIGHT 12.0f // a blocked actor claims its way this far ahead [m]
#define TUNE_CLAIM_BEYOND 1.5f // and this far beyond the last actor that stands on it [m]
#define TUNE_CLAIM_GAP 2.5f    // actors that stand farther apart are asked one after the other [m]
#define TUNE_WAIVER 30         // how long an actor may block others that cannot go on either [ticks]
#define TUNE_PUSHES 20         // requests to make room for an actor that makes no progress, at most,
#define TUNE_PUSH_WORTH 0.2f   // where progress is at least this far [m]
#define TUNE_PUSH_HARD 4       // after this many requests the search for places may take twice as long
#define TUNE_ASIDE_TRIES 400   // places that are tried in a tick; the rest has to wait for the next tick
#define TUNE_YIELD_PERIOD 15   // from one request for room to the next [ticks]
#define TUNE_FLOOR_APART 1.2f  // floors farther apart are different storeys [m]

// Moving objects.
#define TUNE_CLEAR 0.05f   // distance kept from them [m]
#define TUNE_FLEE 8.0      // an actor leaves a place that an object will reach within this time [s]
#define TUNE_FLEE_PERIOD 8 // and checks for it this often [ticks]
