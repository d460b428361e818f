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
  GreedyDecoderHandle(ParametersHandle& parameters, const Shape& source, const Arguments& arguments)
      : decoder_(parameters.visit([&]<typename T>(const Parameters<T>& list) {
          return InPrecision<GreedyDecoder>(std::make_unique<GreedyDecoder<T>>(
              list, source, seq2seq_options_of(arguments), greedy_options_of(arguments),
              max_bytes_of(arguments.number("maxBytes"), arguments.operation())));
        })) {
    count_handle(1);
  }
  ~GreedyDecoderHandle() { count_handle(-1); }
  GreedyDecoderHandle(const GreedyDecoderHandle&) = delete;
  GreedyDecoderHandle& operator=(const GreedyDecoderHandle&) = delete;

  js::Record decode(js::Cells source, js::Cells key_mask) {
    return decoder_.visit([&](auto& decoder) { return decode_with(decoder, source, key_mask); });
  }

 private:
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

  InPrecision<GreedyDecoder> decoder_;
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
