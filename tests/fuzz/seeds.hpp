// The files that fuzzing begins with, changes of them, and what the readers say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/element.hpp"

namespace fuzz {

struct Seed {
  std::string format;  // "npy", "npz", "safetensors"
  std::string name;
  attn::Bytes bytes;
};

std::vector<Seed> seeds();

// Writes into every entry of the directory of a .npz the size and the sum of the bytes that it names.
void agree(std::uint8_t* data, std::size_t size);

// What the reader of `format` makes of `file`: "read", and of each array its name, shape and the sum of its bytes; or the
// words of the refusal. Anything else that is thrown passes through.
std::string verdict(const std::string& format, attn::BytesView file);

// File `number` of those that `seed` makes of `files` by changing them.
Seed mutated(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t number);

// What is said of `count` of them from `from` on. The digest is of all the words: the same in every build.
struct Verdicts {
  std::uint32_t digest = 0;
  std::uint32_t read = 0;
  std::uint32_t refused = 0;
};
std::string line(const Verdicts& said);  // "digest 0123abcd, 4 read, 96 refused"
Verdicts verdicts(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t from, std::uint32_t count);

// The verdicts on all seeds, and on 5000 of them changed, as text: tests/fuzz/verdicts.txt holds it.
std::string report();

}  // namespace fuzz
