// The reduction of losses to one number, with PyTorch's names.
#include "ops/loss_reduction.hpp"

namespace attn {

LossReduction loss_reduction(std::string_view name, std::string_view operation, bool allow_batchmean) {
  if (name == "none") return LossReduction::none;
  if (name == "sum") return LossReduction::sum;
  if (name == "mean") return LossReduction::mean;
  if (name == "batchmean" && allow_batchmean) return LossReduction::batchmean;
  refuse_option(operation, "reduction", "\"" + std::string(name) + "\"",
                allow_batchmean ? "\"mean\", \"batchmean\", \"sum\" or \"none\"" : "\"mean\", \"sum\" or \"none\"");
}

std::string to_string(LossReduction reduction) {
  switch (reduction) {
    case LossReduction::none:
      return "none";
    case LossReduction::sum:
      return "sum";
    case LossReduction::mean:
      return "mean";
    case LossReduction::batchmean:
      break;
  }
  return "batchmean";
}

void LossTerms::add(const Index& index, double loss) {
  sum_ += loss;
  terms_.add({kNoTensor, index, loss});
}

void LossTerms::move_into(Explanation& explanation, LossReduction reduction, double divisor) {
  terms_.move_into(explanation.row("losses").gives(sum_), true);
  if (reduction != LossReduction::sum) explanation.row("divisor").gives(divisor);
  explanation.row("result").gives(output_[{}]);
}

}  // namespace attn
