// The convolutional network against its definition, and what it refuses.
#include "nn/convolutional_network.hpp"

#include <algorithm>

#include "golden.hpp"
#include "refused_call.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::Shape;
using attn::StateDict;

namespace {

constexpr attn::ConvolutionalNetworkSizes kSizes{
    .channels = 2, .image_height = 8, .image_width = 12, .patch = 2, .width = 3, .num_classes = 4};

Parameters<double> drawn_parameters() {
  Parameters<double> parameters;
  parameters.draw(attn::convolutional_network_parameters(kSizes), 5);
  // Biases that are not 0, as after training.
  attn::RandomState random(6);
  for (auto& parameter : parameters.list())
    for (double& number : parameter.value) number += 0.1 * random.randn();
  return parameters;
}

// relu(convolution), with the stride of its kernel: weight (out, channels, kernel, kernel), flattened to (out, -1).
Array<double> convolved(const Array<double>& image, const Array<double>& weight, const Array<double>& bias,
                        std::size_t kernel) {
  const std::size_t channels = image.shape()[0];
  const std::size_t outputs = weight.shape()[0];
  Array<double> planes = attn::full<double>({outputs, image.shape()[1] / kernel, image.shape()[2] / kernel}, 0);
  for (std::size_t out = 0; out < outputs; ++out)
    for (std::size_t row = 0; row < planes.shape()[1]; ++row)
      for (std::size_t column = 0; column < planes.shape()[2]; ++column) {
        double sum = bias(out);
        for (std::size_t channel = 0; channel < channels; ++channel)
          for (std::size_t i = 0; i < kernel; ++i)
            for (std::size_t j = 0; j < kernel; ++j)
              sum += weight(out, (channel * kernel + i) * kernel + j) *
                     image(channel, row * kernel + i, column * kernel + j);
        planes(out, row, column) = std::max(sum, 0.0);
      }
  return planes;
}

}  // namespace

TEST_CASE("The convolutional network follows its definition") {
  const Parameters<double> parameters = drawn_parameters();
  attn::RandomState random(7);
  Array<double> images = attn::full<double>({2, 2, 8, 12}, 0);
  for (double& pixel : images) pixel = random.randn();

  Graph<double> graph({.observe = true});
  const StateDict<double> state(graph, parameters);
  const auto output = attn::convolutional_network(graph.leaf("images", images), state, kSizes.patch, "net.");
  CHECK(output.shape() == Shape{2, 4});
  for (const char* step : {"net.conv1", "net.relu1", "net.conv2", "net.relu2", "net.logits"})
    CHECK_NOTHROW(graph.at(step));

  const auto value = [&](const char* name) { return parameters.at(name).value; };
  for (std::size_t sample = 0; sample < 2; ++sample) {
    Array<double> image = attn::full<double>({2, 8, 12}, 0);
    std::copy_n(images.begin() + static_cast<std::ptrdiff_t>(sample * image.size()), image.size(), image.begin());
    const Array<double> first = convolved(image, value("conv1.weight"), value("conv1.bias"), 2);
    const Array<double> second = convolved(first, value("conv2.weight"), value("conv2.bias"), 2);
    for (std::size_t label = 0; label < 4; ++label) {
      // Place by place, at each all channels.
      double sum = value("head.bias")(label);
      for (std::size_t place = 0; place < 6; ++place)
        for (std::size_t channel = 0; channel < 3; ++channel)
          sum += value("head.weight")(label, place * 3 + channel) * second(channel, place / 3, place % 3);
      CHECK(output.value()(sample, label) == Catch::Approx(sum).margin(1e-12));
    }
  }
}

TEST_CASE("The convolutional network refuses images that its kernels do not divide") {
  attn::ConvolutionalNetworkSizes sizes = kSizes;
  sizes.image_width = 10;
  CHECK(refusal([&] { attn::convolutional_network_parameters(sizes); }) ==
        "convolutional_network: patch is 2, expected half of a divisor of height 8 and width 10");
  const Parameters<double> parameters = drawn_parameters();
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const auto flat = graph.leaf("flat", attn::full<double>({8, 12}, 0));
  CHECK(refusal([&] { attn::convolutional_network(flat, state, 2); }) ==
        "convolutional_network: image has shape (8, 12), expected (batch, channels, height, width)");
}
