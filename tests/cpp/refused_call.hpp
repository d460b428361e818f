// The message of a call that is refused.
#pragma once

#include <functional>
#include <string>

#include "tensor/shape.hpp"

// The message of the InputError that `call` throws; empty when it throws none.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const attn::InputError& error) {
    return error.what();
  }
  return "";
}
