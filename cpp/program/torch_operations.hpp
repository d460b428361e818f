// Every operation in PyTorch.
#pragma once

#include "program/language.hpp"

namespace attn {

std::span<const Emitter> torch_operations();

}  // namespace attn
