// Tasks as plain data: what they are, their held-out examples, and training examples.
#include <emscripten/bind.h>

#include "training/task.hpp"
#include "wasm/arguments.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

using emscripten::val;

// In the order of Answer.
constexpr const char* kAnswers[] = {"sequence", "label", "masked", "next", "imageClass"};

Task task_of(const val& record) {
  const Arguments arguments("task", record);
  TaskOptions options{.name = arguments.text("name"), .seed = static_cast<std::uint32_t>(arguments.size("seed"))};
  each_task_option(options, [&]<typename Value>(const char* name, std::optional<Value>& option) {
    if (!arguments.has(name)) return;
    if constexpr (std::is_same_v<Value, std::string>) {
      option = arguments.text(name);
    } else {
      option = arguments.size(name);
    }
  });
  return make_task(options);
}

val record_of(const Example& example) {
  val record = val::object();
  record.set("source", list_of(example.source));
  record.set("target", val::array(std::vector<int>(example.target.begin(), example.target.end())));
  if (!example.image.empty()) record.set("image", copy_of(example.image.data(), example.image.size()));
  return record;
}

js::Record describe_task(js::Object options) {
  const Task task = task_of(options);
  val record = val::object();
  record.set("answer", kAnswers[static_cast<std::size_t>(task.answer)]);
  record.set("vocabulary", val::array(task.vocabulary));
  record.set("sourceLength", task.source_length);
  record.set("targetLength", task.target_length);
  if (!task.image.empty()) record.set("imageShape", list_of(task.image));
  val models = val::array();
  for (const ModelKind model : task.models) models.call<void>("push", to_string(model));
  record.set("models", models);
  if (task.training_items) record.set("trainingItems", *task.training_items);
  if (task.unigram_loss) record.set("unigramLoss", *task.unigram_loss);
  val held_out = val::array();
  for (const Example& example : task.held_out) held_out.call<void>("push", record_of(example));
  record.set("heldOut", held_out);
  return js::Record(record);
}

js::Record draw_examples(js::Object options, double count, double seed) {
  const Task task = task_of(options);
  RandomState random(static_cast<std::uint32_t>(seed));
  val examples = val::array();
  for (double drawn = 0; drawn < count; ++drawn) examples.call<void>("push", record_of(task.draw(random)));
  return js::Record(examples);
}

}  // namespace

EMSCRIPTEN_BINDINGS(tasks) {
  emscripten::function("describeTask", &Guarded<&describe_task>::call);
  emscripten::function("drawExamples", &Guarded<&draw_examples>::call);
}

}  // namespace attn
