// Byte-pair vocabularies: merges checked by hand, the same result everywhere, and an encoding for every text.
#include "nn/byte_pair_vocabulary.hpp"

#include <catch_amalgamated.hpp>

#include "refused_call.hpp"
#include "tensor/random.hpp"
#include "tensor/shape.hpp"

using attn::BytePairVocabulary;
using Ids = std::vector<std::size_t>;

namespace {}  // namespace

TEST_CASE("The most frequent pair is merged first; among equal ones the one with the smaller ids") {
  // Neighbours: a a four times, a b twice. Then aa a and a b, twice each: a is the smaller id. Then aa ab.
  const BytePairVocabulary vocabulary = BytePairVocabulary::learn("aaab aaab", 259);
  REQUIRE(vocabulary.merges().size() == 3);
  CHECK(vocabulary.bytes(256) == "aa");
  CHECK(vocabulary.bytes(257) == "ab");
  CHECK(vocabulary.bytes(258) == "aaab");
  CHECK(vocabulary.encode("aaab") == Ids{258});
  CHECK(vocabulary.encode("aab b") == Ids{256, 'b', ' ', 'b'});
  // A merge that was learned earlier is applied earlier, wherever it occurs.
  CHECK(vocabulary.encode("aaaab") == Ids{256, 256, 'b'});
}

TEST_CASE("No piece spans two words, and learning ends when no pair occurs twice") {
  const std::string text = "low low lower lowest\nnew newer  newest wider";
  const BytePairVocabulary vocabulary = BytePairVocabulary::learn(text, 2000);
  CHECK(vocabulary.size() < 300);
  for (std::size_t id = 256; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.bytes(id);
    const std::size_t word = piece.find_first_not_of(" \n");
    INFO("piece \"" << piece << "\"");
    CHECK((word == std::string::npos || piece.find_first_of(" \n", word) == std::string::npos));
  }
  // l o, o w and w e occur four times each, e r and e w three times.
  CHECK(vocabulary.bytes(256) == "lo");
  CHECK(vocabulary.bytes(257) == "we");
  CHECK(BytePairVocabulary::learn(text, 2000).encode(text) == vocabulary.encode(text));
}

TEST_CASE("Decoding restores every text, whatever the vocabulary was learned from") {
  const BytePairVocabulary vocabulary =
      BytePairVocabulary::learn("the cat sat on the mat, the end. 注意力就是注意力", 300);
  attn::RandomState random(3);
  for (int run = 0; run < 200; ++run) {
    std::string text;
    const auto length = random.randint(0, 40);
    for (std::int64_t i = 0; i < length; ++i)
      text += static_cast<char>(run % 2 ? random.randint(0, 256) : "the cat"[random.randint(0, 7)]);
    CHECK(vocabulary.decode(vocabulary.encode(text)) == text);
  }
  CHECK(vocabulary.decode(vocabulary.encode("注意力 cat")) == "注意力 cat");
  CHECK(vocabulary.encode("注意力").size() < 9);
  CHECK(vocabulary.encode("").empty());
  // A vocabulary that is written and read back gives the same encoding.
  const BytePairVocabulary reloaded(vocabulary.merges());
  CHECK(reloaded.encode("the cat sat") == vocabulary.encode("the cat sat"));
}

TEST_CASE("Vocabularies refuse invalid arguments") {
  CHECK(refusal([] { BytePairVocabulary::learn("a", 255); }) ==
        "byte_pair_vocabulary: size is 255, expected at least 256, one id per byte");
  CHECK(refusal([] { BytePairVocabulary({{1, 256}}); }) ==
        "byte_pair_vocabulary: merges[0] is 1 256, expected ids below 256");
  CHECK(refusal([] { BytePairVocabulary({{1, 2}, {1, 2}}); }) ==
        "byte_pair_vocabulary: merges[1] is 1 2 again, expected each pair once");
  const BytePairVocabulary bytes({});
  CHECK(refusal([&] { bytes.decode({256}); }) == "byte_pair_vocabulary: id is 256, expected one below 256");
}

TEST_CASE("Merges that keep doubling are refused before memory is taken, and so are their texts") {
  std::vector<attn::BytePair> doubling = {{'a', 'a'}};
  for (std::size_t id = 256; doubling.size() < 40; ++id) doubling.push_back({id, id});
  CHECK_THROWS_MATCHES(BytePairVocabulary(doubling), attn::MemoryError,
                       Catch::Matchers::MessageMatches(Catch::Matchers::Matches(
                           "byte_pair_vocabulary: needs .* MB, of which .* MB are in use; the limit is 512.0 MB")));
  CHECK_THROWS_AS(BytePairVocabulary(doubling, 20000), attn::MemoryError);
  doubling.resize(8);
  const BytePairVocabulary vocabulary(doubling, 20000);
  CHECK(vocabulary.bytes(263) == std::string(256, 'a'));
  CHECK(vocabulary.decode(Ids(78, 263)).size() == 78 * 256);
  CHECK_THROWS_WITH(vocabulary.decode(Ids(79, 263)), "decode: needs 20224 bytes; the limit is 20000 bytes");
  CHECK_THROWS_AS(BytePairVocabulary::learn("abababab abababab", 300, 256 * sizeof(std::string)), attn::MemoryError);
}
