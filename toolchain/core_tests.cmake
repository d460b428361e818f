# core_tests: tests/cpp with Catch2. The same sources are built natively with the sanitizers, and as wasm under Node: with the SIMD
# kernels, and as core_tests_relaxed with the relaxed SIMD kernels.
file(GLOB op_cases CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/op_cases*.cpp)
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/*.cpp)
file(GLOB_RECURSE kernel_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/kernels/*.cpp)
list(REMOVE_ITEM test_sources ${op_cases} ${kernel_tests})

# With the sanitizers the tests' own code is not optimised: this halves the compile time, and saves more time than the slower tests
# take.
set(test_optimisation $<IF:$<BOOL:${EMSCRIPTEN}>,-O1,-O0>)

# Catch2 is not under test: unoptimised and without sanitizers it builds in a fraction of the time.
add_library(catch2_amalgamated STATIC ${PLAYGROUND_CATCH2}/catch_amalgamated.cpp)
target_include_directories(catch2_amalgamated SYSTEM PUBLIC ${PLAYGROUND_CATCH2})
target_link_libraries(catch2_amalgamated PUBLIC flags)
target_compile_options(catch2_amalgamated PRIVATE -O0 -w $<$<NOT:$<BOOL:${EMSCRIPTEN}>>:-fno-sanitize=all>)

# The seeds of the fuzzers, and the verdicts of the file readers on them and on mutations of them.
add_library(fuzz_seeds STATIC ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds.cpp)
target_link_libraries(fuzz_seeds PRIVATE flags own_code)
target_compile_options(fuzz_seeds PRIVATE -O1)

add_library(op_cases OBJECT ${op_cases})
target_link_libraries(op_cases PRIVATE flags own_code)
target_compile_options(op_cases PRIVATE ${test_optimisation})
precompiled(op_cases <xtensor/containers/xarray.hpp>)

# Files that do not include the kernels' own headers are compiled once for both builds.
add_library(core_test_objects OBJECT ${test_sources})
target_link_libraries(core_test_objects PRIVATE own_code catch2_amalgamated)
target_compile_options(core_test_objects PRIVATE ${test_optimisation})
target_compile_definitions(core_test_objects PRIVATE PLAYGROUND_GOLDEN_DIR="${CMAKE_SOURCE_DIR}/tests/golden")
precompiled(core_test_objects <xtensor/containers/xarray.hpp> <catch_amalgamated.hpp> <nlohmann/json.hpp>)

# core_tests_of(name options... ROOMS rooms...): the tests, linked with these rooms; tests of kernels are compiled with the
# instruction set of the kernels.
function(core_tests_of name)
  cmake_parse_arguments(PARSE_ARGV 1 tests "" "" "ROOMS")
  add_executable(${name} ${kernel_tests})
  target_link_libraries(${name} PRIVATE core_test_objects op_cases fuzz_seeds ${tests_ROOMS} own_code catch2_amalgamated)
  target_compile_options(${name} PRIVATE ${test_optimisation} ${tests_UNPARSED_ARGUMENTS})
  precompiled(${name} <catch_amalgamated.hpp>)
  if(EMSCRIPTEN)
    target_link_options(${name} PRIVATE -O1 -sNODERAWFS -sENVIRONMENT=node -sEXIT_RUNTIME
      -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB)
  endif()
endfunction()

# More mutated files than core_tests reads, for `npm run fuzz`.
add_executable(read_mutations EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/fuzz/read_mutations.cpp)
target_link_libraries(read_mutations PRIVATE fuzz_seeds files tensor kernels own_code)
if(EMSCRIPTEN)
  target_link_options(read_mutations PRIVATE -O1 -sENVIRONMENT=node -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH
    -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB)
endif()

core_tests_of(core_tests ROOMS ${all_rooms})
if(EMSCRIPTEN)
  # The project's own package.json makes .js files modules; these programs are scripts.
  file(WRITE ${CMAKE_BINARY_DIR}/package.json "{ \"type\": \"commonjs\" }\n")
  core_tests_of(core_tests_relaxed -mrelaxed-simd ROOMS training program optim files ${relaxed_rooms})
else()
  # Writes programs of graphs, for the tests that run them with the Python of this machine.
  add_executable(write_programs ${CMAKE_SOURCE_DIR}/tests/programs/write.cpp)
  target_link_libraries(write_programs PRIVATE op_cases ${all_rooms} own_code)
  target_compile_options(write_programs PRIVATE -O1)
  precompiled(write_programs <xtensor/containers/xarray.hpp>)
endif()
