// The leaves of a program: each by its origin, typed, drawn again or looked up, with what was changed by hand on top.
#pragma once

#include "program/language.hpp"
#include "program/program_text.hpp"

namespace attn {

// Writes leaves in their order: draws that follow each other in one stream share a generator.
class ProgramLeaves {
 public:
  ProgramLeaves(std::string_view wrapper, ProgramText& text) : wrapper_(wrapper), text_(text) {}

  // "name = " and the leaf; before it what it needs.
  void add(const ProgramNode& node, const std::string& name);

  // "name[0, 1] = 2" for every cell changed by hand, unless the leaf was written with them.
  void add_edits(const ProgramNode& node, const std::string& name);

 private:
  void add_generator(const Attributes& origin);
  void add_draw(const ProgramNode& node);
  void add_numbers(const ProgramNode& node);

  std::string_view wrapper_;  // Language::leaf
  ProgramText& text_;
  Attribute seed_;     // of the generator that is open
  std::string place_;  // what it has drawn, as a leaf says it: "randn(6); randint(0, 3, 9)"
};

}  // namespace attn
