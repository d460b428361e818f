// Prints the verdicts of the readers on mutated files, a line per thousand: `read_mutations SEED COUNT`. The native and the wasm build
// must print the same: a difference is a bug in one of them. Without arguments it prints tests/fuzz/verdicts.txt.
#include <cstdio>
#include <cstdlib>

#include "seeds.hpp"

int main(int count, char** arguments) {
  if (count == 1) {
    std::fputs(fuzz::report().c_str(), stdout);
    return 0;
  }
  if (count != 3) return 1;
  const auto seed = static_cast<std::uint32_t>(std::strtoull(arguments[1], nullptr, 10));
  const auto files = static_cast<std::uint32_t>(std::strtoull(arguments[2], nullptr, 10));
  const std::vector<fuzz::Seed> seeds = fuzz::seeds();
  constexpr std::uint32_t kAtOnce = 1000;
  for (std::uint32_t from = 0; from < files; from += kAtOnce) {
    std::printf("%u: %s\n", from, fuzz::line(fuzz::verdicts(seeds, seed, from, kAtOnce)).c_str());
    std::fflush(stdout);
  }
  return 0;
}
