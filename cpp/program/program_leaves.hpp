// Writes the leaves of a program according to their origin: typed, drawn again or looked up, followed by edits by
// hand.
#pragma once

#include "program/language.hpp"
#include "program/program_text.hpp"

namespace attn {

// Writes leaves in order; consecutive draws from one stream share a generator.
class ProgramLeaves {
 public:
  ProgramLeaves(std::string_view wrapper, ProgramText& text) : wrapper_(wrapper), text_(text) {}

  // Writes "name = " and the leaf, after the lines that it needs.
  void add(const ProgramNode& node, const std::string& name);

  // Writes "name[0, 1] = 2" for every edited cell, unless the leaf was written with its edited numbers.
  void add_edits(const ProgramNode& node, const std::string& name);

 private:
  void add_generator(const Attributes& origin);
  void add_draw(const ProgramNode& node);
  void add_numbers(const ProgramNode& node);

  std::string_view wrapper_;  // Language::leaf
  ProgramText& text_;
  Attribute seed_;     // of the open generator
  std::string calls_;  // that it has made so far, in the form of a leaf's origin: "randn(6); randint(0, 3, 9)"
};

}  // namespace attn
