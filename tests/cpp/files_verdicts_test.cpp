// The verdicts of the file readers on the fuzzers' seeds and on changed files are the same in 32-bit and 64-bit
// builds.
#include <fstream>
#include <iterator>
#include <sstream>

#include <catch_amalgamated.hpp>

#include "../fuzz/seeds.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#endif

TEST_CASE("The verdicts on the fuzzers' seeds and on changed files are the stored ones") {
  std::ifstream file(PLAYGROUND_GOLDEN_DIR "/../fuzz/verdicts.txt");
  const std::string stored{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  REQUIRE_FALSE(stored.empty());
  const std::size_t bytes_before = attn::live_bytes;
#ifdef __EMSCRIPTEN__
  const std::size_t heap = emscripten_get_heap_size();
#endif
  std::istringstream report(fuzz::report()), expected(stored);
  // Compared line by line, so that a difference names its file.
  for (std::string line, expected_line; std::getline(expected, expected_line);) {
    CHECK(std::getline(report, line));
    CHECK(line == expected_line);
  }
  CHECK(report.peek() == std::char_traits<char>::eof());
  CHECK(attn::live_bytes == bytes_before);
#ifdef __EMSCRIPTEN__
  // No file is larger than some kilobytes, so no reader may allocate more than a little memory.
  CHECK(emscripten_get_heap_size() - heap <= 32 * 1024 * 1024);
#endif
}

TEST_CASE("A changed file depends only on the seed and its number") {
  const std::vector<fuzz::Seed> files = fuzz::seeds();
  CHECK(fuzz::mutated(files, 3, 7).bytes == fuzz::mutated(files, 3, 7).bytes);
  CHECK(fuzz::verdicts(files, 3, 0, 20).digest != fuzz::verdicts(files, 4, 0, 20).digest);
  const fuzz::Verdicts some = fuzz::verdicts(files, 1, 0, 600);
  // The changes reach the code that they are meant to test.
  CHECK(some.read > 25);
  CHECK(some.refused > 60);
}
