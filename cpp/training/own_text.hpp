// Texts to learn from, about attention in plain words.
#pragma once

#include <string_view>

namespace attn {

extern const std::string_view kEnglishText;
extern const std::string_view kChineseText;

}  // namespace attn
