// A graph as a JavaScript object: one class for both precisions.
#include "wasm/graph_handle.hpp"

#include <emscripten/emscripten.h>

#include "wasm/guarded.hpp"
#include "wasm/operations.hpp"

namespace attn {

using emscripten::val;

namespace {

int handles = 0;

// Converts to the id of a node; an invalid number becomes an id that no node has.
std::size_t id_of(double node) {
  return node >= 0 && node < 4294967295.0 ? static_cast<std::size_t>(node) : std::size_t{4294967295};
}

Content content_of(const val& content) {
  const std::string type = text_of(content["dataType"]);
  if (type == "int32") return {.kind = Content::Kind::ids};
  if (type != "bool") return {};
  const val fill = content["fill"];
  return {.kind = Content::Kind::mask, .fill = fill.isUndefined() ? std::nullopt : std::optional(fill.as<double>())};
}

// The names of data types in JavaScript.
template <typename T>
const char* data_type_of(Content::Kind kind) {
  if (kind == Content::Kind::ids) return "int32";
  if (kind == Content::Kind::mask) return "bool";
  return sizeof(T) == sizeof(float) ? "float32" : "float64";
}

}  // namespace

int live_handles() { return handles; }
void count_handle(int change) { handles += change; }

GraphHandle::GraphHandle(bool single_precision, const GraphOptions& options)
    : graph_("graph", single_precision, options) {
  count_handle(1);
}

GraphHandle::~GraphHandle() { count_handle(-1); }

void GraphHandle::check_leaf(js::Text name, js::Numbers shape) {
  visit([&](auto& graph) {
    // Vectors are drawn in double, whatever the precision of the graph.
    graph.check_memory(cell_count(sizes_of(shape, "leaf", "shape")) * sizeof(double), "leaf");
    graph.check_name(text_of(name), "leaf");
  });
}

double GraphHandle::leaf(js::Text name, js::Numbers shape, js::Cells data, js::Object origin, js::Object content) {
  return visit([&]<typename T>(Graph<T>& graph) {
    const Shape sizes = sizes_of(shape, "leaf", "shape");
    graph.check_memory(cell_count(sizes) * sizeof(T), "leaf");
    const Tensor<T> leaf =
        graph.leaf(text_of(name), array_of<T>(data, sizes, "leaf"), attributes_of(origin), content_of(content));
    return static_cast<double>(leaf.id);
  });
}

js::Record GraphHandle::apply(js::Text operation, js::Object arguments, js::Text name) {
  return visit(
      [&](auto& graph) { return js::Record(apply_operation(graph, text_of(operation), arguments, text_of(name))); });
}

double GraphHandle::find(js::Text operation, js::Text name) {
  return visit([&](auto& graph) { return static_cast<double>(graph.at(text_of(name), text_of(operation)).id); });
}

js::Record GraphHandle::describe(double node) {
  return visit([&]<typename T>(Graph<T>& graph) {
    const Node<T>& stored = graph.node(id_of(node));
    val record = val::object();
    record.set("name", stored.name);
    record.set("op", stored.op ? std::string(stored.op->name()) : std::string("leaf"));
    record.set("inputs", list_of(stored.inputs));
    record.set("shape", list_of(stored.shape));
    record.set("dataType", std::string(data_type_of<T>(stored.content.kind)));
    if (stored.content.fill) record.set("fill", *stored.content.fill);
    record.set("attributes", record_of(stored.op ? stored.op->attributes() : Attributes()));
    record.set("origin", record_of(stored.origin));
    return js::Record(record);
  });
}

js::Cells GraphHandle::value(double node) {
  return visit([&](auto& graph) {
    const auto& value = graph.node(id_of(node)).value;
    return js::Cells(copy_of(value.data(), value.size()));
  });
}

js::Cells GraphHandle::gradient(double node) {
  return visit([&]<typename T>(Graph<T>& graph) {
    const std::size_t id = id_of(node);
    graph.check_gradient(id, "gradient");
    if (const Array<T>* reached = graph.gradient(id)) return js::Cells(copy_of(reached->data(), reached->size()));
    const Shape& shape = graph.node(id).shape;
    graph.check_memory(cell_count(shape) * sizeof(T), "gradient");
    const Array<T> zeros = full<T>(shape, T(0));
    return js::Cells(copy_of(zeros.data(), zeros.size()));
  });
}

js::Record GraphHandle::edited(double node) {
  return visit([&](auto& graph) {
    const auto& stored = graph.node(id_of(node));
    val indices = val::array();
    for (const auto& edit : stored.edited) indices.call<void>("push", list_of(index_at(stored.shape, edit.offset)));
    return js::Record(indices);
  });
}

js::Record GraphHandle::explain(double node, js::Numbers index, bool full) {
  return visit([&](auto& graph) {
    return js::Record(record_of(graph.explain(id_of(node), sizes_of(index, "explain", "index"), {.full = full})));
  });
}

js::Record GraphHandle::uses(double node, js::Numbers index) {
  return visit([&](auto& graph) {
    val uses = val::array();
    for (const CellUse& use : graph.uses(id_of(node), sizes_of(index, "uses", "index"))) {
      val record = val::object();
      record.set("node", use.consumer);
      record.set("from", list_of(use.cells.from));
      record.set("to", list_of(use.cells.to));
      uses.call<void>("push", record);
    }
    return js::Record(uses);
  });
}

js::Numbers GraphHandle::set(double node, js::Cells data) {
  return visit([&]<typename T>(Graph<T>& graph) {
    const std::size_t id = id_of(node);
    const Shape& shape = graph.node(id).shape;
    graph.check_memory(cell_count(shape) * sizeof(T), "set");
    return js::Numbers(list_of(graph.set(id, array_of<T>(data, shape, "set"))));
  });
}

js::Numbers GraphHandle::set_cell(double node, js::Numbers index, double value) {
  return visit([&]<typename T>(Graph<T>& graph) {
    const std::vector<std::size_t> evaluated =
        graph.set_cell(id_of(node), sizes_of(index, "set_cell", "index"), static_cast<T>(value));
    return js::Numbers(list_of(evaluated));
  });
}

js::Numbers GraphHandle::reset(double node) {
  return visit([&](auto& graph) { return js::Numbers(list_of(graph.reset(id_of(node)))); });
}

js::Cells GraphHandle::memory(double node, bool to_write) {
  return visit([&](auto& graph) {
    const std::size_t id = id_of(node);
    const auto& value = graph.node(id).value;
    if (to_write) graph.count_as_written(id);
    return js::Cells(val(emscripten::typed_memory_view(value.size(), value.data())));
  });
}

void GraphHandle::mark_typed(double node) {
  visit([&](auto& graph) { graph.mark_typed(id_of(node)); });
}

void GraphHandle::replay_for(js::Numbers nodes) {
  visit([&](auto& graph) { graph.replay_for(sizes_of(nodes, "replay", "for")); });
}

void GraphHandle::redraw_dropout(double step) {
  visit([&](auto& graph) { graph.redraw_dropout(static_cast<std::uint32_t>(step)); });
}

void GraphHandle::check_not_skipped(double node, js::Text operation) {
  visit([&](auto& graph) { graph.check_not_skipped(id_of(node), text_of(operation)); });
}

#ifndef PLAYGROUND_FLOAT64_ALONE
extern "C" EMSCRIPTEN_KEEPALIVE void graph_replay(GraphHandle* graph) {
  guarded([&] { graph->visit([](auto& nodes) { nodes.replay(); }); });
}
#endif

void GraphHandle::backward(double node, js::Cells gradient, bool parameters_only, bool accumulate) {
  visit([&]<typename T>(Graph<T>& graph) {
    const std::size_t id = id_of(node);
    std::optional<Array<T>> seed;
    if (!gradient.isUndefined()) {
      const Shape& shape = graph.node(id).shape;
      graph.check_memory(cell_count(shape) * sizeof(T), "backward");
      seed = array_of<T>(gradient, shape, "backward");
    }
    graph.backward(id, std::move(seed), {.parameters_only = parameters_only, .accumulate = accumulate});
  });
}

void GraphHandle::truncate(double size) {
  visit([&](auto& graph) { graph.truncate(id_of(size)); });
}

double GraphHandle::size() {
  return visit([](auto& graph) { return static_cast<double>(graph.size()); });
}

double GraphHandle::bytes() {
  return visit([](auto& graph) { return static_cast<double>(graph.bytes()); });
}

}  // namespace attn
