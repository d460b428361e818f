// The parameters of every layer and model by its name.
#pragma once

#include "tensor/parameters.hpp"
#include "wasm/arguments.hpp"

namespace attn {

// Names, shapes and initial values. Throws InputError for an unknown layer and for sizes that do not fit it;
// MemoryError when they do not fit beside the parameters in `existing`.
template <typename T>
ParameterSpecs parameters_of(std::string_view layer, const Arguments& sizes, const Parameters<T>& existing);

}  // namespace attn
