// Writes a node as an expression, from the text of its operation in a language.
#include "program/program_expression.hpp"

namespace attn {

ProgramExpression::ProgramExpression(const ProgramNode& node, const std::vector<std::string>& names, ProgramText& text)
    : node_(node), names_(names), text_(text), next_input_(node.inputs.size()) {
  for (const auto& [name, value] : node.attributes)
    if (name.starts_with("has_") && value == Attribute(true)) --next_input_;
}

const Attribute* ProgramExpression::find(std::string_view name) const {
  const auto found = node_.attributes.find(std::string(name));
  return found == node_.attributes.end() ? nullptr : &found->second;
}

void ProgramExpression::add(std::string_view emitter) {
  std::size_t start = 0;  // of the optional part between two bars
  bool inside = false;
  bool is_present = true;
  for (std::size_t i = 0; i < emitter.size(); ++i) {
    if (emitter[i] == '|') {
      if (inside && !is_present) text_.truncate(start);
      start = text_.size();
      inside = !inside;
      is_present = true;
    } else if (emitter[i] == '{') {
      const std::size_t end = emitter.find('}', i);
      if (!add_placeholder(emitter.substr(i + 1, end - i - 1))) is_present = false;
      i = end;
    } else {
      text_.add(emitter.substr(i, 1));
    }
  }
}

// Appends the value of the placeholder `name`; returns false when it is not present.
bool ProgramExpression::add_placeholder(std::string_view name) {
  const char first = name[0];
  if (first >= '0' && first <= '9') {
    const auto input_index = static_cast<std::size_t>(first - '0');
    if (input_index >= node_.inputs.size()) return false;
    text_.add(input(input_index));
  } else if (first == '?' || first == '!') {
    return is_set(name.substr(1)) == (first == '?');
  } else if (name == "inputs") {
    for (std::size_t input_index = 0; input_index < node_.inputs.size(); ++input_index)
      text_.add(input_index > 0 ? ", " : "").add(input(input_index));
  } else if (name == "colons") {
    for (double axis = 0; axis < std::get<double>(*find("axis")); ++axis) text_.add(":, ");
  } else if (const Attribute* has = find("has_" + std::string(name))) {
    if (*has == Attribute(false)) return false;
    text_.add(input(next_input_++));
  } else {
    const Attribute* found = find(name);
    if (!found) return false;
    text_.setting(*found);
  }
  return true;
}

// Whether an attribute is present, true and not empty.
bool ProgramExpression::is_set(std::string_view name) const {
  const Attribute* found = find(name);
  return found && *found != Attribute(false) && *found != Attribute(std::vector<double>());
}

}  // namespace attn
