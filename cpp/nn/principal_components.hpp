// Principal component analysis: the directions in which vectors vary most (Pearson, 1901).
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// The nodes of one analysis, with the names of the steps.
template <typename T>
struct PrincipalComponents {
  Tensor<T> mean = {};                // (1, D)   mean
  Tensor<T> centred = {};             // (N, D)   centred
  Tensor<T> components = {};          // (k, D)   components: orthonormal rows, a leaf
  Tensor<T> explained_variance = {};  // (k)      explained_variance: descending, divided by N - 1, a leaf
  Tensor<T> output = {};              // (N, k)   output: centred components^T
};

// output = (x - mean) components^T, where components are the eigenvectors of the covariance with the largest
// eigenvalues
//
//   x  (N, D)
//   -> (N, k)
//
// The sign of a component is chosen such that its entry of largest absolute value is positive. Eigenvectors are
// computed in double by Jacobi rotations and become leaves: an edit of x moves the points, not the directions. Throws
// InputError when N is below 2, when k is 0 or above the smaller of N and D, when that minimum is above 512, or when
// x is not finite.
template <typename T>
PrincipalComponents<T> principal_components(const Tensor<T>& x, std::size_t count, const std::string& name = {});

}  // namespace attn
