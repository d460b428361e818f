// Writes a node as an expression, from the text of its operation in a language.
#pragma once

#include "program/program_text.hpp"

namespace attn {

// Writes the expression of one node, or the construction and call of one layer.
class ProgramExpression {
 public:
  // Appends to `text`; `names` are the names of all nodes.
  ProgramExpression(const ProgramNode& node, const std::vector<std::string>& names, ProgramText& text);

  // Appends the text of an OperationText with its placeholders replaced.
  void add(std::string_view emitter);

 private:
  bool add_placeholder(std::string_view name);
  bool is_set(std::string_view name) const;
  const Attribute* find(std::string_view name) const;
  const std::string& input(std::size_t input_index) const { return names_[node_.inputs[input_index]]; }

  const ProgramNode& node_;
  const std::vector<std::string>& names_;
  ProgramText& text_;
  std::size_t next_input_;  // the next optional input
};

}  // namespace attn
