// Writes a graph as a program in another language.
#include "program/program.hpp"

#include <algorithm>

#include "program/language.hpp"
#include "program/program_expression.hpp"
#include "program/program_leaves.hpp"
#include "program/program_names.hpp"

namespace attn {
namespace {

// The functions that programs in both languages may define.
constexpr Function kShared[] = {
    {"token_vectors", R"(
def token_vectors(tokens, seed, dim):
    seeds = [zlib.crc32(token.encode()) ^ seed for token in tokens]
    return np.stack([np.random.RandomState(own).randn(dim) for own in seeds])
)"},
    {"check", R"(
def check(name, computed, expected):
    computed = np.asarray(computed, dtype=np.float64)
    if computed.shape != expected.shape:
        print(f"{name}: shape {computed.shape}, expected {expected.shape}")
        return False
    same = (computed == expected) | (np.isnan(computed) & np.isnan(expected))
    deviation = np.where(same, 0.0, np.abs(computed - expected))
    size = np.where(np.isfinite(expected), np.abs(expected), 0.0)
    largest = size.max(initial=0.0)
    good = bool(np.all(deviation <= RTOL * size + ATOL * max(1.0, largest)))
    print(f"{name}: largest deviation {deviation.max(initial=0.0):.3g} of numbers up to {largest:.6g}", end="")
    print("" if good else ": too large")
    return good
)"},
};

// Whether `text` calls the function `name`.
bool contains_call(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end < text.size() && text[end] == '(' && (at == 0 || !(is_name_character(text[at - 1]) || text[at - 1] == '.')))
      return true;
  }
  return false;
}

// Adds the definitions of those of `functions` that `text` or an added definition calls.
void define(std::span<const Function> functions, std::string_view text, std::string& defined) {
  std::size_t size;
  do {
    size = defined.size();
    for (const Function& function : functions) {
      if (!contains_call(text, function.name) && !contains_call(defined, function.name)) continue;
      if (defined.find(function.text) != std::string::npos) continue;
      defined += '\n';
      defined += function.text;
    }
  } while (defined.size() > size);
}

// The computed nodes that no other node reads; all leaves, if the graph has only leaves.
std::vector<std::size_t> results(const std::vector<ProgramNode>& nodes) {
  std::vector<bool> read(nodes.size(), false);
  for (const ProgramNode& node : nodes)
    for (std::size_t input : node.inputs) read[input] = true;
  std::vector<std::size_t> operations, leaves;
  for (std::size_t id = 0; id < nodes.size(); ++id)
    if (!read[id]) (nodes[id].op.empty() ? leaves : operations).push_back(id);
  return operations.empty() ? leaves : operations;
}

// Replaces the output of each layer that the language provides by a call of the layer. A layer is written as separate
// steps if a cell inside it was edited by hand.
void replace_layers(const std::vector<LayerCall>& layers, const Language& language, std::vector<ProgramNode>& nodes) {
  for (const LayerCall& layer : layers) {
    if (!language.layer(layer.kind)) continue;
    bool is_unedited = true;
    for (std::size_t id = layer.first; id < layer.output; ++id) {
      const auto is_own_parameter = [&](const auto& parameter) { return parameter.second == id; };
      is_unedited = is_unedited && (nodes[id].edited.empty() ||
                                    std::any_of(layer.parameters.begin(), layer.parameters.end(), is_own_parameter));
    }
    if (!is_unedited) continue;
    ProgramNode& node = nodes[layer.output];
    node.layer = layer.kind;
    node.attributes = layer.options;
    node.inputs = layer.inputs;
    node.parameters = layer.parameters;
  }
}

// Writes a layer with its parameters, then its call.
void write_layer(const ProgramNode& node, const LayerEmitter& layer, const std::string& name, const std::string& object,
                 const std::vector<std::string>& names, ProgramText& body) {
  ProgramExpression expression(node, names, body);
  body.add(object).add(" = ");
  expression.add(layer.make);
  body.add("\n").add(object).add(".load_state_dict({");
  for (const auto& [key, id] : node.parameters) body.add("\n    ").quoted(key).add(": ").add(names[id]).add(",");
  body.add("\n})\n").add(name).add(" = ").add(object);
  expression.add(layer.call);
}

// Writes the requested nodes and all that they depend on, one per line, and the comparison with the graph's numbers.
void write_body(std::vector<ProgramNode>& nodes, const std::vector<std::size_t>& requested,
                const ProgramOptions& options, ProgramText& body) {
  for (std::size_t id : requested) nodes[id].is_needed = true;
  for (std::size_t id = nodes.size(); id-- > 0;) {
    if (!nodes[id].is_needed) continue;
    for (std::size_t input : nodes[id].inputs) nodes[input].is_needed = true;
    for (const auto& [name, parameter] : nodes[id].parameters) nodes[parameter].is_needed = true;
  }

  ProgramNames names(options.language);
  ProgramLeaves leaves(options.language.leaf, body);
  std::vector<std::string> written(nodes.size());
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const ProgramNode& node = nodes[id];
    if (!node.is_needed) continue;
    const std::string& name = written[id] = names.unique_name(node.name, id);
    if (node.op.empty()) {
      leaves.add(node, name);
    } else if (const LayerEmitter* layer = options.language.layer(node.layer)) {
      const bool unnamed = node.name.starts_with('#');
      const std::string object = names.unique_name(unnamed ? "layer" + std::to_string(id) : node.name + "_layer", id);
      write_layer(node, *layer, name, object, written, body);
    } else {
      body.add(name).add(" = ");
      ProgramExpression(node, written, body).add(options.language.text_of(node.op));
    }
    body.add("  # ").shape(*node.cells.shape);
    if (name != node.name && !node.name.starts_with('#')) body.add(", ").quoted(node.name);
    body.add("\n");
    if (node.op.empty()) leaves.add_edits(node, name);
  }
  body.add("\n\ngood = True\n");
  for (std::size_t id : requested) {
    body.add("good &= check(").quoted(nodes[id].name).add(", ").add(written[id]).add(", ");
    body.array(nodes[id].cells).add(")\n");
  }
  body.add("raise SystemExit(0 if good else 1)\n");
}

std::string write(std::vector<ProgramNode>& nodes, const std::vector<LayerCall>& layers,
                  const ProgramOptions& options) {
  if (nodes.empty()) refuse_option("program", "graph", "empty", "one with at least one node");
  const Language& language = options.language;
  // Determined before layers replace their steps, which would then look unused.
  const std::vector<std::size_t> requested = options.nodes.empty() ? results(nodes) : options.nodes;
  replace_layers(layers, language, nodes);
  ProgramText body(options.decimal);
  write_body(nodes, requested, options, body);
  std::string functions;
  define(language.functions, body.text(), functions);
  define(kShared, body.text(), functions);

  const bool single = nodes[0].cells.single_precision;
  ProgramText text(options.decimal);
  text.add("\"\"\"Written from a computation graph: ").add(language.name);
  text.add(
      " computes the same numbers again.\n\nPrints how far the result is from the numbers of the graph, and fails "
      "when that is too far.\n");
  if (single) text.add("The graph holds float32; this computes in float64 and agrees as far as float32 goes.\n");
  text.add("\"\"\"\n\n");
  if (functions.find("math.") != std::string::npos) text.add("import math\n");
  if (functions.find("zlib.") != std::string::npos) text.add("import zlib\n");
  text.add(language.opening).add(single ? "\nRTOL, ATOL = 1e-4, 1e-5\n" : "\nRTOL, ATOL = 1e-9, 1e-12\n");
  text.add("np.seterr(all=\"ignore\")  # infinities are meant: the score of a hidden key\n");
  return text.add(functions).add("\n\n").add(body.text()).text();
}

}  // namespace

template <typename T>
std::string program(const Graph<T>& graph, const ProgramOptions& options) {
  graph.check_evaluated("program");
  for (std::size_t id : options.nodes) graph.node(id);
  std::vector<ProgramNode> nodes(graph.size());
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const Node<T>& from = graph.node(id);
    ProgramNode& node = nodes[id];
    node.name = from.name;
    node.inputs = from.inputs;
    node.attributes = from.op ? from.op->attributes() : from.origin;
    if (from.op) node.op = from.op->name();
    node.cells.shape = &from.shape;
    node.cells.count = from.value.size();
    if constexpr (std::is_same_v<T, float>) {
      node.cells.single_precision = from.value.data();
    } else {
      node.cells.double_precision = from.value.data();
    }
    for (const Edit<T>& edit : from.edited) node.edited.push_back({edit.offset, edit.original});
  }
  return write(nodes, graph.layers(), options);
}

template std::string program(const Graph<float>&, const ProgramOptions&);
template std::string program(const Graph<double>&, const ProgramOptions&);

}  // namespace attn
