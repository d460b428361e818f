// RandomState against NumPy's streams, and the seeds of tokens.
#include "tensor/random.hpp"

#include "golden.hpp"

using attn::RandomState;

namespace {

// The numbers of one recorded call; counts and shapes are the last arguments, as in NumPy.
std::vector<double> draw(RandomState& random, const golden::Json& call) {
  const std::string op = call["op"].get<std::string>();
  const golden::Json& args = call["args"];
  std::size_t count = 1;
  const golden::Json sizes = op == "randn" ? args : args.back();
  if (sizes.is_array()) {
    for (const golden::Json& size : sizes) count *= size.get<std::size_t>();
  } else {
    count = sizes.get<std::size_t>();
  }
  std::vector<double> numbers;
  if (op == "permutation") {
    for (std::int64_t i : random.permutation(count)) numbers.push_back(static_cast<double>(i));
    return numbers;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (op == "uint32") numbers.push_back(random.uint32());
    if (op == "random_sample") numbers.push_back(random.random_sample());
    if (op == "randn") numbers.push_back(random.randn());
    if (op == "uniform") numbers.push_back(random.uniform(args[0].get<double>(), args[1].get<double>()));
    if (op == "normal") numbers.push_back(random.normal(args[0].get<double>(), args[1].get<double>()));
    if (op == "randint")
      numbers.push_back(static_cast<double>(random.randint(args[0].get<std::int64_t>(), args[1].get<std::int64_t>())));
  }
  REQUIRE(numbers.size() == count);
  return numbers;
}

void check(const golden::Json& test, const std::string& key, const std::vector<double>& numbers) {
  attn::Array<double> got = attn::full<double>(golden::shape(test["expected"][key]), 0);
  REQUIRE(got.size() == numbers.size());
  std::copy(numbers.begin(), numbers.end(), got.data());
  golden::check<double>(test, key, got);
}

}  // namespace

TEST_CASE("RandomState draws what NumPy draws") {
  for (const golden::Json& test : golden::cases("numpy_rng")) {
    const golden::Json& params = test["params"];
    RandomState random(params["seed"].get<std::uint32_t>());
    if (params["op"] == "sequence") {
      for (std::size_t step = 0; step < params["steps"].size(); ++step)
        check(test, "step" + std::to_string(step), draw(random, params["steps"][step]));
      continue;
    }
    std::vector<double> numbers = draw(random, params);
    if (params.contains("take_last"))
      numbers.erase(numbers.begin(), numbers.end() - params["take_last"].get<std::ptrdiff_t>());
    check(test, "out", numbers);
  }
}

TEST_CASE("RandomState takes an array as its seed") {
  // CPython's random.Random is seeded by the same init_by_array: Random(1 + (2 << 32) + (3 << 64)).getrandbits(32),
  // Random(42).random()
  const std::uint32_t seed[] = {1, 2, 3};
  RandomState random{std::span<const std::uint32_t>(seed)};
  CHECK(random.uint32() == 2619334238u);
  CHECK(random.uint32() == 1552691353u);
  CHECK(random.uint32() == 3808334787u);
  const std::uint32_t one[] = {42};
  CHECK(RandomState{std::span<const std::uint32_t>(one)}.random_sample() == 0.6394267984578837);
  CHECK_THROWS_AS(RandomState{std::span<const std::uint32_t>()}, attn::InputError);
}

TEMPLATE_TEST_CASE("Many samples at once are those drawn one by one, from any position", "", float, double) {
  for (const std::size_t skipped : {0, 1, 2, 623, 624}) {
    for (const std::size_t count : {0, 1, 311, 312, 313, 1000}) {
      INFO(count << " after " << skipped << " words");
      RandomState at_once(5);
      RandomState one_by_one(5);
      for (std::size_t word = 0; word < skipped; ++word) CHECK(at_once.uint32() == one_by_one.uint32());
      std::vector<TestType> numbers(count);
      at_once.fill_random_sample(std::span<TestType>(numbers));
      for (const TestType number : numbers) CHECK(number == static_cast<TestType>(one_by_one.random_sample()));
      CHECK(at_once.words() == one_by_one.words());
      CHECK(at_once.uint32() == one_by_one.uint32());
    }
  }
}

TEST_CASE("RandomState reports its position in the stream") {
  RandomState random(7);
  CHECK(random.words() == 0);
  random.random_sample();
  CHECK(random.words() == 2);
  CHECK(random.randint(3, 4) == 3);
  CHECK(random.words() == 2);
  random.randn();
  CHECK(random.has_gauss());
  const std::uint64_t words = random.words();
  CHECK(words % 4 == 2);
  random.randn();
  CHECK_FALSE(random.has_gauss());
  CHECK(random.words() == words);
  RandomState skipped(7);
  for (std::uint64_t i = 0; i < words; ++i) skipped.uint32();
  CHECK(skipped.random_sample() == random.random_sample());
}

TEST_CASE("randint covers the whole range of 64 bits, and refuses an empty range") {
  RandomState random(1);
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t drawn =
        random.randint(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    (drawn < 0 ? negative : positive) = true;
  }
  CHECK(negative);
  CHECK(positive);
  CHECK_THROWS_WITH(random.randint(3, 3), "randint: high is 3, expected above low, 3");
}

TEST_CASE("A token's seed is the crc32 of its UTF-8") {
  CHECK(attn::crc32("123456789") == 0xcbf43926u);
  CHECK(attn::crc32("") == 0u);
  CHECK(attn::token_seed("cat", 0) == 0x9e5e43a8u);
  CHECK(attn::token_seed("\xe6\xb3\xa8\xe6\x84\x8f", 42) == (0x21e075feu ^ 42u));
}
