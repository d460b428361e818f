// Runs that are known to learn.
#include "training/presets.hpp"

#include <algorithm>

namespace attn {
namespace {

// What most presets share: pre-norm, which trains without a long warm-up, gradients of a norm of at most 1, and a rate
// that falls along a cosine.
Preset preset(std::string name, Metadata own) {
  Metadata options{{"task.name", name},
                   {"model.norm_first", "true"},
                   {"clip_norm", "1"},
                   {"warmup", "50"},
                   {"schedule", "cosine"},
                   {"optimizer.lr", "0.002"},
                   {"optimizer.no_decay",
                    "bias in_proj_bias norm1.weight norm2.weight norm3.weight norm.weight ln_1.weight "
                    "ln_2.weight ln_f.weight"}};
  for (auto& [option, text] : own) options.insert_or_assign(option, std::move(text));
  return {std::move(name), std::move(options)};
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all{
      preset("copy", {{"model.kind", "encoderDecoder"}, {"steps", "1500"}}),
      // All sources are equally long, so that each place always looks at the same other one.
      preset("reverse", {{"task.shortest", "8"}, {"steps", "1000"}}),
      preset("sort", {{"optimizer.lr", "0.003"}, {"steps", "2500"}}),
      // A causal model counts what is open before each place. A model that sees the whole sequence learns this much later.
      preset("parentheses", {{"model.kind", "decoder"}, {"model.d_ff", "128"}, {"steps", "2000"}}),
      // Only the decay makes the model give up what it has learned by heart for a rule that holds for all pairs.
      preset("modular-addition", {{"model.num_layers", "1"},
                                  {"optimizer.lr", "0.003"},
                                  {"optimizer.weight_decay", "1"},
                                  {"schedule", "constant"},
                                  {"warmup", "10"},
                                  {"batch_size", "128"},
                                  {"steps", "5000"}}),
      preset("translation", {{"model.kind", "encoderDecoder"}, {"steps", "1000"}}),
      preset("shapes",
             {{"model.kind", "visionTransformer"}, {"model.d_model", "32"}, {"model.d_ff", "128"}, {"steps", "3500"}}),
      preset("text", {{"model.kind", "decoder"}, {"model.dropout", "0.1"}, {"steps", "1500"}}),
      preset("masked-token", {{"steps", "2000"}}),
  };
  return all;
}

const Metadata& preset_options(std::string_view name) {
  const auto found =
      std::find_if(presets().begin(), presets().end(), [&](const Preset& one) { return one.name == name; });
  if (found != presets().end()) return found->options;
  std::vector<std::string> names;
  for (const Preset& one : presets()) names.push_back(one.name);
  refuse_option("trainer", "preset", "\"" + std::string(name) + "\"", "one of " + listed(names));
}

}  // namespace attn
