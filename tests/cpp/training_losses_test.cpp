// Training step for step as PyTorch: tests/training/reference.py made the batches and losses.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "training/trainer.hpp"

namespace {

using attn::Example;
using attn::ModelKind;

nlohmann::json reference() {
  std::ifstream file(std::filesystem::path(PLAYGROUND_GOLDEN_DIR) / "../training/losses.json");
  return nlohmann::json::parse(file);
}

// A task whose examples are those of the batches, one after another.
attn::Task task_of(const nlohmann::json& batches) {
  std::vector<Example> examples;
  for (const auto& batch : batches)
    for (const auto& pair : batch)
      examples.push_back(
          {.source = pair[0].get<std::vector<std::size_t>>(), .target = pair[1].get<std::vector<std::int64_t>>()});
  attn::Task task{.name = "given", .vocabulary = std::vector<std::string>(12), .source_length = 5, .target_length = 5};
  task.models = {ModelKind::encoder, ModelKind::encoder_decoder, ModelKind::decoder, ModelKind::bert};
  task.held_out = {examples[0]};
  task.draw = [examples, next = std::size_t{0}](attn::RandomState&) mutable { return examples.at(next++); };
  return task;
}

}  // namespace

TEST_CASE("twenty steps have the losses of PyTorch") {
  const nlohmann::json read = reference();
  for (const auto& [kind, expected] : read["losses"].items()) {
    INFO(kind);
    const bool is_decoder = kind == "decoder";
    attn::Trainer trainer(
        attn::trainer_options({{"task.name", "given"},
                               {"model.kind", kind},
                               {"model.d_model", "16"},
                               {"model.num_heads", "2"},
                               {"model.d_ff", "32"},
                               {"model.num_layers", "2"},
                               {"model.norm_first", is_decoder ? "true" : "false"},
                               {"model.activation", is_decoder ? "gelu_tanh" : "relu"},
                               {"optimizer.lr", "0.01"},
                               {"optimizer.weight_decay", "0.05"},
                               {"optimizer.no_decay",
                                "bias in_proj_bias norm1.weight norm2.weight norm3.weight norm.weight ln_1.weight "
                                "ln_2.weight ln_f.weight"},
                               {"warmup", "8"},
                               {"batch_size", "4"},
                               {"label_smoothing", "0.1"},
                               {"clip_norm", "1"},
                               {"seed", "5"}},
                              "trainer"),
        task_of(read["batches"]));
    for (std::size_t step = 0; step < expected.size(); ++step) {
      const double loss = expected[step].get<double>();
      INFO("step " << step << ": PyTorch has " << loss);
      CHECK(std::abs(trainer.step().loss - loss) <= (step < 5 ? 1e-4 : 1e-3) * loss);
    }
  }
}
