// A walk beside the walks of people, as a table and as members of a JSON document.
#pragma once
#include "troupe/io/json.h"
#include "troupe/motion/likeness.h"

void audit_likeness_print(const tr_likeness *likeness, const char *name);
// Writes all fields as members of the open object.
void audit_likeness_write(tr_json_writer *writer, const tr_likeness *likeness);
