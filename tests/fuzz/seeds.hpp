// The files that fuzzing begins with, mutations of them, and the verdicts of the readers.
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

// Writes the correct size and checksum into every directory entry of a .npz file.
void agree(std::uint8_t* data, std::size_t size);

// The verdict of the reader of `format` on `file`: "read", with the name, shape and checksum of each array; or the
// message of the refusal. Any other exception passes through.
std::string verdict(const std::string& format, attn::BytesView file);

// Mutation number `number` of `files` for this `seed`.
Seed mutated(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t number);

// The verdicts on `count` mutations from number `from` on. The digest covers all texts: it is the same in every build.
struct Verdicts {
  std::uint32_t digest = 0;
  std::uint32_t read = 0;
  std::uint32_t refused = 0;
};
std::string line(const Verdicts& said);  // "digest 0123abcd, 4 read, 96 refused"
Verdicts verdicts(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t from, std::uint32_t count);

// The verdicts on all seeds, and on 5000 mutations of them, as text: the content of tests/fuzz/verdicts.txt.
std::string report();

}  // namespace fuzz
