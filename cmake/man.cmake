# The man pages, made from what the tool says with --help. A tool that was built for another machine cannot be asked,
# and one with sanitizers is not for users.
set(troupe_man_folder "")
find_program(TROUPE_AWK awk)
mark_as_advanced(TROUPE_AWK)
if(NOT CMAKE_CROSSCOMPILING AND NOT TROUPE_SANITIZE AND UNIX AND TROUPE_AWK)
  set(troupe_man_folder ${PROJECT_BINARY_DIR}/man)
  file(GLOB man_sources CONFIGURE_DEPENDS man/*.man)
  add_custom_command(OUTPUT ${troupe_man_folder}/troupe.1
                     COMMAND ${PROJECT_SOURCE_DIR}/scripts/man.sh $<TARGET_FILE:troupe_cli> ${troupe_man_folder}
                     DEPENDS troupe_cli scripts/man.sh ${man_sources} COMMENT "Writing the man pages" VERBATIM)
  add_custom_target(troupe_man ALL DEPENDS ${troupe_man_folder}/troupe.1)
  add_dependencies(troupe_product troupe_man)
endif()
