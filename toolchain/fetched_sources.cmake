# Where the set-up (toolchain/*.mjs) found no headers and no Catch2, pinned tags are fetched by git.
include(FetchContent)

if(NOT PLAYGROUND_HEADERS)
  message(STATUS "Fetching xtensor, xtl and nlohmann by git")
  foreach(source IN ITEMS
      "xtl https://github.com/xtensor-stack/xtl.git 0.8.2"
      "xtensor https://github.com/xtensor-stack/xtensor.git 0.27.1"
      "nlohmann https://github.com/nlohmann/json.git v3.11.3")
    separate_arguments(parts UNIX_COMMAND "${source}")
    list(GET parts 0 name)
    list(GET parts 1 repository)
    list(GET parts 2 tag)
    # SOURCE_SUBDIR names no folder: the headers are used, their build is not.
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SOURCE_SUBDIR unused)
    FetchContent_MakeAvailable(${name})
    list(APPEND PLAYGROUND_HEADERS ${${name}_SOURCE_DIR}/include)
  endforeach()
endif()

if(PLAYGROUND_TESTS AND NOT PLAYGROUND_CATCH2)
  message(STATUS "Fetching Catch2 by git")
  FetchContent_Declare(catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.7.1
    GIT_SHALLOW ON SOURCE_SUBDIR unused)
  FetchContent_MakeAvailable(catch2)
  set(PLAYGROUND_CATCH2 ${catch2_SOURCE_DIR}/extras)
endif()
