// The results of an audit as members of a JSON document and as a table, and the limits they are checked
// against.
#pragma once
#include "troupe/io/json.h"
#include "troupe/motion/audit.h"

// Merges the worst values of both, as if they were one motion.
void audit_merge(tr_audit *worst, const tr_audit *one);
// Writes all fields of an audit as members of the open object.
void audit_write_fields(tr_json_writer *writer, const tr_audit *audit);

// Prints a column for each motion: begin, rows, end.
void audit_print(const tr_audit *audits, const char *const *names, uint32_t count);

// The limits; NAN or negative: no limit.
typedef struct audit_limits {
    double slide_mm, skate_mm, penetration_mm, clearance_mm, joint_limits, seam_mps, collisions,
        self_collisions, jerk;
} audit_limits;
audit_limits audit_limits_none(void);
// Reports on stderr every value beyond its limit and returns their number.
uint32_t audit_check(const tr_audit *audit, const audit_limits *limits);
