// A trainer as a JavaScript object.
#include <emscripten/bind.h>

#include <memory>
#include <type_traits>

#include "training/presets.hpp"
#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"
#include "wasm/transformer/file_bytes.hpp"

namespace attn {
namespace {

using emscripten::val;

// { "model.d_model": "64" }
Metadata texts_of(const val& record) {
  Metadata texts;
  each_entry(record, [&](const std::string& name, const val& text) { texts.emplace(name, text_of(text)); });
  return texts;
}

val record_of_texts(const Metadata& texts) {
  val record = val::object();
  for (const auto& [name, text] : texts) record.set(name, text);
  return record;
}

// The options of a preset, if one is named, with those that are given in their place.
TrainerOptions options_of(const std::string& preset, const val& given) {
  Metadata texts = texts_of(given);
  if (!preset.empty()) {
    const Metadata& own = preset_options(preset);
    texts.insert(own.begin(), own.end());
  }
  return trainer_options(texts, "trainer");
}

// { source, image, start }
Example example_of(const val& record, std::string_view operation) {
  Example example{.source = sizes_of(record["source"], operation, "source")};
  example.image = numbers_of(record["image"]);
  const std::vector<std::size_t> start = sizes_of(record["start"], operation, "start");
  example.target.assign(start.begin(), start.end());
  return example;
}

// { temperature, seed }
Choice choice_of(const val& record) {
  return {.temperature = record["temperature"].as<double>(),
          .seed = static_cast<std::uint32_t>(record["seed"].as<double>())};
}

// What `use` returns for the graph. Throws InputError naming `operation` unless it is one of float64.
template <typename Use>
auto with_float64(GraphHandle& graph, std::string_view operation, Use use) {
  return graph.visit([&]<typename T>(Graph<T>& nodes) -> std::invoke_result_t<Use&, Graph<double>&> {
    if constexpr (std::is_same_v<T, double>) return use(nodes);
    refuse_option(operation, "graph", "float32", "a graph of float64");
  });
}

// Owned by JavaScript, which must call delete().
class TrainerHandle {
 public:
  TrainerHandle(const TrainerOptions& options, std::uint64_t max_bytes) : trainer_(options, max_bytes) {
    count_handle(1);
  }
  ~TrainerHandle() { count_handle(-1); }
  TrainerHandle(const TrainerHandle&) = delete;
  TrainerHandle& operator=(const TrainerHandle&) = delete;

  js::Record options() { return js::Record(record_of_texts(described(trainer_.options()))); }
  double steps() { return static_cast<double>(trainer_.steps()); }

  js::Record step() {
    const TrainingStep made = trainer_.step();
    val record = val::object();
    record.set("step", steps());
    record.set("loss", made.loss);
    record.set("lr", made.lr);
    record.set("gradientNorm", made.gradient_norm);
    return js::Record(record);
  }

  js::Record evaluate() {
    const Evaluation made = trainer_.evaluate();
    val record = val::object();
    record.set("loss", made.loss);
    record.set("accuracy", made.accuracy);
    record.set("examples", static_cast<double>(made.examples));
    return js::Record(record);
  }

  js::Record predict(js::Object asked, js::Object choice) {
    return js::Record(list_of(trainer_.predict(example_of(asked, "predict"), choice_of(choice))));
  }

  // The ids of the nodes of the logits and the loss, and the answers to the examples.
  js::Record observe(GraphHandle& graph, js::Object asked, js::Object choice) {
    std::vector<Example> examples;
    each_of(asked, [&](const val& one) { examples.push_back(example_of(one, "observe")); });
    const Observed made = with_float64(graph, "observe", [&](Graph<double>& nodes) {
      return trainer_.observe(nodes, std::move(examples), choice_of(choice));
    });
    val record = val::object();
    record.set("logits", static_cast<double>(made.model.logits.id));
    record.set("loss", static_cast<double>(made.model.loss.id));
    val answers = val::array();
    for (const Example& example : made.examples)
      answers.call<void>("push", list_of(std::vector<std::size_t>(example.target.begin(), example.target.end())));
    record.set("answers", answers);
    return js::Record(record);
  }

  // The id of the node of the move.
  double observe_move(GraphHandle& graph, js::Text name) {
    return with_float64(graph, "observe_move", [&](Graph<double>& nodes) {
      return static_cast<double>(trainer_.observe_move(nodes, text_of(name)).id);
    });
  }

  // The id of the node of the logits.
  double observe_cached(GraphHandle& graph, js::Object asked, js::Object answer) {
    return with_float64(graph, "observe_cached", [&](Graph<double>& nodes) {
      return static_cast<double>(
          trainer_
              .observe_cached(nodes, example_of(asked, "observe_cached"), sizes_of(answer, "observe_cached", "answer"))
              .id);
    });
  }

  js::Record norms(js::Object names) {
    std::vector<std::string> listed;
    each_of(names, [&](const val& name) { listed.push_back(name.as<std::string>()); });
    const Norms made = trainer_.norms(listed);
    val record = val::object();
    record.set("value", made.value);
    record.set("gradient", made.gradient);
    record.set("update", made.update);
    return js::Record(record);
  }

  js::Record names() {
    val names = val::array();
    for (const std::size_t id : trainer_.graph().parameters()) names.call<void>("push", trainer_.graph().node(id).name);
    return js::Record(names);
  }

  // { shape, data } of a parameter, or of its gradient; undefined for a gradient before the first step.
  js::Record tensor(js::Text name, bool gradient) {
    const Tensor<float> node = trainer_.parameter(text_of(name));
    const Array<float>* array = gradient ? trainer_.gradient(text_of(name)) : &node.value();
    if (array == nullptr) return js::Record(val::undefined());
    val record = val::object();
    record.set("shape", list_of(node.shape()));
    record.set("data", copy_of(array->data(), array->size()));
    return js::Record(record);
  }

  void reset() { trainer_.reset(); }

  js::FileBytes save() { return copied(trainer_.save()); }

  void load(js::FileBytes file) { trainer_.load(bytes_of(file, "load")); }

 private:
  Trainer trainer_;
};

std::unique_ptr<TrainerHandle> create_trainer(js::Text preset, js::Object options, double max_bytes) {
  return std::make_unique<TrainerHandle>(options_of(text_of(preset), options), max_bytes_of(max_bytes, "trainer"));
}

js::Record preset_names() {
  val names = val::array();
  for (const Preset& preset : presets()) names.call<void>("push", preset.name);
  return js::Record(names);
}

}  // namespace

EMSCRIPTEN_BINDINGS(trainer) {
  emscripten::class_<TrainerHandle>("Trainer")
      .function("options", &Guarded<&TrainerHandle::options>::call)
      .function("steps", &Guarded<&TrainerHandle::steps>::call)
      .function("step", &Guarded<&TrainerHandle::step>::call)
      .function("evaluate", &Guarded<&TrainerHandle::evaluate>::call)
      .function("predict", &Guarded<&TrainerHandle::predict>::call)
      .function("observe", &Guarded<&TrainerHandle::observe>::call)
      .function("observeMove", &Guarded<&TrainerHandle::observe_move>::call)
      .function("observeCached", &Guarded<&TrainerHandle::observe_cached>::call)
      .function("norms", &Guarded<&TrainerHandle::norms>::call)
      .function("names", &Guarded<&TrainerHandle::names>::call)
      .function("tensor", &Guarded<&TrainerHandle::tensor>::call)
      .function("reset", &Guarded<&TrainerHandle::reset>::call)
      .function("save", &Guarded<&TrainerHandle::save>::call)
      .function("load", &Guarded<&TrainerHandle::load>::call);
  emscripten::function("createTrainer", &Guarded<&create_trainer>::call);
  emscripten::function("presetNames", &Guarded<&preset_names>::call);
}

}  // namespace attn
