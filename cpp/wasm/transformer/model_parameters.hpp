// The parameters of every layer and model by its name.
#pragma once

#include "tensor/parameters.hpp"
#include "wasm/arguments.hpp"

namespace attn {

// Names, shapes and beginnings. Throws InputError for the name of no layer, and sizes that do not fit it; MemoryError
// when they do not fit beside what is `kept`.
template <typename T>
ParameterSpecs parameters_of(std::string_view layer, const Arguments& sizes, const Parameters<T>& kept);

}  // namespace attn
