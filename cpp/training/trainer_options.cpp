// The options of a trainer as texts, for metadata and messages.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "training/trainer.hpp"

namespace attn {
namespace {

constexpr std::array<std::pair<std::string_view, ModelKind>, 6> kKinds{
    {{"encoder", ModelKind::encoder},
     {"decoder", ModelKind::decoder},
     {"encoderDecoder", ModelKind::encoder_decoder},
     {"visionTransformer", ModelKind::vision_transformer},
     {"convolution", ModelKind::convolution},
     {"bert", ModelKind::bert}}};
constexpr std::array<std::pair<std::string_view, Activation>, 3> kActivations{
    {{"relu", Activation::relu}, {"gelu_erf", Activation::gelu_erf}, {"gelu_tanh", Activation::gelu_tanh}}};
constexpr std::array<std::pair<std::string_view, Schedule>, 3> kSchedules{
    {{"constant", Schedule::constant}, {"cosine", Schedule::cosine}, {"noam", Schedule::noam}}};

const auto& words_of(ModelKind) { return kKinds; }
const auto& words_of(Activation) { return kActivations; }
const auto& words_of(Schedule) { return kSchedules; }

template <typename Value>
concept Named = requires(Value value) { words_of(value); };

// Calls visit(name, option) with every option. One list serves reading and writing.
template <typename Options, typename Visit>
void each_option(Options& options, Visit visit) {
  visit("task.name", options.task.name);
  visit("task.seed", options.task.seed);
  each_task_option(options.task, [&](const std::string& name, auto& option) { visit("task." + name, option); });
  visit("model.kind", options.model.kind);
  visit("model.d_model", options.model.d_model);
  visit("model.num_heads", options.model.num_heads);
  visit("model.num_layers", options.model.num_layers);
  visit("model.d_ff", options.model.d_ff);
  visit("model.activation", options.model.activation);
  visit("model.norm_first", options.model.norm_first);
  visit("model.residual", options.model.residual);
  visit("model.norm", options.model.norm);
  visit("model.unscaled", options.model.unscaled);
  visit("model.positions", options.model.positions);
  visit("model.scale_embedding", options.model.scale_embedding);
  visit("model.dropout", options.model.dropout);
  visit("model.patch", options.model.patch);
  visit("optimizer.kind", options.optimizer.kind);
  visit("optimizer.lr", options.optimizer.lr);
  visit("optimizer.beta1", options.optimizer.beta1);
  visit("optimizer.beta2", options.optimizer.beta2);
  visit("optimizer.eps", options.optimizer.eps);
  visit("optimizer.weight_decay", options.optimizer.weight_decay);
  visit("optimizer.no_decay", options.optimizer.no_decay);
  visit("schedule", options.schedule);
  visit("warmup", options.warmup);
  visit("steps", options.steps);
  visit("min_lr", options.min_lr);
  visit("batch_size", options.batch_size);
  visit("accumulate", options.accumulate);
  visit("label_smoothing", options.label_smoothing);
  visit("clip_norm", options.clip_norm);
  visit("seed", options.seed);
}

// The shortest decimal that reads back as the same number. std::to_chars would bring tables of 100 KB along.
std::string shortest_text(double value) {
  std::array<char, 32> text;
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    if (std::strtod(text.data(), nullptr) == value) break;
  }
  return text.data();
}

template <typename Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    std::string list;
    for (const std::string& word : value) list += (list.empty() ? "" : " ") + word;
    return list;
  } else if constexpr (Named<Value>) {
    for (const auto& [word, named] : words_of(value))
      if (named == value) return std::string(word);
    return {};
  } else if constexpr (std::is_same_v<Value, double>) {
    return shortest_text(value);
  } else {
    return std::to_string(value);
  }
}

// Reads one option from its text.
class OptionText {
 public:
  OptionText(std::string_view operation, std::string_view name, const std::string& text)
      : operation_(operation), name_(name), text_(text) {}

  template <typename Value>
  void read(Value& value) const {
    if constexpr (std::is_same_v<Value, std::string>) {
      value = text_;
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (text_ != "true" && text_ != "false") refuse("true or false");
      value = text_ == "true";
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      value.clear();
      for (std::size_t start = 0; start < text_.size();) {
        const std::size_t end = std::min(text_.find(' ', start), text_.size());
        if (end > start) value.push_back(text_.substr(start, end - start));
        start = end + 1;
      }
    } else if constexpr (Named<Value>) {
      read_word(value);
    } else if constexpr (std::is_same_v<Value, double>) {
      char* end = nullptr;
      value = std::strtod(text_.c_str(), &end);
      if (text_.empty() || end != text_.c_str() + text_.size()) refuse("a number");
    } else {
      const char* last = text_.data() + text_.size();
      const auto [end, error] = std::from_chars(text_.data(), last, value);
      if (error != std::errc() || end != last)
        refuse("a whole number from 0 to " + std::to_string(std::numeric_limits<Value>::max()));
    }
  }

  template <typename Value>
  void read(std::optional<Value>& value) const {
    read(value.emplace());
  }

 private:
  template <typename Value>
  void read_word(Value& value) const {
    std::vector<std::string> words;
    for (const auto& [word, named] : words_of(value)) {
      words.emplace_back(word);
      if (word == text_) value = named;
    }
    if (std::find(words.begin(), words.end(), text_) == words.end()) refuse("one of " + listed(words));
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    refuse_option(operation_, name_, "\"" + text_ + "\"", expected);
  }

  std::string_view operation_;
  std::string_view name_;
  const std::string& text_;
};

}  // namespace

std::string to_string(ModelKind kind) { return text_of(kind); }

Metadata described(const TrainerOptions& options) {
  Metadata texts;
  each_option(options, [&](const std::string& name, const auto& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) texts.emplace(name, text_of(*value));
    } else {
      texts.emplace(name, text_of(value));
    }
  });
  return texts;
}

TrainerOptions trainer_options(const Metadata& texts, std::string_view operation) {
  TrainerOptions options;
  std::size_t read = 0;
  each_option(options, [&](const std::string& name, auto& option) {
    const auto found = texts.find(name);
    if (found == texts.end()) return;
    OptionText(operation, name, found->second).read(option);
    ++read;
  });
  if (read == texts.size()) return options;
  Metadata unknown = texts;
  std::vector<std::string> names;
  each_option(options, [&](const std::string& name, auto&) {
    unknown.erase(name);
    names.push_back(name);
  });
  refuse_option(operation, "option", "\"" + unknown.begin()->first + "\"", "one of " + listed(names));
}

}  // namespace attn
