// What an audit found, as members of a JSON document and as a table; and what it may be at most.
#pragma once
#include "troupe/io/json.h"
#include "troupe/motion/audit.h"

// The worst of both, as if they were one motion.
void audit_merge(tr_audit *worst, const tr_audit *one);
// The members that DESIGN.md names and the others.
void audit_write_fields(tr_json_writer *writer, const tr_audit *audit);

// A column for each motion: begin, rows, end.
void audit_print(const tr_audit *audits, const char *const *names, uint32_t count);

// What is allowed; NAN or negative: anything.
typedef struct audit_limits {
    double slide_mm, skate_mm, penetration_mm, clearance_mm, joint_limits, seam_mps, collisions,
        self_collisions, jerk;
} audit_limits;
audit_limits audit_limits_none(void);
// Says on stderr what is beyond; returns how many.
uint32_t audit_check(const tr_audit *audit, const audit_limits *limits);
