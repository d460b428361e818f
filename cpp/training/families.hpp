// The families of tasks that make_task chooses from.
#pragma once

#include "training/task.hpp"

namespace attn {

Task copy_task(const TaskOptions& options);
Task reverse_task(const TaskOptions& options);
Task sort_task(const TaskOptions& options);
Task parentheses_task(const TaskOptions& options);
Task modular_addition_task(const TaskOptions& options);
Task translation_task(const TaskOptions& options);
Task text_task(const TaskOptions& options);
Task masked_token_task(const TaskOptions& options);
Task shapes_task(const TaskOptions& options);

// The number that was given, or `otherwise`. Throws InputError outside of `least` to `most`.
std::size_t checked_option(const char* name, const std::optional<std::size_t>& given, std::size_t otherwise,
                           std::size_t least, std::size_t most);

}  // namespace attn
