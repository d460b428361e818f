// Converts C++ exceptions into JavaScript Errors in calls from JavaScript.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace attn {

// Throws a JavaScript Error.
[[noreturn]] void throw_as_error(const std::string& message);

// Calls `work` and converts a C++ exception into a JavaScript Error. The Error is thrown after the handler is left,
// so that the C++ exception is freed.
template <typename Work>
auto guarded(Work work) -> decltype(work()) {
  std::string message;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    message = "core: the machine gives no more memory";
  } catch (const std::exception& error) {
    message = error.what();
  }
  throw_as_error(message);
}

// Wraps a function or method so that its exceptions are thrown as JavaScript Errors.
template <auto f>
struct Guarded;
template <typename Result, typename... Args, Result (*f)(Args...)>
struct Guarded<f> {
  static Result call(Args... args) {
    return guarded([&] { return f(std::forward<Args>(args)...); });
  }
};
template <typename Result, typename Class, typename... Args, Result (Class::*f)(Args...)>
struct Guarded<f> {
  static Result call(Class& self, Args... args) {
    return guarded([&] { return (self.*f)(std::forward<Args>(args)...); });
  }
};

}  // namespace attn
