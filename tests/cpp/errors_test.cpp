// The error messages of every operation, word for word: operation, argument, actual and expected value.
#include <cmath>
#include <limits>

#include <catch_amalgamated.hpp>

#include "ops/absolute_index.hpp"
#include "ops/add.hpp"
#include "ops/alibi.hpp"
#include "ops/alibi_slopes.hpp"
#include "ops/attention.hpp"
#include "ops/concat.hpp"
#include "ops/embedding.hpp"
#include "ops/interpolation_matrix.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/mask.hpp"
#include "ops/matmul.hpp"
#include "ops/merge_heads.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/rotary.hpp"
#include "ops/scale.hpp"
#include "ops/shift_matrix.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"
#include "ops/split_heads.hpp"
#include "ops/transpose.hpp"
#include "refusal.hpp"

namespace {

using attn::Graph;
using refusal::Refusal;
using refusal::zeros;

std::vector<Refusal> refusals() {
  using G = Graph<double>;
  return {
      {"matmul: b has shape (2, 2), expected 3 rows to match a (2, 3)",
       [](G& g) { attn::matmul(zeros(g, {2, 3}), zeros(g, {2, 2})); }},
      {"matmul: a has shape (3,), expected at least two axes",
       [](G& g) { attn::matmul(zeros(g, {3}), zeros(g, {3, 2})); }},
      {"matmul: b has shape (), expected at least two axes",
       [](G& g) { attn::matmul(zeros(g, {2, 3}), zeros(g, {})); }},
      {"matmul: batch of b has shape (3,), expected one that broadcasts with (2,)",
       [](G& g) { attn::matmul(zeros(g, {2, 1, 3}), zeros(g, {3, 3, 1})); }},
      {"linear: weight has shape (2, 4), expected 3 columns to match x (5, 3)",
       [](G& g) { attn::linear(zeros(g, {5, 3}), zeros(g, {2, 4})); }},
      {"linear: weight has shape (3,), expected two axes, (out, in)",
       [](G& g) { attn::linear(zeros(g, {5, 3}), zeros(g, {3})); }},
      {"linear: bias has shape (3,), expected (2,) to match weight (2, 3)",
       [](G& g) { attn::linear(zeros(g, {5, 3}), zeros(g, {2, 3}), zeros(g, {3})); }},
      {"linear: x has shape (), expected at least one axis",
       [](G& g) { attn::linear(zeros(g, {}), zeros(g, {2, 3})); }},
      {"add: b has shape (3, 2), expected one that broadcasts with (2, 3)",
       [](G& g) { attn::add(zeros(g, {2, 3}), zeros(g, {3, 2})); }},
      {"scale: more than one of factor, divisor and sqrt_divisor is given, expected one",
       [](G& g) { attn::scale(zeros(g, {2}), {.factor = 1, .divisor = 2}); }},
      {"scale: none of factor, divisor and sqrt_divisor is given, expected one",
       [](G& g) { attn::scale(zeros(g, {2}), {}); }},
      {"scale: sqrt_divisor is -4, expected a number above 0",
       [](G& g) { attn::scale(zeros(g, {2}), {.sqrt_divisor = -4}); }},
      {"scale: divisor is 0, expected another number", [](G& g) { attn::scale(zeros(g, {2}), {.divisor = 0}); }},
      {"mask: keep has shape (2, 2, 2), expected one that broadcasts to x (2, 2)",
       [](G& g) { attn::mask(zeros(g, {2, 2}), zeros(g, {2, 2, 2})); }},
      {"mask: keep has shape (3,), expected one that broadcasts to x (2, 2)",
       [](G& g) { attn::mask(zeros(g, {2, 2}), zeros(g, {3})); }},
      {"softmax: axis is 2, expected one of the 2 axes", [](G& g) { attn::softmax(zeros(g, {2, 2}), {.axis = 2}); }},
      {"softmax: axis is -1, expected one of the 0 axes", [](G& g) { attn::softmax(zeros(g, {})); }},
      {"log_softmax: axis is -3, expected one of the 2 axes", [](G& g) { attn::log_softmax(zeros(g, {2, 2}), -3); }},
      {"transpose: x has shape (2,), expected at least two axes", [](G& g) { attn::transpose(zeros(g, {2})); }},
      {"transpose: number of axes is 1, expected 2 to match x (2, 3)",
       [](G& g) { attn::transpose(zeros(g, {2, 3}), {0}); }},
      {"transpose: axis is -2 again, expected each axis once",
       [](G& g) { attn::transpose(zeros(g, {2, 3}), {0, -2}); }},
      {"reshape: shape is (4, 2), expected 6 cells to match x (2, 3)",
       [](G& g) { attn::reshape(zeros(g, {2, 3}), {4, 2}); }},
      {"concat: there are 0 parts, expected at least 1", [](G&) { attn::concat<double>({}, 0); }},
      {"concat: part 1 has shape (2, 4), expected (2, 3) but for axis 0",
       [](G& g) { attn::concat<double>({zeros(g, {2, 3}), zeros(g, {2, 4})}, 0); }},
      {"concat: part 1 has shape (3,), expected (2, 3) but for axis 1",
       [](G& g) { attn::concat<double>({zeros(g, {2, 3}), zeros(g, {3})}, 1); }},
      {"concat: axis is 2, expected one of the 2 axes", [](G& g) { attn::concat<double>({zeros(g, {2, 3})}, 2); }},
      {"slice: range is 1:5, expected a part of axis 1 of x (2, 3)",
       [](G& g) { attn::slice(zeros(g, {2, 3}), 1, 1, 5); }},
      {"split_heads: num_heads is 3, expected a divisor of the 4 columns of x (2, 4)",
       [](G& g) { attn::split_heads(zeros(g, {2, 4}), 3); }},
      {"split_heads: num_heads is 0, expected a divisor of the 4 columns of x (2, 4)",
       [](G& g) { attn::split_heads(zeros(g, {2, 4}), 0); }},
      {"split_heads: x has shape (4,), expected at least two axes, (..., L, D)",
       [](G& g) { attn::split_heads(zeros(g, {4}), 2); }},
      {"merge_heads: x has shape (2, 4), expected at least three axes, (..., H, L, d)",
       [](G& g) { attn::merge_heads(zeros(g, {2, 4})); }},
      {"embedding: table has shape (4,), expected two axes, (V, D)",
       [](G& g) { attn::embedding(zeros(g, {2}), zeros(g, {4})); }},
      {"embedding: id at (1,) is 4, expected a row of a table of 4",
       [](G& g) {
         attn::Array<double> ids = attn::full<double>({2}, 0);
         ids.data()[1] = 4;
         attn::embedding(g.leaf("ids", std::move(ids)), zeros(g, {4, 2}));
       }},
      {"embedding: id at (0, 1) is -1, expected a row of a table of 4",
       [](G& g) {
         attn::Array<double> ids = attn::full<double>({1, 2}, 0);
         ids.data()[1] = -1;
         attn::embedding(g.leaf("ids", std::move(ids)), zeros(g, {4, 2}));
       }},
      {"patchify: order is \"p1 c p2\", expected \"c p1 p2\" or \"p1 p2 c\"",
       [](G& g) { attn::patchify(zeros(g, {1, 2, 2}), {1, 1, "p1 c p2"}); }},
      {"patchify: image has shape (3, 5, 4), expected a height and width that patches of (2, 2) divide",
       [](G& g) { attn::patchify(zeros(g, {3, 5, 4}), {2, 2}); }},
      {"patchify: image has shape (3, 4, 4), expected a height and width that patches of (0, 2) divide",
       [](G& g) { attn::patchify(zeros(g, {3, 4, 4}), {0, 2}); }},
      {"patchify: image has shape (4, 4), expected (C, H, W) or (B, C, H, W)",
       [](G& g) { attn::patchify(zeros(g, {4, 4}), {2, 2}); }},
      {"sinusoidal: positions has shape (2, 2), expected one axis",
       [](G& g) { attn::sinusoidal(zeros(g, {2, 2}), 4); }},
      {"sinusoidal: dim is 0, expected at least 1", [](G& g) { attn::sinusoidal(zeros(g, {2}), 0); }},
      {"sinusoidal: base is -2.5, expected a number above 0", [](G& g) { attn::sinusoidal(zeros(g, {2}), 4, -2.5); }},
      {"rotary: x has shape (2, 3), expected (..., L, d) with an even d",
       [](G& g) { attn::rotary(zeros(g, {2, 3}), zeros(g, {2})); }},
      {"rotary: positions has shape (3,), expected (2,) to match x (2, 4)",
       [](G& g) { attn::rotary(zeros(g, {2, 4}), zeros(g, {3})); }},
      {"rotary: layout is \"quarter\", expected \"interleaved\" or \"half\"",
       [](G& g) { attn::rotary(zeros(g, {2, 4}), zeros(g, {2}), {.layout = "quarter"}); }},
      {"rotary: base is nan, expected a number above 0",
       [](G& g) { attn::rotary(zeros(g, {2, 4}), zeros(g, {2}), {.base = std::nan("")}); }},
      {"alibi_slopes: num_heads is 0, expected at least 1", [](G& g) { attn::alibi_slopes(g, 0); }},
      {"alibi: slopes has shape (2, 1), expected one axis, (H)", [](G& g) { attn::alibi(zeros(g, {2, 1}), {2, 2}); }},
      {"absolute_index: dim is 0, expected at least 1", [](G& g) { attn::absolute_index(zeros(g, {2}), 0); }},
      {"absolute_index: positions has shape (), expected one axis",
       [](G& g) { attn::absolute_index(zeros(g, {}), 2); }},
      {"shift_matrix: dim is 3, expected an even number of at least 2",
       [](G& g) { attn::shift_matrix(zeros(g, {}), 3); }},
      {"shift_matrix: offset has shape (1,), expected (), a single number",
       [](G& g) { attn::shift_matrix(zeros(g, {1}), 4); }},
      {"interpolation_matrix: from is (2, 0), expected two sizes from 1 to 65535",
       [](G& g) { attn::interpolation_matrix(g, {.from = {2, 0}, .to = {2, 2}}); }},
      {"interpolation_matrix: to is (4,), expected two sizes from 1 to 65535",
       [](G& g) { attn::interpolation_matrix(g, {.from = {2, 2}, .to = {4}}); }},
      {"interpolation_matrix: mode is \"nearest\", expected \"bilinear\" or \"bicubic\"",
       [](G& g) { attn::interpolation_matrix(g, {.from = {2, 2}, .to = {4, 4}, .mode = "nearest"}); }},
      {"attention: key has shape (4, 2), expected 3 columns to match query (2, 3)",
       [](G& g) { attn::attention(zeros(g, {2, 3}), zeros(g, {4, 2}), zeros(g, {4, 3})); }},
      {"attention: value has shape (5, 3), expected 4 rows to match key (4, 3)",
       [](G& g) { attn::attention(zeros(g, {2, 3}), zeros(g, {4, 3}), zeros(g, {5, 3})); }},
      {"attention: query has shape (3,), expected at least two axes",
       [](G& g) { attn::attention(zeros(g, {3}), zeros(g, {4, 3}), zeros(g, {4, 3})); }},
      {"attention: keep has shape (3, 4), expected one that broadcasts to the scores (2, 4)",
       [](G& g) { attn::attention(zeros(g, {2, 3}), zeros(g, {4, 3}), zeros(g, {4, 3}), {.keep = zeros(g, {3, 4})}); }},
      {"attention: bias has shape (5, 2, 4), expected one that broadcasts to the scores (2, 4)",
       [](G& g) {
         attn::attention(zeros(g, {2, 3}), zeros(g, {4, 3}), zeros(g, {4, 3}), {.bias = zeros(g, {5, 2, 4})});
       }},
      {"attention: factor and divisor are both given, expected at most one of the two",
       [](G& g) {
         attn::attention(zeros(g, {2, 3}), zeros(g, {4, 3}), zeros(g, {4, 3}), {.factor = 1, .divisor = 1});
       }},
      {"attention: temperature is 0, expected another number",
       [](G& g) { attn::attention(zeros(g, {2, 3}), zeros(g, {4, 3}), zeros(g, {4, 3}), {.temperature = 0}); }},
  };
}

}  // namespace

TEST_CASE("Every refused input is named") { refusal::check(refusals()); }

TEST_CASE("Numbers in messages are short and exact") {
  CHECK(attn::format_number(10000) == "10000");
  CHECK(attn::format_number(-0.5) == "-0.5");
  CHECK(attn::format_number(1.25) == "1.25");
  CHECK(attn::format_number(123456.75) == "1.23457e5");
  CHECK(attn::format_number(0.001234) == "0.001234");
  CHECK(attn::format_number(1e-9) == "1e-9");
  CHECK(attn::format_number(1e20) == "1e20");
  CHECK(attn::format_number(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(attn::format_number(0) == "0");
  // Rounded up to the next power of ten.
  CHECK(attn::format_number(9.999996) == "10");
  CHECK(attn::format_number(9.999994) == "9.99999");
  CHECK(attn::format_number(0.9999999) == "1");
  CHECK(attn::format_number(-0.09999999) == "-0.1");
  CHECK(attn::format_number(9.9999999e-6) == "0.00001");
  CHECK(attn::format_number(99999.97) == "1e5");
  CHECK(attn::format_number(9.9999999e99) == "1e100");
  // No power of ten is below these.
  CHECK(attn::format_number(5e-324) == "4.94066e-324");
  CHECK(attn::format_number(std::numeric_limits<double>::min()) == "2.22507e-308");
  CHECK(attn::format_number(std::numeric_limits<double>::max()) == "1.79769e308");
}
