// An image cut into patches, each flattened into a row: "An Image is Worth 16x16 Words", section 3.1.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct PatchifyOptions {
  std::size_t patch_height = 0;
  std::size_t patch_width = 0;
  std::string order =
      "c p1 p2";  // order of a patch's numbers: "c p1 p2" (as a Conv2d weight) or "p1 p2 c" (pixel by pixel)
};

//   image  (B?, C, H, W)
//   ->     (B?, N, ph pw C)     N = (H / ph) (W / pw), row by row
//
// Throws InputError when the patch does not divide the image, or the order is neither of the two.
template <typename T>
Tensor<T> patchify(const Tensor<T>& image, const PatchifyOptions& options, std::string name = {});

}  // namespace attn
