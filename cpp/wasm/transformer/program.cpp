// Graphs as programs in other languages.
#include "program/program.hpp"

#include <emscripten/bind.h>

#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

using emscripten::val;

// Formats a number as JavaScript does: the shortest text that reads back as the same number.
std::string decimal(double value) { return text_of(val::global("String")(value)); }

const Language& language_named(const std::string& name) {
  if (name == "numpy") return numpy_language();
  if (name == "pytorch") return torch_language();
  refuse_option("program", "language", "\"" + name + "\"", "\"numpy\" or \"pytorch\"");
}

// The text of a program that computes `nodes` or, if there are none, the results of the graph.
std::string program_of(GraphHandle& handle, js::Text language, js::Numbers nodes) {
  return handle.visit([&](auto& graph) {
    return program(graph, {.language = language_named(text_of(language)),
                           .nodes = sizes_of(nodes, "program", "nodes"),
                           .decimal = decimal});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(program) { emscripten::function("program", &Guarded<&program_of>::call); }

}  // namespace attn
