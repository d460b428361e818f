// A small convolutional network that classifies images, for comparison with the Vision Transformer.
#pragma once

#include "nn/feed_forward.hpp"

namespace attn {

struct ConvolutionalNetworkSizes {
  std::size_t channels = 1;  // of the image
  std::size_t image_height = 0;
  std::size_t image_width = 0;
  std::size_t patch = 0;   // the kernel and the stride of the first convolution
  std::size_t width = 64;  // channels after each convolution
  std::size_t num_classes = 0;
};

// conv1.weight (width, channels patch^2), conv1.bias, conv2.weight (width, 4 width), conv2.bias, head.weight (K,
// width N), head.bias, each as torch.nn.Linear draws it. Throws InputError when the patch does not divide the image
// into an even number of rows and columns.
ParameterSpecs convolutional_network_parameters(const ConvolutionalNetworkSizes& sizes);

// logits = flatten(relu(conv2(relu(conv1(image))))) head^T + bias
//
//   image  (B, C, H, W)
//   ->     (B, K)
//
// conv1 has kernel and stride `patch`, as the patch embedding of a Vision Transformer; conv2 has 2. Throws InputError
// when a parameter is missing or the shapes disagree.
template <typename T>
Tensor<T> convolutional_network(const Tensor<T>& image, const StateDict<T>& parameters, std::size_t patch,
                                const std::string& name = {});

}  // namespace attn
