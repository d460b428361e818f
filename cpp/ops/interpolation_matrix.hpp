// The weights that resize a grid, as a matrix: torch.nn.functional.interpolate with align_corners=False.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct InterpolationOptions {
  Shape from;                    // (h, w), the grid that is resized
  Shape to;                      // (H, W), its new size
  std::string mode = "bicubic";  // or "bilinear"
};

// M with y = M x for a grid x, flattened in row-major order, and the resized grid y. A cell is the weight of a row of
// x times the weight of a column. Row R of y lies at (R + 1/2) h / H - 1/2 in x; the rows around it have weights that
// depend on their distance t: 1 - t of the nearest two (bilinear), or the cubic curve of Keys with a = -3/4 of the
// nearest four (bicubic). A row outside x counts as the row at the border. Columns likewise. No antialiasing.
//
//   ->      (H W, h w)     each row sums to 1
//
// Throws InputError when `from` or `to` is not two sizes from 1 to 65535, or mode is another word.
// Source: https://pytorch.org/docs/stable/generated/torch.nn.functional.interpolate.html
template <typename T>
Tensor<T> interpolation_matrix(Graph<T>& graph, const InterpolationOptions& options, std::string name = {});

}  // namespace attn
