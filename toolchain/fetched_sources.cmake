# Where the set-up (toolchain/*.mjs) found no headers or no Catch2, CMake downloads release archives from GitHub and checks their
# SHA-256. SOURCE_SUBDIR names no folder: the files are used, but not their own builds.
include(FetchContent)

if(NOT PLAYGROUND_HEADERS)
  message(STATUS "Downloading xtl, xtensor and nlohmann")
  FetchContent_Declare(xtl URL https://github.com/xtensor-stack/xtl/archive/refs/tags/0.8.2.tar.gz
    URL_HASH SHA256=8fb38d6a5856aab5740d2ccb3d791d289f648d4cc506b94a1338fe5fce100c11 SOURCE_SUBDIR unused)
  FetchContent_Declare(xtensor URL https://github.com/xtensor-stack/xtensor/archive/refs/tags/0.27.1.tar.gz
    URL_HASH SHA256=117c192ae3b7c37c0156dedaa88038e0599a6b264666c3c6c2553154b500fe23 SOURCE_SUBDIR unused)
  FetchContent_Declare(nlohmann URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    URL_HASH SHA256=0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406 SOURCE_SUBDIR unused)
  FetchContent_MakeAvailable(xtl xtensor nlohmann)
  foreach(name IN ITEMS xtl xtensor nlohmann)
    list(APPEND PLAYGROUND_HEADERS ${${name}_SOURCE_DIR}/include)
  endforeach()
endif()

if(PLAYGROUND_TESTS AND NOT PLAYGROUND_CATCH2)
  message(STATUS "Downloading Catch2")
  FetchContent_Declare(catch2 URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c SOURCE_SUBDIR unused)
  FetchContent_MakeAvailable(catch2)
  set(PLAYGROUND_CATCH2 ${catch2_SOURCE_DIR}/extras)
endif()
