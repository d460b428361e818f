// Builds the text of a Python program.
#pragma once

#include "program/program_node.hpp"

namespace attn {

// Every method appends to the text and returns the object.
class ProgramText {
 public:
  explicit ProgramText(Decimal decimal) : decimal_(decimal) {}

  ProgramText& add(std::string_view part);
  ProgramText& integer(std::uint64_t value);
  ProgramText& number(double value);             // "3", "-0.0", "0.1", "-np.inf"
  ProgramText& quoted(std::string_view part);    // a string literal with the value `part`
  ProgramText& shape(const Shape& shape);        // "(2, 3)", "(2,)"
  ProgramText& sizes(const Shape& shape);        // "2, 3"
  ProgramText& setting(const Attribute& value);  // "(0, 2)", "True", or a string without quotes
  ProgramText& array(const Cells& cells);        // a NumPy array of float64: decimals, or bytes for a large one; exact

  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  void truncate(std::size_t size) { text_.resize(size); }

 private:
  void digits(const Cells& cells, bool broken);
  void bytes(const Cells& cells);

  Decimal decimal_;
  std::string text_;
};

}  // namespace attn
