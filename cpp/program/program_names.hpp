// Names of nodes as names of Python.
#pragma once

#include <unordered_map>

#include "program/language.hpp"
#include "program/program_node.hpp"

namespace attn {

// Hands out each name once, and none that Python or a program itself needs.
class ProgramNames {
 public:
  explicit ProgramNames(const Language& language) : language_(language) {}

  // "encoder.norm1" becomes encoder_norm1; "#5", and what has no letter of ASCII, x5, with 5 for `id`; a name that is
  // taken gets a number.
  std::string claim(std::string_view name, std::size_t id);

 private:
  bool reserved(const std::string& name) const;

  const Language& language_;
  std::unordered_map<std::string, std::size_t> taken_;
};

// Whether `c` may stand in a name.
bool in_name(char c);

}  // namespace attn
