// Tasks to learn: their data is made from a seed, and some of it is held out of training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tensor/random.hpp"
#include "tensor/shape.hpp"

namespace attn {

// The models that can learn a task.
enum class ModelKind { encoder, decoder, encoder_decoder, vision_transformer, convolution, bert };

// "encoder", "decoder", "encoderDecoder", "visionTransformer", "convolution", "bert"
std::string to_string(ModelKind kind);

// How the target relates to the source.
enum class Answer {
  sequence,    // a sequence of its own
  label,       // one id for the whole source
  masked,      // as long as the source; only some places are asked
  next,        // the ids that follow; the source is empty
  image_class  // the class of an image
};

// The first ids of every vocabulary of tokens: "<pad>", "<begin>", "<end>", and "<mask>" where a task has masked words.
inline constexpr std::size_t kPad = 0;
inline constexpr std::size_t kBegin = 1;
inline constexpr std::size_t kEnd = 2;
inline constexpr std::size_t kMask = 3;

// The vocabulary of a task without masked words before its own tokens.
inline const std::vector<std::string> kFirstTokens{"<pad>", "<begin>", "<end>"};

// A place of a target at which nothing is asked: cross_entropy's ignore_index.
inline constexpr std::int64_t kNotAsked = -100;

struct Example {
  std::vector<std::size_t> source = {};   // ids, without begin, end or padding
  std::vector<std::int64_t> target = {};  // ids, without begin, end or padding; kNotAsked where nothing is asked
  std::vector<double> image = {};         // pixels, (C, H, W) in rows; only of tasks with images

  friend bool operator==(const Example&, const Example&) = default;
};

struct Task {
  std::string name = {};
  Answer answer = Answer::sequence;
  std::vector<std::string> vocabulary = {};  // the token of each id; of a task with images the names of its classes
  std::size_t source_length = 0;             // the most ids of a source
  std::size_t target_length = 0;             // the most ids of a target
  Shape image = {};                          // (C, H, W) of a task with images
  std::vector<ModelKind> models = {};        // that fit
  std::vector<Example> held_out = {};        // made of items that no training example is made of
  // The number of different items that training examples are made of; absent where they are not counted.
  std::optional<std::size_t> training_items = {};
  // Of text and masked words: the mean cross entropy of the held-out answers under the frequencies of the tokens in
  // the training data, with every count one higher, so that a token that never occurs there has a frequency too.
  std::optional<double> unigram_loss = {};
  std::function<Example(RandomState&)> draw = {};  // a training example
};

// What a task is made of. An option that a task does not have is refused.
struct TaskOptions {
  std::string name = {};
  std::uint32_t seed = 0;                    // chooses what is held out
  std::optional<std::size_t> shortest = {};  // copy, reverse, sort, parentheses: the fewest ids of a source
  std::optional<std::size_t> longest = {};   // and the most
  std::optional<std::size_t> symbols = {};   // copy, reverse, sort: how many different symbols
  std::optional<std::size_t> prime = {};     // modular-addition: the number that sums are divided by
  std::optional<std::string> text = {};      // text: UTF-8 to learn from
  std::optional<std::string> language = {};  // of what is written: text without a text: "en" or "zh"; translation: "en"
                                             // (from Chinese) or "fr" (from English)
  std::optional<std::size_t> window = {};    // text: the characters of an example
};

// Calls visit(name, option) with every option but the name and the seed.
template <typename Options, typename Visit>
void each_task_option(Options& options, Visit visit) {
  visit("shortest", options.shortest);
  visit("longest", options.longest);
  visit("symbols", options.symbols);
  visit("prime", options.prime);
  visit("text", options.text);
  visit("language", options.language);
  visit("window", options.window);
}

// The names of all tasks.
std::vector<std::string> task_names();

// Makes a task. The same options give the same task on every build. Throws InputError for an unknown name, an option
// that the task does not have, and one outside its range.
Task make_task(const TaskOptions& options);

}  // namespace attn
