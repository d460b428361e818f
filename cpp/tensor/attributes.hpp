// Settings as data: what an op was made with, where a leaf comes from.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace attn {

// A setting: enough of them write an op down and build it again.
using Attribute = std::variant<bool, double, std::string, std::vector<double>, std::vector<std::string>>;
using Attributes = std::map<std::string, Attribute>;

}  // namespace attn
