// Names of nodes as Python names.
#pragma once

#include <unordered_map>

#include "program/language.hpp"
#include "program/program_node.hpp"

namespace attn {

// Turns names of nodes into unique Python names. Never returns a name that Python or the program itself uses.
class ProgramNames {
 public:
  explicit ProgramNames(const Language& language) : language_(language) {}

  // "encoder.norm1" becomes encoder_norm1; "#5" and names without ASCII letters become x5, where 5 is `id`; a name
  // that was returned before gets a number appended.
  std::string unique_name(std::string_view name, std::size_t id);

 private:
  bool is_reserved(const std::string& name) const;

  const Language& language_;
  std::unordered_map<std::string, std::size_t> used_;
};

// Whether `c` is allowed in a name.
bool is_name_character(char c);

}  // namespace attn
