// GPT-2 and its decoding by name, the sampler, and a decoder as a JavaScript object: one class for both precisions.
#include "wasm/transformer/gpt2.hpp"

#include <emscripten/bind.h>

#include <memory>

#include "wasm/guarded.hpp"
#include "wasm/random_handle.hpp"
#include "wasm/transformer/layer_settings.hpp"
#include "wasm/transformer/model_roles.hpp"
#include "wasm/transformer/parameters_handle.hpp"
#include "wasm/transformer/sequence_models.hpp"
#include "wasm/transformer/state_dict.hpp"

namespace attn {

using emscripten::val;

SamplingOptions sampling_options_of(const Arguments& arguments) {
  SamplingOptions sampling{.temperature = arguments.number("temperature"), .top_p = arguments.number("topP")};
  if (arguments.has("topK")) sampling.top_k = arguments.size("topK");
  return sampling;
}

ContinuationOptions continuation_options_of(const Arguments& arguments) {
  ContinuationOptions how{.steps = arguments.size("steps"),
                          .sampling = sampling_options_of(arguments),
                          .seed = static_cast<std::uint32_t>(arguments.number("seed"))};
  if (arguments.has("end")) how.end = arguments.size("end");
  return how;
}

template <typename T>
val probabilities_of(const Continuation<T>& text) {
  val list = val::array();
  for (const Array<double>& step : text.probabilities) list.call<void>("push", copy_of(step.data(), step.size()));
  return list;
}

namespace {

template <typename T>
val apply_model_gpt2(const Call<T>& call) {
  const Gpt2<T> model = gpt2(call.tensor("ids"), state_dict_of(call), stack_options_of(call.arguments),
                             call.optional_tensor("keyMask"), call.prefix(), call.optional_tensor("positionIds"));
  return Roles()
      .with("tokens", model.tokens)
      .with("positions", model.positions)
      .with("embedded", model.embedded)
      .with("blocks", roles_of_stack(model.blocks))
      .with("logits", model.logits)
      .record();
}

template <typename T>
val apply_continuation(const Call<T>& call) {
  const Continuation<T> text =
      gpt2_continuation(call.tensor("prompt"), state_dict_of(call), stack_options_of(call.arguments),
                        continuation_options_of(call.arguments), call.arguments.flag("cache"), call.prefix());
  val logits = val::array();
  for (const Tensor<T>& row : text.logits) logits.call<void>("push", row.id);
  return Roles()
      .with("ids", list_of_ids(text.ids))
      .with("probabilities", probabilities_of(text))
      .with("logits", logits)
      .record();
}

// Owned by JavaScript, which must call delete().
class Gpt2DecoderHandle {
 public:
  Gpt2DecoderHandle(ParametersHandle& parameters, const Arguments& arguments)
      : decoder_(parameters.visit([&]<typename T>(const Parameters<T>& list) {
          std::optional<std::size_t> batch;
          if (arguments.has("batch")) batch = arguments.size("batch");
          return InPrecision<Gpt2Decoder>(
              std::make_unique<Gpt2Decoder<T>>(list, stack_options_of(arguments), arguments.size("length"), batch,
                                               max_bytes_of(arguments.number("maxBytes"), arguments.operation())));
        })) {
    count_handle(1);
  }
  ~Gpt2DecoderHandle() { count_handle(-1); }
  Gpt2DecoderHandle(const Gpt2DecoderHandle&) = delete;
  Gpt2DecoderHandle& operator=(const Gpt2DecoderHandle&) = delete;

  // Continues prompts of one length, given one after the other.
  js::Record continue_texts(js::Cells prompts, double samples, js::Object settings) {
    const auto count = static_cast<std::size_t>(samples);
    const auto length = prompts["length"].as<std::size_t>() / count;
    const Array<double> flat = array_of<double>(prompts, {count, length}, "continueTexts");
    IdLists ids(count);
    for (std::size_t i = 0; i < flat.size(); ++i) {
      const double id = flat.data()[i];
      if (id < 0) refuse_option("continueTexts", "id of the prompt", format_number(id), "an id from 0 up");
      ids[i / length].push_back(static_cast<std::size_t>(id));
    }
    const Arguments arguments("continueTexts", settings);
    const ContinuationOptions how = continuation_options_of(arguments);
    return decoder_.visit([&](auto& decoder) { return record_of(decoder.continue_texts(ids, how)); });
  }

 private:
  template <typename T>
  static js::Record record_of(const Continuation<T>& text) {
    return js::Record(
        Roles().with("ids", list_of_ids(text.ids)).with("probabilities", probabilities_of(text)).record());
  }

  InPrecision<Gpt2Decoder> decoder_;
};

std::unique_ptr<Gpt2DecoderHandle> create_gpt2_decoder(ParametersHandle& parameters, js::Object settings) {
  return std::make_unique<Gpt2DecoderHandle>(parameters, Arguments("gpt2Decoder", settings));
}

// The probabilities of each of `rows` rows of logits.
js::Cells next_probabilities_of(js::Cells logits, double rows, js::Object settings) {
  const SamplingOptions options = sampling_options_of(Arguments("nextProbabilities", settings));
  const auto count = static_cast<std::size_t>(rows);
  const std::size_t vocabulary = logits["length"].as<std::size_t>() / count;
  Array<double> numbers = array_of<double>(logits, {count, vocabulary}, "nextProbabilities");
  for (std::size_t row = 0; row < count; ++row) {
    double* cells = numbers.data() + row * vocabulary;
    const std::vector<double> left =
        next_probabilities(std::span<const double>(cells, vocabulary), options, "nextProbabilities");
    std::copy(left.begin(), left.end(), cells);
  }
  return js::Cells(copy_of(numbers.data(), numbers.size()));
}

js::Numbers draw_ids_of(RandomHandle& random, js::Cells weights, double number) {
  random.check_size(number);
  return js::Numbers(list_of(draw_ids(numbers_of(weights), static_cast<std::size_t>(number), random.state())));
}

}  // namespace

template <typename T>
std::optional<val> apply_gpt2(std::string_view model, const Call<T>& call) {
  if (model == "gpt2") return apply_model_gpt2(call);
  if (model == "gpt2Continuation") return apply_continuation(call);
  return std::nullopt;
}

template std::optional<val> apply_gpt2(std::string_view, const Call<float>&);
template std::optional<val> apply_gpt2(std::string_view, const Call<double>&);

EMSCRIPTEN_BINDINGS(gpt2) {
  emscripten::class_<Gpt2DecoderHandle>("Gpt2Decoder")
      .function("continueTexts", &Guarded<&Gpt2DecoderHandle::continue_texts>::call);
  emscripten::function("createGpt2Decoder", &Guarded<&create_gpt2_decoder>::call);
  emscripten::function("nextProbabilities", &Guarded<&next_probabilities_of>::call);
  emscripten::function("drawIds", &Guarded<&draw_ids_of>::call);
}

}  // namespace attn
