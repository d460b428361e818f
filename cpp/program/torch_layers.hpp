// The layers that PyTorch provides as modules.
#pragma once

#include "program/language.hpp"

namespace attn {

std::span<const LayerEmitter> torch_layers();

}  // namespace attn
