// Writes the leaves of a program according to their origin: typed, drawn again or looked up, followed by edits by
// hand.
#include "program/program_leaves.hpp"

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t kEditsAtMost = 32;  // edited cells that are written one by one

const Attribute* find(const Attributes& origin, const char* name) {
  const auto found = origin.find(name);
  return found == origin.end() ? nullptr : &found->second;
}

// A string attribute of an origin; empty when it is absent.
std::string_view text_attribute(const Attributes& origin, const char* name) {
  const Attribute* found = find(origin, name);
  const std::string* value = found ? std::get_if<std::string>(found) : nullptr;
  return value ? std::string_view(*value) : std::string_view();
}

// Appends `call` with `count` numbers to `calls`; consecutive calls of one kind are merged.
void append_call(std::string& calls, std::string_view call, std::uint64_t count) {
  const std::size_t last = calls.rfind(';');
  const std::size_t start = last == std::string::npos ? 0 : last + 2;
  if (calls.compare(start, call.size(), call) == 0) {
    std::uint64_t before = 0;
    for (std::size_t i = start + call.size(); i + 1 < calls.size(); ++i)
      before = 10 * before + static_cast<std::uint64_t>(calls[i] - '0');
    calls.resize(start);
    count += before;
  } else if (!calls.empty()) {
    calls += "; ";
  }
  calls += call;
  calls += std::to_string(count);
  calls += ')';
}

}  // namespace

// Writes a generator at the stream position at which a leaf was drawn, unless the current generator is at this
// position.
void ProgramLeaves::add_generator(const Attributes& origin) {
  const Attribute& seed = origin.at("seed");
  const std::string_view skip = text_attribute(origin, "skip");
  if (seed == seed_ && skip == calls_) return;
  text_.add("random = np.random.RandomState(").setting(seed).add(")\n");
  for (std::size_t start = 0; start < skip.size();) {
    const std::size_t end = std::min(skip.find(';', start), skip.size());
    text_.add("random.").add(skip.substr(start, end - start)).add("  # other draws come first\n");
    start = end + 2;
  }
  seed_ = seed;
  calls_ = skip;
}

void ProgramLeaves::add_draw(const ProgramNode& node) {
  const Attributes& origin = node.attributes;
  const Shape& shape = *node.cells.shape;
  const std::string_view method = text_attribute(origin, "method");
  const bool normal = method == "randn";
  text_.add("random.");
  const std::size_t call = text_.size();
  text_.add(method).add("(");
  if (!normal) text_.setting(origin.at("low")).add(", ").setting(origin.at("high")).add(", ");
  append_call(calls_, std::string_view(text_.text()).substr(call), node.cells.count);
  if (shape.empty()) {
    text_.add("1).reshape(()");
  } else if (normal) {
    text_.sizes(shape);
  } else {
    text_.shape(shape);
  }
  text_.add(")");
  if (method == "randint") text_.add(".astype(np.float64)");
  if (const Attribute* divisor = find(origin, "divisor")) {
    if (*divisor != Attribute(1.0)) text_.add(" / ").setting(*divisor);
  } else if (const Attribute* root_of = find(origin, "sqrtDivisor")) {
    text_.add(" / np.sqrt(").setting(*root_of).add(")");
  }
}

void ProgramLeaves::add_numbers(const ProgramNode& node) {
  const Attributes& origin = node.attributes;
  const std::string_view rule = text_attribute(origin, "causal");
  const Shape& shape = *node.cells.shape;
  if (rule.empty() || shape.size() != 2) {
    Cells cells = node.cells;
    if (node.edited.size() <= kEditsAtMost) cells.edits = &node.edited;
    text_.array(cells);
    return;
  }
  text_.add("np.tri(").sizes(shape);  // a key is visible up to a diagonal
  if (rule == "bottom_right") text_.add(", ").integer(shape[1]).add(" - ").integer(shape[0]);
  text_.add(")");
}

void ProgramLeaves::add(const ProgramNode& node, const std::string& name) {
  const Attributes& origin = node.attributes;
  const bool one_by_one = node.edited.size() <= kEditsAtMost;
  const std::string_view kind = one_by_one ? text_attribute(origin, "kind") : std::string_view();
  const bool drawn = kind == "draw";
  const bool looked_up = kind == "token_vectors";
  if (drawn) add_generator(origin);
  const std::size_t placeholder = wrapper_.find("{0}");
  text_.add(name).add(" = ").add(wrapper_.substr(0, placeholder));
  const bool rounded =
      node.cells.single_precision && (drawn || looked_up);  // drawn in double, stored in single precision
  if (rounded) text_.add("(");
  if (drawn) {
    add_draw(node);
  } else if (looked_up) {
    text_.add("token_vectors(").setting(origin.at("tokens")).add(", seed=").setting(origin.at("seed"));
    text_.add(", dim=").setting(origin.at("dim")).add(")");
  } else {
    add_numbers(node);
  }
  if (rounded) text_.add(").astype(np.float32).astype(np.float64)");
  text_.add(wrapper_.substr(placeholder + 3));
}

void ProgramLeaves::add_edits(const ProgramNode& node, const std::string& name) {
  if (node.edited.size() > kEditsAtMost) return;
  for (const Edit<double>& edit : node.edited) {
    text_.add(name).add("[").sizes(index_at(*node.cells.shape, edit.offset));
    if (node.cells.shape->empty()) text_.add("()");
    text_.add("] = ").number(node.cells[edit.offset]).add("  # changed by hand\n");
  }
}

}  // namespace attn
