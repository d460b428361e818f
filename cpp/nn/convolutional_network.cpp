// A small convolutional network that classifies images.
#include "nn/convolutional_network.hpp"

#include "nn/linear.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"

namespace attn {
namespace {

constexpr std::string_view kConvolutions = "convolutional_network";
constexpr std::size_t kSecond = 2;  // kernel and stride of the second convolution

}  // namespace

ParameterSpecs convolutional_network_parameters(const ConvolutionalNetworkSizes& sizes) {
  const std::size_t step = sizes.patch * kSecond;
  if (step == 0 || sizes.image_height % step != 0 || sizes.image_width % step != 0) {
    refuse_option(kConvolutions, "patch", std::to_string(sizes.patch),
                  "half of a divisor of height " + std::to_string(sizes.image_height) + " and width " +
                      std::to_string(sizes.image_width));
  }
  const std::size_t places = (sizes.image_height / step) * (sizes.image_width / step);
  return join({within("conv1", linear_parameters(sizes.channels * sizes.patch * sizes.patch, sizes.width)),
               within("conv2", linear_parameters(kSecond * kSecond * sizes.width, sizes.width)),
               within("head", linear_parameters(places * sizes.width, sizes.num_classes))});
}

template <typename T>
Tensor<T> convolutional_network(const Tensor<T>& image, const StateDict<T>& parameters, std::size_t patch,
                                const std::string& name) {
  const auto step_name = [&](const char* step) { return name.empty() ? name : name + step; };
  if (image.shape().size() != 4)
    refuse_shape(kConvolutions, "image", image.shape(), "(batch, channels, height, width)");
  // A convolution whose stride is its kernel is a linear layer over patches.
  const Tensor<T> cut = patchify(image, {.patch_height = patch, .patch_width = patch}, step_name("patches1"));
  const Tensor<T> first =
      activate(linear(cut, parameters.within("conv1"), step_name("conv1")), Activation::relu, step_name("relu1"));
  const std::size_t batch = image.shape()[0];
  const std::size_t width = first.shape().back();
  const Shape grid{batch, width, image.shape()[2] / patch, image.shape()[3] / patch};
  const Tensor<T> planes = reshape(transpose(first, {0, 2, 1}), grid, step_name("planes"));
  const Tensor<T> again = patchify(planes, {.patch_height = kSecond, .patch_width = kSecond}, step_name("patches2"));
  const Tensor<T> second =
      activate(linear(again, parameters.within("conv2"), step_name("conv2")), Activation::relu, step_name("relu2"));
  const Tensor<T> flat = reshape(second, {batch, second.shape()[1] * width}, step_name("flat"));
  return linear(flat, parameters.within("head"), step_name("logits"));
}

template Tensor<float> convolutional_network(const Tensor<float>&, const StateDict<float>&, std::size_t,
                                             const std::string&);
template Tensor<double> convolutional_network(const Tensor<double>&, const StateDict<double>&, std::size_t,
                                              const std::string&);

}  // namespace attn
