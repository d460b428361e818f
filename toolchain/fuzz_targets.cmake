# Targets of libFuzzer: one per file of tests/fuzz/*_fuzzer.cpp; and what writes the files that they start from.
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzzer.cpp)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE files own_code)
  target_compile_options(${name} PRIVATE -O1)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()

add_executable(write_seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds.cpp)
target_link_libraries(write_seeds PRIVATE files own_code)
target_compile_options(write_seeds PRIVATE -O1)

add_custom_target(fuzzers DEPENDS write_seeds)
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_dependencies(fuzzers ${name})
endforeach()
