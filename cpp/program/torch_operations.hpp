// Every operation in PyTorch, and the layers it has as modules.
#pragma once

#include "program/language.hpp"

namespace attn {

std::span<const Emitter> torch_operations();

// The layers that PyTorch has as modules.
std::span<const LayerEmitter> torch_layers();

}  // namespace attn
