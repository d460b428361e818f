// Conversion of values between JavaScript and C++; each is copied.
#include "wasm/values.hpp"

#include <emscripten/heap.h>

#include <cmath>

namespace attn {

using emscripten::val;

std::string text_of(const val& value) { return value.as<std::string>(); }

std::vector<double> numbers_of(const val& value) { return emscripten::convertJSArrayToNumberVector<double>(value); }

std::uint64_t max_bytes_of(double bytes, std::string_view operation) {
  const auto most = static_cast<double>(emscripten_get_heap_max());
  if (!(bytes >= 0 && bytes <= most)) {
    refuse_option(operation, "maxBytes", format_number(bytes),
                  "from 0 to " + format_number(most) + ", the most that the core can hold");
  }
  return static_cast<std::uint64_t>(bytes);
}

namespace {

void check_length(const val& cells, const Shape& shape, std::string_view operation) {
  if (cells["length"].as<double>() != static_cast<double>(size_of(shape)))
    refuse_shape(operation, "data", shape, "as many numbers as data holds");
}

}  // namespace

std::vector<std::size_t> sizes_of(const val& value, std::string_view operation, std::string_view argument) {
  std::vector<std::size_t> sizes;
  for (const double number : numbers_of(value)) {
    if (!(number >= 0 && number < 4294967296.0) || number != std::floor(number)) {
      refuse_option(operation, argument, format_number(number), "a whole number from 0 to 4294967295");
    }
    sizes.push_back(static_cast<std::size_t>(number));
  }
  return sizes;
}

template <typename T>
void copy_cells(const val& cells, const Shape& shape, std::string_view operation, T* to) {
  check_length(cells, shape, operation);
  val(emscripten::typed_memory_view(size_of(shape), to)).template call<void>("set", cells);
}

template <typename T>
Array<T> array_of(const val& cells, const Shape& shape, std::string_view operation) {
  check_length(cells, shape, operation);
  Array<T> array = Array<T>::from_shape(typename Array<T>::shape_type(shape.begin(), shape.end()));
  copy_cells(cells, shape, operation, array.data());
  return array;
}

template void copy_cells(const val&, const Shape&, std::string_view, double*);

template Array<float> array_of(const val&, const Shape&, std::string_view);
template Array<double> array_of(const val&, const Shape&, std::string_view);

val list_of(const std::vector<std::size_t>& values) { return val::array(values.begin(), values.end()); }

val record_of(const Attributes& attributes) {
  val record = val::object();
  for (const auto& [name, attribute] : attributes) {
    std::visit(
        [&, key = name](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::vector<double>> || std::is_same_v<Value, std::vector<std::string>>) {
            record.set(key, val::array(value.begin(), value.end()));
          } else {
            record.set(key, value);
          }
        },
        attribute);
  }
  return record;
}

Attributes attributes_of(const val& record) {
  Attributes attributes;
  each_entry(record, [&](const std::string& name, const val& value) {
    Attribute& attribute = attributes[name];
    if (value.isNumber()) {
      attribute = value.as<double>();
    } else if (value.isString()) {
      attribute = text_of(value);
    } else if (value.isArray()) {
      if (value["length"].as<unsigned>() > 0 && value[0].isString()) {
        attribute = emscripten::vecFromJSArray<std::string>(value);
      } else {
        attribute = numbers_of(value);
      }
    } else {
      attribute = value.as<bool>();
    }
  });
  return attributes;
}

val record_of(const Row& row) {
  val operands = val::array();
  for (const Operand& operand : row.operands) {
    val record = val::object();
    record.set("input", operand.input);
    record.set("index", list_of(operand.index));
    record.set("value", operand.value);
    if (operand.root_of) record.set("rootOf", *operand.root_of);
    operands.call<void>("push", record);
  }
  val record = val::object();
  record.set("role", row.role);
  record.set("operands", operands);
  if (row.rest) {
    val rest = val::object();
    rest.set("count", row.rest->count);
    if (row.rest->value) rest.set("value", *row.rest->value);
    record.set("rest", rest);
  }
  if (row.value) record.set("value", *row.value);
  if (row.zero_within_rounding) record.set("zeroWithinRounding", true);
  return record;
}

val record_of(const Explanation& explanation) {
  val rows = val::array();
  for (const Row& row : explanation.rows) rows.call<void>("push", record_of(row));
  val sources = val::array();
  for (const Region& region : explanation.sources) {
    val record = val::object();
    record.set("input", region.input);
    record.set("from", list_of(region.from));
    record.set("to", list_of(region.to));
    sources.call<void>("push", record);
  }
  val record = val::object();
  record.set("rows", rows);
  record.set("sources", sources);
  record.set("attributes", record_of(explanation.attributes));
  if (!explanation.slips.empty()) {
    val slips = val::object();
    for (const auto& [name, value] : explanation.slips) slips.set(name, value);
    record.set("slips", slips);
  }
  return record;
}

}  // namespace attn
