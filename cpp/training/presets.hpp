// Runs that are known to learn: a task with a model and settings that fit it.
#pragma once

#include <string>
#include <vector>

#include "training/trainer.hpp"

namespace attn {

struct Preset {
  std::string name;
  Metadata options;  // as described() writes them; those that are absent have their defaults
};

// All presets, in the order in which they are listed.
const std::vector<Preset>& presets();

// The options of a preset. Throws InputError that lists the names for another.
const Metadata& preset_options(std::string_view name);

}  // namespace attn
