// What every fuzz target does with a file: it is read or refused, and the result is written and read back unchanged.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "files/element.hpp"
#include "tensor/parameters.hpp"

namespace attn {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Bytes are compared, not numbers, so that NaN and -0 must be read back as they were.
inline void require_same(const Array<double>& got, const Array<double>& expected) {
  require(shape_of(got) == shape_of(expected), "another shape is read back");
  require(got.size() == 0 || std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)) == 0,
          "other numbers are read back");
}

inline void require_same(const std::vector<NamedArray>& got, const std::vector<NamedArray>& expected) {
  require(got.size() == expected.size(), "more or fewer arrays are read back");
  for (std::size_t i = 0; i < got.size(); ++i) {
    require(got[i].name == expected[i].name, "another name is read back");
    require_same(got[i].value, expected[i].value);
  }
}

// Any other exception ends the run, and so does the refusal of a file that was just written.
template <typename Read, typename Again>
int read_or_refuse(const Read& read, const Again& again) {
  {
    std::optional<decltype(read())> found;
    try {
      found = read();
    } catch (const InputError&) {
    } catch (const MemoryError&) {
    }
    if (found) require_same(again(*found), *found);
  }
  require(live_bytes == 0, "memory is still held");
  return 0;
}

}  // namespace attn
