// Reading and writing files of numbers from JavaScript: bytes on one side, named tensors on the other.
#include <emscripten/bind.h>

#include "files/npz.hpp"
#include "files/safetensors.hpp"
#include "wasm/guarded.hpp"
#include "wasm/transformer/file_bytes.hpp"

namespace attn {

namespace js {
EMSCRIPTEN_DECLARE_VAL_TYPE(InflateCall)
EMSCRIPTEN_DECLARE_VAL_TYPE(NamedTensors)
}  // namespace js

namespace {

using emscripten::val;

js::NamedTensors list_of_arrays(const std::vector<NamedArray>& arrays) {
  val list = val::array();
  for (const NamedArray& array : arrays) {
    val record = val::object();
    record.set("name", array.name);
    record.set("shape", list_of(shape_of(array.value)));
    record.set("data", copy_of(array.value.data(), array.value.size()));
    list.call<void>("push", record);
  }
  return js::NamedTensors(list);
}

std::vector<NamedArray> arrays_of(const val& list, const char* operation) {
  std::vector<NamedArray> arrays;
  const auto count = list["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const val record = list[i];
    const Shape shape = sizes_of(record["shape"], operation, "shape");
    arrays.push_back({text_of(record["name"]), array_of<double>(record["data"], shape, operation)});
  }
  return arrays;
}

Precision precision_of(bool single_precision) { return single_precision ? Precision::float32 : Precision::float64; }

js::NamedTensors read_npy_file(js::FileBytes file) {
  return list_of_arrays({{"", read_npy(bytes_of(file, "readNpy"))}});
}

// JavaScript's inflate returns undefined for invalid data: an exception thrown in JavaScript would bypass the core's
// exceptions.
js::NamedTensors read_npz_file(js::FileBytes file, js::InflateCall inflate, double requested_bytes) {
  const std::uint64_t max_bytes = max_bytes_of(requested_bytes, "readNpz");
  const Inflate call = [&](BytesView deflated, std::uint64_t size) {
    const val inflated = inflate(copy_of(deflated.data(), deflated.size()), static_cast<double>(size));
    if (inflated.isUndefined()) refuse_option("npz", "file", "damaged", "entries that can be inflated");
    return bytes_of(inflated, "readNpz", max_bytes);
  };
  return list_of_arrays(read_npz(bytes_of(file, "readNpz", max_bytes), call, "file", max_bytes));
}

js::NamedTensors read_safetensors_file(js::FileBytes file, double requested_bytes) {
  const std::uint64_t max_bytes = max_bytes_of(requested_bytes, "readSafetensors");
  return list_of_arrays(read_safetensors(bytes_of(file, "readSafetensors", max_bytes), "file", max_bytes));
}

js::FileBytes write_npy_file(js::NamedTensors tensors, bool single_precision) {
  return copied(write_npy(arrays_of(tensors, "npy").at(0).value, precision_of(single_precision)));
}

js::FileBytes write_npz_file(js::NamedTensors tensors, bool single_precision) {
  return copied(write_npz(arrays_of(tensors, "npz"), precision_of(single_precision)));
}

js::FileBytes write_safetensors_file(js::NamedTensors tensors, bool single_precision) {
  return copied(write_safetensors(arrays_of(tensors, "safetensors"), precision_of(single_precision)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(files) {
  using emscripten::function;

  emscripten::register_type<js::FileBytes>("Uint8Array");
  emscripten::register_type<js::InflateCall>("(deflated: Uint8Array, size: number) => Uint8Array | undefined");
  emscripten::register_type<js::NamedTensors>("{ name: string, shape: number[], data: Float64Array | Float32Array }[]");

  function("readNpy", &Guarded<&read_npy_file>::call);
  function("readNpz", &Guarded<&read_npz_file>::call);
  function("readSafetensors", &Guarded<&read_safetensors_file>::call);
  function("writeNpy", &Guarded<&write_npy_file>::call);
  function("writeNpz", &Guarded<&write_npz_file>::call);
  function("writeSafetensors", &Guarded<&write_safetensors_file>::call);
}

}  // namespace attn
