// Files as JavaScript gives them and gets them.
#pragma once

#include "files/element.hpp"
#include "tensor/memory.hpp"
#include "wasm/values.hpp"

namespace attn {

namespace js {
EMSCRIPTEN_DECLARE_VAL_TYPE(FileBytes)
}  // namespace js

// Copies a file. The copy counts like the arrays read from it: above the limit it is refused, naming `operation`.
inline Bytes bytes_of(const emscripten::val& file, const char* operation, std::uint64_t max_bytes = kMaxBytes) {
  check_memory(operation, file["length"].as<std::size_t>(), 0, max_bytes);
  Bytes bytes(file["length"].as<std::size_t>());
  emscripten::val(emscripten::typed_memory_view(bytes.size(), bytes.data())).call<void>("set", file);
  return bytes;
}

inline js::FileBytes copied(const Bytes& bytes) { return js::FileBytes(copy_of(bytes.data(), bytes.size())); }

}  // namespace attn
