// Names of nodes as Python names.
#pragma once

#include <unordered_map>

#include "program/language.hpp"
#include "program/program_node.hpp"

namespace attn {

// Returns each name only once, and no name that Python or a program itself uses.
class ProgramNames {
 public:
  explicit ProgramNames(const Language& language) : language_(language) {}

  // "encoder.norm1" becomes encoder_norm1; "#5" and names without ASCII letters become x5, where 5 is `id`; a name
  // that is taken gets a number appended.
  std::string claim(std::string_view name, std::size_t id);

 private:
  bool reserved(const std::string& name) const;

  const Language& language_;
  std::unordered_map<std::string, std::size_t> taken_;
};

// Whether `c` is allowed in a name.
bool in_name(char c);

}  // namespace attn
