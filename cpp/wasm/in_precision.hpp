// An object of JavaScript that computes in float32 or in float64.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tensor/shape.hpp"

namespace attn {

// Whether this module supports float32. The module of an embedded frame supports float64 only and is half as large.
#ifdef PLAYGROUND_FLOAT64_ALONE
inline constexpr bool kFloat32 = false;
#else
inline constexpr bool kFloat32 = true;
#endif

using Single = std::conditional_t<kFloat32, float, double>;

// An `Owner` in one precision, chosen at construction.
template <template <typename> typename Owner>
class InPrecision {
 public:
  // Throws InputError naming `operation` for float32 where it is not supported.
  template <typename Argument>
  InPrecision(std::string_view operation, bool single_precision, const Argument& argument) {
    if (single_precision) {
      if (!kFloat32)
        refuse_option(operation, "precision", "float32", "float64, the only precision of this build of the core");
      single_ = std::make_unique<Owner<Single>>(argument);
    } else {
      double_ = std::make_unique<Owner<double>>(argument);
    }
  }

  // Holds `owner`, in its precision.
  template <typename T>
  explicit InPrecision(std::unique_ptr<Owner<T>> owner) {
    if constexpr (std::is_same_v<T, double>) {
      double_ = std::move(owner);
    } else {
      single_ = std::move(owner);
    }
  }

  template <typename Work>
  auto visit(Work work) {
    if constexpr (kFloat32) {
      if (single_) return work(*single_);
    }
    return work(*double_);
  }

 private:
  std::unique_ptr<Owner<double>> double_;
  std::unique_ptr<Owner<Single>> single_;
};

}  // namespace attn
