// Settings and results of models that read ids.
#pragma once

#include "nn/greedy_decoding.hpp"
#include "wasm/arguments.hpp"

namespace attn {

// Each reads the arguments with the names of its fields in camel case. Throws InputError as Arguments does.
Seq2SeqOptions seq2seq_options_of(const Arguments& arguments);
GreedyOptions greedy_options_of(const Arguments& arguments);

// Ids are returned as typed arrays of numbers, since they are not nodes.
emscripten::val list_of_ids(const std::vector<std::vector<std::size_t>>& samples);

}  // namespace attn
