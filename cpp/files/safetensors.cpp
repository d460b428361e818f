// Named arrays in one file: the safetensors format.
#include "files/safetensors.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "files/json_text.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "safetensors";
constexpr std::string_view kMetadata = "__metadata__";
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr std::size_t kMostAxes = 32;

// One entry of the header.
struct Entry {
  std::string name;
  Element element = {};
  Shape shape = {};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::optional<Element> element_named(std::string_view type) {
  using Kind = Element::Kind;
  struct Named {
    std::string_view name;
    Element element;
  };
  constexpr Named kTypes[] = {
      {"BOOL", {Kind::boolean, 1}},         {"U8", {Kind::unsigned_integer, 1}},  {"I8", {Kind::integer, 1}},
      {"U16", {Kind::unsigned_integer, 2}}, {"I16", {Kind::integer, 2}},          {"U32", {Kind::unsigned_integer, 4}},
      {"I32", {Kind::integer, 4}},          {"U64", {Kind::unsigned_integer, 8}}, {"I64", {Kind::integer, 8}},
      {"F16", {Kind::floating, 2}},         {"BF16", {Kind::bfloat16, 2}},        {"F32", {Kind::floating, 4}},
      {"F64", {Kind::floating, 8}},
  };
  for (const Named& named : kTypes) {
    if (named.name == type) return named.element;
  }
  return std::nullopt;
}

// {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
Entry read_entry(JsonText& json, std::string name) {
  Entry entry{.name = std::move(name)};
  bool has_type = false;
  bool has_shape = false;
  bool has_offsets = false;
  json.object([&](const std::string& key) {
    if (key == "dtype" && !has_type) {
      const std::string type = json.string();
      const std::optional<Element> element = element_named(type);
      if (!element) json.refuse("\"" + entry.name + "\" of type \"" + type + "\"");
      entry.element = *element;
      has_type = true;
    } else if (key == "shape" && !has_shape) {
      for (const std::uint64_t size : json.numbers()) {
        if (size > 0xffffffff) json.refuse("a size above 4294967295 in \"" + entry.name + "\"");
        entry.shape.push_back(static_cast<std::size_t>(size));
      }
      if (entry.shape.size() > kMostAxes) json.refuse("more than 32 axes in \"" + entry.name + "\"");
      has_shape = true;
    } else if (key == "data_offsets" && !has_offsets) {
      const std::vector<std::uint64_t> offsets = json.numbers();
      if (offsets.size() != 2) json.refuse("data_offsets of \"" + entry.name + "\" that are not two");
      entry.begin = offsets[0];
      entry.end = offsets[1];
      has_offsets = true;
    } else {
      json.refuse("an entry \"" + key + "\" of \"" + entry.name + "\"");
    }
  });
  if (!has_type || !has_shape || !has_offsets) json.refuse("an incomplete \"" + entry.name + "\"");
  return entry;
}

// Adds `more` to `bytes`. Throws MemoryError if the sum is above the limit.
void count_bytes(std::uint64_t& bytes, std::uint64_t more, const std::string& argument, std::uint64_t max_bytes) {
  bytes += more;
  if (bytes <= max_bytes) return;
  throw MemoryError("safetensors: " + argument + " needs " + std::to_string(bytes) + " bytes or more; the limit is " +
                    std::to_string(max_bytes) + " (maxBytes)");
}

// The JSON header of a file.
std::string_view header_of(BytesView file, const std::string& argument) {
  if (file.size() < 8) refuse_option(kName, argument, "cut off", "the length of its header");
  const std::uint64_t length = little_endian(file.first(8));
  if (length > kLongestHeader || length > file.size() - 8) {
    refuse_option(kName, argument, "no safetensors file, or cut off",
                  "a header of " + std::to_string(length) + " bytes as its first 8 say");
  }
  return {reinterpret_cast<const char*>(file.data()) + 8, static_cast<std::size_t>(length)};
}

// What a header says.
struct Header {
  std::vector<Entry> entries = {};
  Metadata metadata = {};
};

// `bytes` is the size of the file.
Header read_header(std::string_view header, const std::string& argument, std::uint64_t bytes, std::uint64_t max_bytes) {
  JsonText json(header, kName, argument);
  // Two invalid names could become equal when JavaScript replaces their invalid bytes.
  if (!is_utf8(header)) json.refuse("bytes that are not UTF-8");
  Header read;
  std::set<std::string> names;
  bool has_metadata = false;
  json.object([&](const std::string& key) {
    if (key == kMetadata) {
      if (has_metadata) json.refuse("\"__metadata__\" twice");
      has_metadata = true;
      json.object([&](const std::string& name) {
        count_bytes(bytes, kOverheadBytes, argument, max_bytes);
        read.metadata[name] = json.string();
      });
      return;
    }
    count_bytes(bytes, kOverheadBytes, argument, max_bytes);
    if (!names.insert(key).second) json.refuse("\"" + key + "\" twice");
    read.entries.push_back(read_entry(json, key));
  });
  json.end();
  return read;
}

// Checks that every byte belongs to exactly one array.
void check_offsets(const std::vector<Entry>& entries, std::uint64_t size, const std::string& argument) {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  std::uint64_t position = 0;
  for (const Entry* entry : order) {
    if (entry->begin != position || entry->end < entry->begin) {
      refuse_option(kName, argument,
                    "damaged: \"" + entry->name + "\" takes bytes " + std::to_string(entry->begin) + " to " +
                        std::to_string(entry->end),
                    "arrays one after another, the next from byte " + std::to_string(position));
    }
    position = entry->end;
  }
  if (position != size) {
    refuse_option(kName, argument, std::to_string(size) + " bytes long after its header",
                  std::to_string(position) + ", as its header says");
  }
}

}  // namespace

std::vector<NamedArray> read_safetensors(BytesView file, const std::string& argument, std::uint64_t max_bytes) {
  const std::string_view header = header_of(file, argument);
  const std::size_t start = 8 + header.size();
  const std::vector<Entry> entries = read_header(header, argument, file.size(), max_bytes).entries;
  check_offsets(entries, file.size() - start, argument);
  std::uint64_t bytes = file.size() + entries.size() * kOverheadBytes;
  for (const Entry& entry : entries)
    count_bytes(bytes, (entry.end - entry.begin) / entry.element.size * sizeof(double), argument, max_bytes);
  std::vector<NamedArray> arrays;
  for (const Entry& entry : entries) {
    const BytesView numbers =
        file.subspan(start + static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
    arrays.push_back({entry.name, read_elements(numbers, entry.shape, entry.element, kName, "\"" + entry.name + "\"")});
  }
  return arrays;
}

Metadata read_safetensors_metadata(BytesView file, const std::string& argument) {
  return read_header(header_of(file, argument), argument, file.size(), kMaxBytes).metadata;
}

Bytes write_safetensors(std::span<const NamedArray> arrays, Precision precision, const Metadata& metadata) {
  const std::uint64_t size = precision == Precision::float32 ? 4 : 8;
  std::string header = "{";
  for (const auto& [name, text] : metadata) {
    if (!is_utf8(name) || !is_utf8(text)) refuse_option(kName, "metadata", "bytes that are not UTF-8", "text in UTF-8");
    header += (header.size() == 1 ? json_quoted(kMetadata) + ":{" : std::string(",")) + json_quoted(name) + ":" +
              json_quoted(text);
  }
  if (!metadata.empty()) header += '}';
  std::uint64_t position = 0;
  std::set<std::string_view> names;
  for (const NamedArray& array : arrays) {
    if (array.name == kMetadata) {
      refuse_option(kName, "name", "\"__metadata__\"", "another name: the format reserves this one");
    }
    if (!names.insert(array.name).second)
      refuse_option(kName, "name", "\"" + array.name + "\" twice", "each name once");
    const std::uint64_t end = position + array.value.size() * size;
    if (header.size() > 1) header += ',';
    header += json_quoted(array.name) + ":{\"dtype\":\"" + (size == 4 ? "F32" : "F64") + "\",\"shape\":[";
    bool first = true;
    for (const std::size_t sizes : shape_of(array.value)) {
      header += (first ? "" : ",") + std::to_string(sizes);
      first = false;
    }
    header += "],\"data_offsets\":[" + std::to_string(position) + "," + std::to_string(end) + "]}";
    position = end;
  }
  header += '}';
  header.append((8 - header.size() % 8) % 8, ' ');
  Bytes file;
  append_little_endian(file, header.size(), 8);
  file.insert(file.end(), header.begin(), header.end());
  for (const NamedArray& array : arrays) append_elements(file, array.value, precision);
  return file;
}

}  // namespace attn
