// Named parameters that outlive graphs: what a model learns, saves and loads.
#include "tensor/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tensor/random.hpp"

namespace attn {
namespace {

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

template <typename T>
std::uint64_t bytes_of(const Shape& shape) {
  return cell_count(shape) * sizeof(T);
}

// The numbers of a spec and their origin.
template <typename T>
void fill(Parameter<T>& parameter, const Initial& initial, std::uint32_t seed) {
  parameter.origin = {{"kind", "literal"}};
  if (initial.kind == Initial::Kind::zeros) return;
  if (initial.kind == Initial::Kind::ones) {
    std::fill(parameter.value.begin(), parameter.value.end(), T(1));
    return;
  }
  const std::uint32_t own_seed = token_seed(parameter.name, seed);
  RandomState random(own_seed);
  parameter.origin = {{"kind", "draw"}, {"seed", static_cast<double>(own_seed)}, {"skip", std::string()}};
  if (initial.kind == Initial::Kind::uniform) {
    for (T& cell : parameter.value) cell = static_cast<T>(random.uniform(-initial.bound, initial.bound));
    parameter.origin.insert({{"method", "uniform"}, {"low", -initial.bound}, {"high", initial.bound}});
  } else {
    for (T& cell : parameter.value) cell = static_cast<T>(random.randn() / initial.divisor);
    parameter.origin.insert({{"method", "randn"}, {"divisor", initial.divisor}});
  }
}

}  // namespace

ParameterSpecs within(const std::string& module, ParameterSpecs specs) {
  for (ParameterSpec& spec : specs) spec.name = module + "." + spec.name;
  return specs;
}

ParameterSpecs join(std::vector<ParameterSpecs> parts) {
  ParameterSpecs joined;
  for (ParameterSpecs& part : parts) {
    for (ParameterSpec& spec : part) joined.push_back(std::move(spec));
  }
  return joined;
}

template <typename T>
double total_bytes(const ParameterSpecs& specs) {
  double bytes = 0;
  for (const ParameterSpec& spec : specs) bytes += static_cast<double>(bytes_of<T>(spec.shape) + kOverheadBytes);
  return bytes;
}

template <typename T>
const Parameter<T>* Parameters<T>::find(std::string_view name) const {
  const auto found = indices_.find(name);
  return found == indices_.end() ? nullptr : &list_[found->second];
}

template <typename T>
Parameter<T>& Parameters<T>::parameter_at(std::string_view name, std::string_view operation) {
  const Parameter<T>* parameter = find(name);
  if (!parameter) refuse_option(operation, "name", quoted(name), "the name of a parameter");
  return const_cast<Parameter<T>&>(*parameter);
}

template <typename T>
void Parameters<T>::check_memory(double more, std::string_view operation) const {
  constexpr double kMost = 9.2e18;
  attn::check_memory(operation, static_cast<std::uint64_t>(std::min(more, kMost)),
                     bytes() + list_.size() * kOverheadBytes, max_bytes_);
}

template <typename T>
void Parameters<T>::append(Parameter<T> parameter) {
  list_.push_back(std::move(parameter));
  try {
    indices_.emplace(list_.back().name, list_.size() - 1);
  } catch (...) {
    list_.pop_back();
    throw;
  }
  cells_ += list_.back().value.size();
}

template <typename T>
void Parameters<T>::add(std::string name, Array<T> value, Origin origin) {
  if (name.empty()) refuse_option("parameters", "name", "empty", "a name");
  if (has(name)) refuse_option("parameters", "name", quoted(name), "one that no other parameter has");
  check_memory(static_cast<double>(bytes_of<T>(shape_of(value)) + kOverheadBytes), "parameters");
  append({std::move(name), std::move(value), std::nullopt, std::move(origin)});
}

template <typename T>
void Parameters<T>::draw(const ParameterSpecs& specs, std::uint32_t seed) {
  // All names are checked before the first parameter is added, so that a refusal leaves nothing behind.
  std::set<std::string_view> names;
  for (const ParameterSpec& spec : specs) {
    if (!names.insert(spec.name).second || has(spec.name)) {
      refuse_option("parameters", "name", quoted(spec.name), "one that no other parameter has");
    }
  }
  check_memory(total_bytes<T>(specs), "parameters");
  std::vector<Parameter<T>> parameters;
  for (const ParameterSpec& spec : specs) {
    parameters.push_back({spec.name, full<T>(spec.shape, T(0)), std::nullopt, {}});
    fill(parameters.back(), spec.initial, seed);
  }
  for (Parameter<T>& parameter : parameters) append(std::move(parameter));
}

template <typename T>
std::uint64_t Parameters<T>::count() const {
  std::uint64_t count = 0;
  for (const Parameter<T>& parameter : list_) count += parameter.value.size();
  return count;
}

template <typename T>
const Parameter<T>& Parameters<T>::at(std::string_view name) const {
  const Parameter<T>* parameter = find(name);
  if (!parameter) refuse_option("parameters", "name", quoted(name), "the name of a parameter");
  return *parameter;
}

template <typename T>
void Parameters<T>::set(std::string_view name, Array<T> value) {
  Parameter<T>& parameter = parameter_at(name, "parameters");
  const Shape expected = shape_of(parameter.value);
  if (shape_of(value) != expected) {
    refuse_shape("parameters", quoted(name), shape_of(value), to_string(expected));
  }
  parameter.value = std::move(value);
  parameter.origin = {{"kind", "literal"}};
}

template <typename T>
void Parameters<T>::add_gradient(std::string_view name, const Array<T>& gradient) {
  Parameter<T>& parameter = parameter_at(name, "parameters");
  const Shape expected = shape_of(parameter.value);
  if (shape_of(gradient) != expected) {
    refuse_shape("parameters", "gradient of " + quoted(name), shape_of(gradient), to_string(expected));
  }
  if (!parameter.gradient) {
    check_memory(static_cast<double>(bytes_of<T>(expected)), "parameters");
    parameter.gradient = gradient;
    cells_ += gradient.size();
    return;
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) parameter.gradient->data()[i] += gradient.data()[i];
}

template <typename T>
void Parameters<T>::zero_grad() {
  for (Parameter<T>& parameter : list_) {
    if (parameter.gradient) cells_ -= parameter.value.size();
    parameter.gradient.reset();
  }
}

template <typename T>
void Parameters<T>::load(std::span<const NamedArray> arrays, std::string_view operation) {
  std::vector<ArraySource> sources;
  for (const NamedArray& array : arrays)
    sources.push_back({array.name, shape_of(array.value), [&array](std::span<double> numbers) {
                         std::copy_n(array.value.data(), numbers.size(), numbers.data());
                       }});
  load(std::span<const ArraySource>(sources), operation);
}

template <typename T>
void Parameters<T>::load(std::span<const ArraySource> arrays, std::string_view operation) {
  std::vector<const ArraySource*> sources(list_.size(), nullptr);
  std::uint64_t largest = 0;
  for (const ArraySource& array : arrays) {
    const auto index = static_cast<std::size_t>(&parameter_at(array.name, operation) - list_.data());
    if (sources[index]) refuse_option(operation, "name", quoted(array.name) + ", twice", "each parameter once");
    const Shape expected = shape_of(list_[index].value);
    if (array.shape != expected) refuse_shape(operation, quoted(array.name), array.shape, to_string(expected));
    largest = std::max(largest, bytes_of<double>(expected));
    sources[index] = &array;
  }
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (!sources[i]) refuse_option(operation, quoted(list_[i].name), "missing", "every parameter");
  }
  check_memory(static_cast<double>(largest), operation);
  const auto overflows = [](double number) {
    return std::isfinite(number) && std::abs(number) > static_cast<double>(std::numeric_limits<T>::max());
  };
  // All memory is allocated before the first number is replaced, so that a failed allocation changes nothing.
  std::vector<double, CountingAllocator<double>> memory(static_cast<std::size_t>(largest / sizeof(double)));
  std::vector<Origin> origins(list_.size(), Origin{{"kind", "literal"}});
  const auto read = [&](std::size_t i) {
    const std::span<double> numbers(memory.data(), list_[i].value.size());
    sources[i]->read(numbers);
    return numbers;
  };
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const std::span<double> numbers = read(i);
    const auto found = std::find_if(numbers.begin(), numbers.end(), overflows);
    if (found != numbers.end())
      refuse_option(operation, quoted(list_[i].name), format_number(*found), "numbers of float32");
  }
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const std::span<double> numbers = read(i);
    std::transform(numbers.begin(), numbers.end(), list_[i].value.begin(),
                   [](double number) { return static_cast<T>(number); });
    list_[i].origin.swap(origins[i]);
  }
}

template <typename T>
std::vector<NamedArray> Parameters<T>::save() const {
  std::vector<NamedArray> arrays;
  for (const Parameter<T>& parameter : list_) {
    NamedArray array{parameter.name, full<double>(shape_of(parameter.value), 0)};
    std::copy(parameter.value.begin(), parameter.value.end(), array.value.begin());
    arrays.push_back(std::move(array));
  }
  return arrays;
}

template double total_bytes<float>(const ParameterSpecs&);
template double total_bytes<double>(const ParameterSpecs&);
template class Parameters<float>;
template class Parameters<double>;

}  // namespace attn
