// The permanent names of all operations, in alphabetical order.
#pragma once

#include <span>
#include <string_view>

namespace attn {

std::span<const std::string_view> op_names();

}  // namespace attn
