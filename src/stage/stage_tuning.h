// stage/stage_tuning.h - every number that a stage was tuned with. Internal to stage*.c.
#pragma once

// Bodies; what they need of the ground is plan/go's affair.
#define TUNE_CORRIDOR TR_GO_CORRIDOR
#define TUNE_FLOOR_RISE 0.5f  // a point so far below a floor still means that floor [m]
#define TUNE_COVER_REACH 3.0f // whoever something is put onto looks for room within this [m]

// Committed motions [ticks].
#define TUNE_HORIZON 45      // a motion goes on for so long before it comes to rest
#define TUNE_HORIZON_MAX 111 // for those who have to turn on the spot first,
#define TUNE_SET_OUT 0.3f    // and have not walked so far by then [m]
#define TUNE_PERIOD 4        // from one extension of a motion to the next
#define TUNE_FREE_PERIOD 15  // for those who meet nobody
#define TUNE_CALM_PERIOD 12  // for those who have met somebody, and have time
#define TUNE_WAIT_PERIOD 12  // for those whose way stays closed, as far as they know
#define TUNE_POSITIONS 250   // of the longest motion; the timeline's ticks_max
#define TUNE_PROGRESS 0.04f  // an extension that gets no further than this is not worth it [m]
#define TUNE_WORTH 0.15f     // and nobody sets out for less [m]
#define TUNE_SQUEEZE 0.1f    // of the margin is kept by those who would be stuck otherwise
#define TUNE_SLOW_BONUS 0.3f // a motion without a stop may end this much shorter and still be taken [m]

// Of so many actors: those whose tries are remembered while they wait.
#define TUNE_WAITING(actors) ((actors) / 8 + 8)

// Who is likely to be met is looked out for while a motion is made.
#define TUNE_SUSPECT_TICKS 4   // so often
#define TUNE_SUSPECT_HAIR 1e-3 // of the square of a distance: what is nearer is no matter of rounding
#define TUNE_SUSPECT_RISE 0.9f // of a height, likewise

// What a motion will be is foreseen before it is tried.
#define TUNE_FORESEEN 110       // ticks of it, at most
#define TUNE_FORESEE_ROOM 0.05f // error of a foreseen place [m]
#define TUNE_FORESEE_WAY 0.1f   // error of the foreseen length [m]

#define TUNE_SAME_WAY 0.7f // cosine: ways that lead in the same direction

// Room that is left to those who are nearer to a place [m].
#define TUNE_STRIP 2.0f       // so far ahead somebody's way counts
#define TUNE_STRIP_EQUAL 0.2f // two whose distances differ by less are as near
#define TUNE_STRIP_LEAST 0.1f // what is nearer is where it stands
#define TUNE_ASIDE_NODES 1024 // of a search for a way out of the way: room for them is always there
#define TUNE_STRIP_MORE 0.05f // beside the bodies and the margin

// Going round [m, ticks].
#define TUNE_LOSS 0.35f       // who loses less within the horizon goes on as before
#define TUNE_AROUND_PERIOD 10 // from one look for a way round to the next
#define TUNE_AROUND_VAIN 3    // after so many in vain twice as long, and after as many more twice that
#define TUNE_AROUND_GAIN                                                                                     \
    1.5f // an actor that stands, or saves this much time [s], also takes a long way round
#define TUNE_AROUND_REACH 0.4f // on which it walks at this share of its speed or faster,
#define TUNE_ROUNDS 3          // but only this often
#define TUNE_ROUND_WORTH 2.0f  // before it has got this much further [m]

#define TUNE_EDGE 0.4f         // how far somebody steps to a side who is stuck between others
#define TUNE_EDGE_PERIOD 12    // and how often [ticks]
#define TUNE_STRAIGHT 2.0f     // so far ahead somebody looks who sets out again
#define TUNE_OVERTAKE 0.2f     // an actor overtakes others who are slower by this [m/s]
#define TUNE_QUEUE_SIGHT 1.0f  // two actors share a way if they are together this far ahead,
#define TUNE_QUEUE_WIDTH 0.7f  // to within this distance; the one behind then queues
#define TUNE_QUEUE_NARROW 8.0f // so far before a narrow place actors queue behind those who stand

// Limbs [ticks].
#define TUNE_STRIDE_TIME 7      // a foot is where its owner was this long ago, or will be in this time
#define TUNE_STRIDE_WIDTH 0.33f // of legs that stride, as a share of the disc
#define TUNE_STRIDE_CLOSE 0.5f  // the same where the margin is given up
#define TUNE_ROOM_SIGHT 12      // so far ahead arms are drawn in for those who come near

// Stairs [m, m/s].
#define TUNE_STAIR_SPEED 0.8f // at which a walker comes up to footsteps
#define TUNE_STAIR_SIGHT 1.2f // and from how far it slows down for it
#define TUNE_OVERRUN 0.7f     // a level piece goes on for so long, so that nobody brakes before stairs
#define TUNE_SWITCH 0.02f     // so near to its end a level piece before footsteps is over
#define TUNE_STRIDE 0.4f      // and earlier, when a foot has just come down
#define TUNE_SHORT 0.3f       // a shorter level piece before others is not walked
#define TUNE_FIRST_STEP 0.2f  // nobody sets a foot on them to get less far
#define TUNE_RIDE_SPEED 1.0f

#define TUNE_STEER_SECONDS 1.5f // a steered actor sees so far ahead [s]

// Arrival [m].
#define TUNE_MISS 0.15f      // further from its goal an actor has not arrived
#define TUNE_BESIDE 3.0f     // whoever finds the place taken this near stays beside it
#define TUNE_FOLLOW_GAP 0.4f // between discs, behind somebody who is followed

// Impasses.
#define TUNE_CLAIM_SIGHT 12.0f // as far ahead somebody who is blocked claims its way [m]
#define TUNE_CLAIM_BEYOND 1.5f // and so far beyond the last one who stands on it [m]
#define TUNE_CLAIM_GAP 2.5f    // those who stand further apart than this are asked one after the other [m]
#define TUNE_WAIVER 30 // so long somebody may stop in the way of others who cannot go on either [ticks]
#define TUNE_PUSHES 20 // so often others are asked to make room for somebody who does not get on for it,
#define TUNE_PUSH_WORTH 0.2f  // that is, so far [m]
#define TUNE_PUSH_HARD 4      // and after so many times they look for places twice as long
#define TUNE_ASIDE_TRIES 400  // places that are looked at in a tick before the rest has to wait for the next
#define TUNE_YIELD_PERIOD 15  // from one time that somebody asks for room to the next [ticks]
#define TUNE_FLOOR_APART 1.2f // floors further apart than this are two storeys [m]

// Objects that move.
#define TUNE_CLEAR 0.05f   // kept from them [m]
#define TUNE_FLEE 8.0      // whoever stands where something comes within this time goes away [s]
#define TUNE_FLEE_PERIOD 8 // and looks out for it so often [ticks]
