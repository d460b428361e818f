// The programming languages in which a graph can be written.
#include "program/language.hpp"

#include "tensor/shape.hpp"

namespace attn {

std::string_view Language::text_of(std::string_view op) const {
  for (const OperationText& operation : operations())
    if (operation.name == op) return operation.*text;
  refuse_option("program", "node", op, "an operation that programs have");
}

const LayerEmitter* Language::layer(std::string_view kind) const {
  for (const LayerEmitter& emitter : layers)
    if (emitter.kind == kind) return &emitter;
  return nullptr;
}

}  // namespace attn
