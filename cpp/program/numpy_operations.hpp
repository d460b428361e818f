// Every operation in NumPy.
#pragma once

#include "program/language.hpp"

namespace attn {

std::span<const Emitter> numpy_operations();

}  // namespace attn
