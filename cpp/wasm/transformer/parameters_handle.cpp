// Parameters as a JavaScript object: one class for both precisions.
#include "wasm/transformer/parameters_handle.hpp"

#include <emscripten/bind.h>

#include "wasm/guarded.hpp"
#include "wasm/transformer/model_parameters.hpp"

namespace attn {

using emscripten::val;

ParametersHandle::ParametersHandle(bool single_precision, std::uint64_t max_bytes)
    : parameters_("parameters", single_precision, max_bytes) {
  count_handle(1);
}

ParametersHandle::~ParametersHandle() { count_handle(-1); }

namespace {

// Copies the numbers of a typed array, after checking that they fit beside `parameters`.
template <typename Number, typename T>
Array<Number> checked_array(const Parameters<T>& parameters, const val& data, const val& shape, const char* operation) {
  const Shape sizes = sizes_of(shape, operation, "shape");
  parameters.check_memory(static_cast<double>(cell_count(sizes)) * sizeof(Number), operation);
  return array_of<Number>(data, sizes, operation);
}

}  // namespace

void ParametersHandle::add(js::Text name, js::Numbers shape, js::Cells data) {
  visit([&]<typename T>(Parameters<T>& parameters) {
    parameters.add(text_of(name), checked_array<T>(parameters, data, shape, "add"));
  });
}

void ParametersHandle::draw(js::Text layer, js::Object sizes, double seed, js::Text prefix) {
  const std::string name = text_of(layer);
  const std::string name_prefix = text_of(prefix);
  visit([&](auto& parameters) {
    ParameterSpecs specs = parameters_of(name, Arguments("draw", sizes), parameters);
    for (ParameterSpec& spec : specs) spec.name.insert(0, name_prefix);
    parameters.draw(specs, static_cast<std::uint32_t>(seed));
  });
}

js::Record ParametersHandle::names() {
  return visit([](auto& parameters) {
    val names = val::array();
    for (const auto& parameter : parameters.list()) names.call<void>("push", parameter.name);
    return js::Record(names);
  });
}

js::Record ParametersHandle::describe(js::Text name) {
  return visit([&](auto& parameters) {
    const auto& parameter = parameters.at(text_of(name));
    val record = val::object();
    record.set("shape", list_of(shape_of(parameter.value)));
    record.set("origin", record_of(parameter.origin));
    record.set("hasGradient", parameter.gradient.has_value());
    return js::Record(record);
  });
}

js::Cells ParametersHandle::value(js::Text name) {
  return visit([&](auto& parameters) {
    const auto& value = parameters.at(text_of(name)).value;
    return js::Cells(copy_of(value.data(), value.size()));
  });
}

js::Cells ParametersHandle::gradient(js::Text name) {
  return visit([&](auto& parameters) {
    const auto& parameter = parameters.at(text_of(name));
    if (!parameter.gradient)
      refuse_option("gradient", "name", "\"" + parameter.name + "\"", "a parameter that has a gradient");
    return js::Cells(copy_of(parameter.gradient->data(), parameter.gradient->size()));
  });
}

void ParametersHandle::set(js::Text name, js::Numbers shape, js::Cells data) {
  visit([&]<typename T>(Parameters<T>& parameters) {
    parameters.set(text_of(name), checked_array<T>(parameters, data, shape, "set"));
  });
}

void ParametersHandle::load(js::Object arrays) {
  visit([&](auto& parameters) {
    std::vector<ArraySource> sources;
    const auto count = arrays["length"].as<unsigned>();
    for (unsigned i = 0; i < count; ++i) {
      const val array = arrays[i];
      Shape shape = sizes_of(array["shape"], "loadStateDict", "shape");
      const auto read = [data = array["data"], shape](std::span<double> numbers) {
        copy_cells(data, shape, "loadStateDict", numbers.data());
      };
      sources.push_back({text_of(array["name"]), std::move(shape), read});
    }
    parameters.load(std::span<const ArraySource>(sources), "loadStateDict");
  });
}

void ParametersHandle::zero_grad() {
  visit([](auto& parameters) { parameters.zero_grad(); });
}

double ParametersHandle::count() {
  return visit([](auto& parameters) { return static_cast<double>(parameters.count()); });
}

double ParametersHandle::bytes() {
  return visit([](auto& parameters) { return static_cast<double>(parameters.bytes()); });
}

namespace {

// Calls `work` with parameters and graph, which must have the same precision; JavaScript has checked that.
template <typename Work>
void with_both(ParametersHandle& handle, GraphHandle& graph, Work work) {
  handle.visit([&]<typename P>(Parameters<P>& parameters) {
    graph.visit([&]<typename G>(Graph<G>& nodes) {
      if constexpr (std::is_same_v<P, G>) work(parameters, nodes);
    });
  });
}

}  // namespace

js::Numbers ParametersHandle::leaves(GraphHandle& graph, js::Text prefix) {
  std::vector<std::size_t> ids;
  const std::string name_prefix = text_of(prefix);
  with_both(*this, graph, [&](auto& parameters, auto& nodes) {
    const std::size_t size = nodes.size();
    try {
      for (const auto& parameter : parameters.list()) {
        nodes.check_memory(parameter.value.size() * sizeof(*parameter.value.data()), "stateDict");
        ids.push_back(nodes.parameter(name_prefix + parameter.name, parameter.value, parameter.origin).id);
      }
    } catch (...) {
      nodes.truncate(size);
      throw;
    }
  });
  return js::Numbers(list_of(ids));
}

void ParametersHandle::read_leaves(GraphHandle& graph, js::Numbers leaves) {
  const std::vector<std::size_t> ids = sizes_of(leaves, "updateParameters", "leaves");
  with_both(*this, graph, [&](auto& parameters, auto& nodes) {
    for (std::size_t i = 0; i < ids.size(); ++i) parameters.set(parameters.list()[i].name, nodes.node(ids[i]).value);
  });
}

void ParametersHandle::add_gradients(GraphHandle& graph, js::Numbers leaves) {
  const std::vector<std::size_t> ids = sizes_of(leaves, "addGradients", "leaves");
  with_both(*this, graph, [&](auto& parameters, auto& nodes) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto& leaf = nodes.node(ids[i]);
      if (leaf.gradient) parameters.add_gradient(parameters.list()[i].name, *leaf.gradient);
    }
  });
}

namespace {

std::unique_ptr<ParametersHandle> create_parameters(bool single_precision, double max_bytes) {
  return std::make_unique<ParametersHandle>(single_precision, max_bytes_of(max_bytes, "parameters"));
}

}  // namespace

EMSCRIPTEN_BINDINGS(parameters) {
  emscripten::class_<ParametersHandle>("Parameters")
      .function("add", &Guarded<&ParametersHandle::add>::call)
      .function("draw", &Guarded<&ParametersHandle::draw>::call)
      .function("names", &Guarded<&ParametersHandle::names>::call)
      .function("describe", &Guarded<&ParametersHandle::describe>::call)
      .function("value", &Guarded<&ParametersHandle::value>::call)
      .function("gradient", &Guarded<&ParametersHandle::gradient>::call)
      .function("set", &Guarded<&ParametersHandle::set>::call)
      .function("load", &Guarded<&ParametersHandle::load>::call)
      .function("zeroGrad", &Guarded<&ParametersHandle::zero_grad>::call)
      .function("count", &Guarded<&ParametersHandle::count>::call)
      .function("bytes", &Guarded<&ParametersHandle::bytes>::call)
      .function("leaves", &Guarded<&ParametersHandle::leaves>::call)
      .function("readLeaves", &Guarded<&ParametersHandle::read_leaves>::call)
      .function("addGradients", &Guarded<&ParametersHandle::add_gradients>::call);
  emscripten::function("createParameters", &Guarded<&create_parameters>::call);
}

}  // namespace attn
