// Names of nodes as Python names.
#include "program/program_names.hpp"

#include <algorithm>

namespace attn {
namespace {

// Python's keywords, and the names that programs use themselves.
constexpr std::string_view kReserved =
    " False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield "
    "F RTOL ATOL SystemExit bool bytes check good int len list math max nn np print random range slice token_vectors "
    "torch zlib ";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

bool ProgramNames::is_reserved(const std::string& name) const {
  return kReserved.find(" " + name + " ") != std::string_view::npos ||
         std::any_of(language_.functions.begin(), language_.functions.end(),
                     [&](const Function& function) { return function.name == name; });
}

std::string ProgramNames::unique_name(std::string_view name, std::size_t id) {
  std::string identifier(name);
  std::replace_if(identifier.begin(), identifier.end(), [](char c) { return !is_name_character(c); }, '_');
  if (name.starts_with('#') || std::none_of(identifier.begin(), identifier.end(), is_letter))
    identifier = std::to_string(id);
  if (!is_letter(identifier[0])) identifier = "x" + identifier;
  std::string unique = identifier;
  for (std::size_t number = 2; is_reserved(unique) || !used_.emplace(unique, id).second; ++number)
    unique = identifier + "_" + std::to_string(number);
  return unique;
}

}  // namespace attn
