// Settings as data: the settings of an op, and the origin of a leaf.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace attn {

// A setting. The attributes of an op are enough to write it down and to build it again.
using Attribute = std::variant<bool, double, std::string, std::vector<double>, std::vector<std::string>>;
using Attributes = std::map<std::string, Attribute>;

}  // namespace attn
