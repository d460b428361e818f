// The JavaScript interface of the core. JavaScript can call only what is listed at the end.
//
//   Numbers  are copied as typed arrays. The exception are views of a graph's memory: web/core/graph.ts requests a view
//            again when the memory has grown.
//   Graphs   and generators are passed as handles. JavaScript owns a handle and must call delete().
//   Errors   become a JavaScript Error with the C++ message; the module stays usable after any of them.
#include <emscripten/bind.h>
#include <emscripten/em_js.h>
#include <emscripten/heap.h>

#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"
#include "wasm/random_handle.hpp"

EM_JS_DEPS(bindings, "$count_emval_handles,$UTF8ToString")
EM_JS(void, throw_error, (const char* message), { throw new Error(UTF8ToString(message)); })
EM_JS(int, live_values, (), { return count_emval_handles(); })

namespace attn {

void throw_as_error(const std::string& message) {
  throw_error(message.c_str());
  __builtin_unreachable();
}

namespace {

// The bytes that the module has allocated from the system. Freed memory is reused but never returned.
double memory_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

std::unique_ptr<GraphHandle> create_graph(bool single_precision, bool observe, double max_bytes) {
  return std::make_unique<GraphHandle>(single_precision,
                                       GraphOptions{.observe = observe, .max_bytes = max_bytes_of(max_bytes, "graph")});
}

// seed: one number as np.random.RandomState(n), or several as RandomState([...]).
std::unique_ptr<RandomHandle> create_random_state(js::Numbers seed, bool is_list, double requested_bytes) {
  const auto max_bytes = static_cast<double>(max_bytes_of(requested_bytes, "randomState"));
  std::vector<std::uint32_t> words;
  for (const std::size_t number : sizes_of(seed, "randomState", "seed"))
    words.push_back(static_cast<std::uint32_t>(number));
  if (!is_list && words.size() == 1) return std::make_unique<RandomHandle>(RandomState(words[0]), max_bytes);
  return std::make_unique<RandomHandle>(RandomState(std::span<const std::uint32_t>(words)), max_bytes);
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_playground) {
  using emscripten::class_;
  using emscripten::function;

  emscripten::register_type<js::Text>("string | Uint8Array");
  emscripten::register_type<js::Numbers>("number[]");
  emscripten::register_type<js::Cells>("Float64Array | Float32Array");
  emscripten::register_type<js::Object>("object");
  emscripten::register_type<js::Record>("unknown");

  class_<GraphHandle>("Graph")
      .function("checkLeaf", &Guarded<&GraphHandle::check_leaf>::call)
      .function("leaf", &Guarded<&GraphHandle::leaf>::call)
      .function("apply", &Guarded<&GraphHandle::apply>::call)
      .function("find", &Guarded<&GraphHandle::find>::call)
      .function("describe", &Guarded<&GraphHandle::describe>::call)
      .function("value", &Guarded<&GraphHandle::value>::call)
      .function("gradient", &Guarded<&GraphHandle::gradient>::call)
      .function("edited", &Guarded<&GraphHandle::edited>::call)
      .function("explain", &Guarded<&GraphHandle::explain>::call)
      .function("uses", &Guarded<&GraphHandle::uses>::call)
      .function("set", &Guarded<&GraphHandle::set>::call)
      .function("setCell", &Guarded<&GraphHandle::set_cell>::call)
      .function("reset", &Guarded<&GraphHandle::reset>::call)
#ifndef PLAYGROUND_FLOAT64_ALONE  // labs edit their graphs and do not replay them
      .function("memory", &Guarded<&GraphHandle::memory>::call)
      .function("markTyped", &Guarded<&GraphHandle::mark_typed>::call)
      .function("replayFor", &Guarded<&GraphHandle::replay_for>::call)
      .function("redrawDropout", &Guarded<&GraphHandle::redraw_dropout>::call)
      .function("checkNotSkipped", &Guarded<&GraphHandle::check_not_skipped>::call)
#endif
      .function("address", &Guarded<&GraphHandle::address>::call)
      .function("backward", &Guarded<&GraphHandle::backward>::call)
      .function("truncate", &Guarded<&GraphHandle::truncate>::call)
      .function("size", &Guarded<&GraphHandle::size>::call)
      .function("bytes", &Guarded<&GraphHandle::bytes>::call);
  function("createGraph", &Guarded<&create_graph>::call);

  class_<RandomHandle>("RandomState")
      .function("draw", &Guarded<&RandomHandle::draw>::call)
      .function("permutation", &Guarded<&RandomHandle::permutation>::call)
      .function("words", &Guarded<&RandomHandle::words>::call)
      .function("hasGauss", &Guarded<&RandomHandle::has_gauss>::call);
  function("createRandomState", &Guarded<&create_random_state>::call);

  function("tokenVectors", &Guarded<&token_vectors>::call);
  function("tokenSeed", &Guarded<&token_seed_of>::call);

  function("memoryBytes", &memory_bytes);
  function("liveHandles", &live_handles);
  function("liveValues", &live_values);
}

}  // namespace attn
