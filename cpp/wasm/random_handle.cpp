// NumPy's legacy generator as a JavaScript object, and the vectors of tokens.
#include "wasm/random_handle.hpp"

#include <cmath>

#include "tensor/shape.hpp"
#include "wasm/graph_handle.hpp"

namespace attn {

namespace {

std::uint32_t to_uint32(double value) { return static_cast<std::uint32_t>(value); }

}  // namespace

RandomHandle::RandomHandle(const RandomState& state, double max_bytes) : state_(state), max_bytes_(max_bytes) {
  count_handle(1);
}

RandomHandle::~RandomHandle() { count_handle(-1); }

void RandomHandle::check_size(double count) const {
  const double bytes = count * sizeof(double);
  if (!(count >= 0 && bytes <= max_bytes_)) {
    constexpr double kMegabyte = 1 << 20;
    throw MemoryError("random: needs " + format_number(bytes / kMegabyte) + " MB; the limit is " +
                      format_number(max_bytes_ / kMegabyte) + " MB");
  }
}

// The memory for numbers to be drawn.
std::vector<double> RandomHandle::checked_buffer(double count) const {
  check_size(count);
  return std::vector<double>(static_cast<std::size_t>(count));
}

js::Cells RandomHandle::draw(js::Text method, double count, double a, double b, double divisor, bool divide_by_root) {
  std::vector<double> numbers = checked_buffer(count);
  const std::string name = text_of(method);
  const auto fill = [&](auto next) {
    for (double& value : numbers) value = next();
  };
  if (name == "uint32") {
    fill([&] { return static_cast<double>(state_.uint32()); });
  } else if (name == "random_sample") {
    fill([&] { return state_.random_sample(); });
  } else if (name == "uniform") {
    fill([&] { return state_.uniform(a, b); });
  } else if (name == "randn") {
    fill([&] { return state_.randn(); });
  } else if (name == "normal") {
    fill([&] { return state_.normal(a, b); });
  } else if (name == "randint") {
    const auto low = static_cast<std::int64_t>(a);
    const auto high = static_cast<std::int64_t>(b);
    fill([&] { return static_cast<double>(state_.randint(low, high)); });
  } else {
    refuse_option("random", "method", name, "uint32, random_sample, uniform, randn, normal or randint");
  }
  const double denominator = divide_by_root ? std::sqrt(divisor) : divisor;
  if (denominator != 1) {
    for (double& value : numbers) value /= denominator;
  }
  return js::Cells(copy_of(numbers.data(), numbers.size()));
}

js::Cells RandomHandle::permutation(double count) {
  std::vector<double> numbers = checked_buffer(count);
  const std::vector<std::int64_t> order = state_.permutation(numbers.size());
  numbers.assign(order.begin(), order.end());
  return js::Cells(copy_of(numbers.data(), numbers.size()));
}

double RandomHandle::words() { return static_cast<double>(state_.words()); }

bool RandomHandle::has_gauss() { return state_.has_gauss(); }

js::Cells token_vectors(js::Object tokens, double seed, double dim) {
  const std::vector<std::string> words = emscripten::vecFromJSArray<std::string>(tokens);
  std::vector<double> vectors(words.size() * static_cast<std::size_t>(dim));
  double* cell = vectors.data();
  for (const std::string& token : words) {
    RandomState state(token_seed(token, to_uint32(seed)));
    for (double column = 0; column < dim; ++column) *cell++ = state.randn();
  }
  return js::Cells(copy_of(vectors.data(), vectors.size()));
}

double token_seed_of(js::Text token, double seed) { return token_seed(text_of(token), to_uint32(seed)); }

}  // namespace attn
