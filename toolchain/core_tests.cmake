# core_tests: tests/cpp with Catch2, the same sources natively, under the sanitizers, and as wasm under Node.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/*.cpp)

if(test_sources)
  # Catch2 is not what is measured or checked: unoptimised, it builds in half the time.
  add_library(catch2_amalgamated STATIC ${PLAYGROUND_CATCH2}/catch_amalgamated.cpp)
  target_include_directories(catch2_amalgamated SYSTEM PUBLIC ${PLAYGROUND_CATCH2})
  target_link_libraries(catch2_amalgamated PUBLIC flags)
  target_compile_options(catch2_amalgamated PRIVATE -O0 -w)

  add_executable(core_tests ${test_sources})
  target_link_libraries(core_tests PRIVATE nn optim files program own_code catch2_amalgamated)
  # The tests of what kernels are written in must see the instructions that kernels have.
  target_compile_options(core_tests PRIVATE -O1 $<$<BOOL:${PLAYGROUND_RELAXED_SIMD}>:-mrelaxed-simd>)
  precompiled(core_tests <xtensor/containers/xarray.hpp> <catch_amalgamated.hpp> <nlohmann/json.hpp>)
  target_compile_definitions(core_tests PRIVATE PLAYGROUND_GOLDEN_DIR="${CMAKE_SOURCE_DIR}/tests/golden")
  if(EMSCRIPTEN)
    # The project's own package.json makes .js files modules; this program is a script.
    file(WRITE ${CMAKE_BINARY_DIR}/package.json "{ \"type\": \"commonjs\" }\n")
    target_link_options(core_tests PRIVATE -O1 -sNODERAWFS -sENVIRONMENT=node -sEXIT_RUNTIME
      -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB)
  endif()

  # Programs of graphs, for the tests that run them with the Python of this machine.
  if(NOT EMSCRIPTEN)
    file(GLOB op_cases CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cpp/op_cases*.cpp)
    add_executable(write_programs ${CMAKE_SOURCE_DIR}/tests/programs/write.cpp ${op_cases})
    target_link_libraries(write_programs PRIVATE nn program own_code)
    target_compile_options(write_programs PRIVATE -O1)
    precompiled(write_programs <xtensor/containers/xarray.hpp>)
  endif()
endif()
