// A greedy decoder as a JavaScript object: one class for both precisions.
#include <emscripten/bind.h>

#include <memory>

#include "nn/greedy_decoding.hpp"
#include "wasm/guarded.hpp"
#include "wasm/transformer/parameters_handle.hpp"
#include "wasm/transformer/sequence_models.hpp"

namespace attn {
namespace {

// Owned by JavaScript, which must call delete().
class GreedyDecoderHandle {
 public:
  GreedyDecoderHandle(ParametersHandle& parameters, const Shape& source, const Arguments& arguments) {
    const auto max_bytes = max_bytes_of(arguments.number("maxBytes"), arguments.operation());
    parameters.visit([&]<typename T>(const Parameters<T>& list) {
      of<T>() = std::make_unique<GreedyDecoder<T>>(list, source, seq2seq_options_of(arguments),
                                                   greedy_options_of(arguments), max_bytes);
    });
    count_handle(1);
  }
  ~GreedyDecoderHandle() { count_handle(-1); }
  GreedyDecoderHandle(const GreedyDecoderHandle&) = delete;
  GreedyDecoderHandle& operator=(const GreedyDecoderHandle&) = delete;

  js::Record decode(js::Cells source, js::Cells key_mask) {
    return single_ ? decode_with(*single_, source, key_mask) : decode_with(*double_, source, key_mask);
  }

 private:
  template <typename T>
  std::unique_ptr<GreedyDecoder<T>>& of() {
    if constexpr (std::is_same_v<T, float>) {
      return single_;
    } else {
      return double_;
    }
  }

  template <typename T>
  static js::Record decode_with(GreedyDecoder<T>& decoder, const js::Cells& source, const js::Cells& key_mask) {
    const auto write = [](const emscripten::val& cells, Array<T>& into) {
      const Array<T> read = array_of<T>(cells, shape_of(into), "decode");
      std::copy(read.begin(), read.end(), into.begin());
    };
    write(source, decoder.source());
    write(key_mask, decoder.source_key_mask());
    return js::Record(list_of_ids(decoder.decode()));
  }

  std::unique_ptr<GreedyDecoder<double>> double_;
  std::unique_ptr<GreedyDecoder<float>> single_;
};

std::unique_ptr<GreedyDecoderHandle> create_greedy_decoder(ParametersHandle& parameters, js::Numbers source,
                                                           js::Object settings) {
  return std::make_unique<GreedyDecoderHandle>(parameters, sizes_of(source, "greedyDecoder", "source"),
                                               Arguments("greedyDecoder", settings));
}

}  // namespace

EMSCRIPTEN_BINDINGS(greedy_decoder) {
  emscripten::class_<GreedyDecoderHandle>("GreedyDecoder")
      .function("decode", &Guarded<&GreedyDecoderHandle::decode>::call);
  emscripten::function("createGreedyDecoder", &Guarded<&create_greedy_decoder>::call);
}

}  // namespace attn
