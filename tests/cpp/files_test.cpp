// Parameters in files: reading files of NumPy and safetensors, reading back written files, refusing invalid files.
#include <catch_amalgamated.hpp>

#include "files/npz.hpp"
#include "files/safetensors.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Bytes;
using attn::BytesView;
using attn::NamedArray;
using attn::Precision;
using attn::Shape;

namespace {

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const attn::InputError& error) {
    return error.what();
  } catch (const attn::MemoryError& error) {
    return error.what();
  }
  return "";
}

Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

// A .npy file of version 1.0 with this dictionary and these bytes.
Bytes npy(const std::string& dictionary, const Bytes& numbers, std::uint8_t version = 1) {
  Bytes file = bytes_of("\x93NUMPY");
  file.push_back(version);
  file.push_back(0);
  attn::append_little_endian(file, dictionary.size() + 1, version == 1 ? 2 : 4);
  const Bytes text = bytes_of(dictionary + "\n");
  file.insert(file.end(), text.begin(), text.end());
  file.insert(file.end(), numbers.begin(), numbers.end());
  return file;
}

std::string descr(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

Bytes safetensors(const std::string& header, const Bytes& numbers) {
  Bytes file;
  attn::append_little_endian(file, header.size(), 8);
  const Bytes text = bytes_of(header);
  file.insert(file.end(), text.begin(), text.end());
  file.insert(file.end(), numbers.begin(), numbers.end());
  return file;
}

std::vector<double> cells(const Array<double>& array) { return {array.begin(), array.end()}; }

std::vector<NamedArray> some_arrays() {
  attn::RandomState random(1);
  std::vector<NamedArray> arrays;
  for (const auto& [name, shape] : std::vector<std::pair<std::string, Shape>>{{"layers.0.weight", {2, 3}},
                                                                              {"bias", {4}},
                                                                              {"scalar", {}},
                                                                              {"empty", {0, 2}},
                                                                              {"词 \"表\"\\\n", {1, 1, 2}}}) {
    Array<double> value = attn::full<double>(shape, 0);
    for (double& cell : value) cell = static_cast<float>(random.randn());
    arrays.push_back({name, value});
  }
  return arrays;
}

void check_same(const std::vector<NamedArray>& got, const std::vector<NamedArray>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].name == expected[i].name);
    CHECK(attn::shape_of(got[i].value) == attn::shape_of(expected[i].value));
    CHECK(cells(got[i].value) == cells(expected[i].value));
  }
}

}  // namespace

TEST_CASE("A .npy file may have every number type, byte order and axis order") {
  const auto read = [](const std::string& type, const std::string& shape, const Bytes& numbers, bool fortran = false) {
    return cells(attn::read_npy(npy(descr(type, shape, fortran), numbers)));
  };
  using Numbers = std::vector<double>;
  CHECK(read("|b1", "(3,)", {0, 1, 2}) == Numbers{0, 1, 1});
  CHECK(read("|u1", "(2,)", {7, 255}) == Numbers{7, 255});
  CHECK(read("|i1", "(2,)", {7, 255}) == Numbers{7, -1});
  CHECK(read("<i2", "(2,)", {0, 128, 255, 255}) == Numbers{-32768, -1});
  CHECK(read(">u2", "(1,)", {1, 2}) == Numbers{258});
  CHECK(read("<i4", "()", {254, 255, 255, 255}) == Numbers{-2});
  CHECK(read("<i8", "(1,)", {0, 0, 0, 0, 0, 0, 0, 128}) == Numbers{-9223372036854775808.0});
  CHECK(read("<f2", "(6,)", {0x00, 0x3c, 0x00, 0xc1, 0x01, 0x00, 0x00, 0x7c, 0xff, 0x7b, 0x00, 0x80}) ==
        Numbers{1, -2.5, std::ldexp(1, -24), std::numeric_limits<double>::infinity(), 65504, -0.0});
  CHECK(read(">f4", "(1,)", {0xbf, 0xc0, 0, 0}) == Numbers{-1.5});
  CHECK(read("<f8", "(1,)", {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}) == Numbers{1.5});
  CHECK(read("|u1", "(2, 3)", {1, 2, 3, 4, 5, 6}, true) == Numbers{1, 3, 5, 2, 4, 6});
  CHECK(attn::shape_of(attn::read_npy(npy(descr("<f8", "(0, 3)"), {}))) == Shape{0, 3});
  CHECK(cells(attn::read_npy(npy("{\"shape\": (1,), \"descr\": \"|u1\", \"fortran_order\": False}", {5}, 2))) ==
        Numbers{5});
  CHECK(std::isnan(read("<f2", "(1,)", {1, 0x7c})[0]));
}

TEST_CASE("Written files are read back: .npy with the bytes of NumPy, .npz, .safetensors") {
  Array<double> small = attn::full<double>({2}, 0);
  small(1) = -1.5;
  const Bytes file = attn::write_npy(small, Precision::float32);
  std::string expected =
      std::string("\x93NUMPY\x01\x00v\x00", 10) + "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  expected.append(127 - expected.size(), ' ');
  expected += '\n';
  expected += std::string("\0\0\0\0\0\0\xc0\xbf", 8);
  CHECK(file == bytes_of(expected));
  const std::vector<NamedArray> arrays = some_arrays();
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const NamedArray& array : arrays)
      check_same({{array.name, attn::read_npy(attn::write_npy(array.value, precision))}}, {array});
    check_same(attn::read_npz(attn::write_npz(arrays, precision)), arrays);
    check_same(attn::read_safetensors(attn::write_safetensors(arrays, precision)), arrays);
  }
  check_same(attn::read_npz(attn::write_npz({})), {});
  check_same(attn::read_safetensors(attn::write_safetensors({})), {});
}

TEST_CASE("A .safetensors file may have its types at any offsets") {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b\u0041\ud83d\ude00":{"dtype":"BF16","shape":[2],"data_offsets":[2,6]}, )"
      R"("a" : {"data_offsets":[0, 2],"shape":[],"dtype":"F16"},"c":{"dtype":"I64","shape":[0],"data_offsets":[6,6]}}  )";
  const auto arrays = attn::read_safetensors(safetensors(header, {0x00, 0x3c, 0xc0, 0x3f, 0x20, 0xc0}));
  REQUIRE(arrays.size() == 3);
  CHECK(arrays[0].name == "bA\U0001F600");
  CHECK(cells(arrays[0].value) == std::vector<double>{1.5, -2.5});
  CHECK(attn::shape_of(arrays[1].value).empty());
  CHECK(cells(arrays[1].value) == std::vector<double>{1});
  CHECK(attn::shape_of(arrays[2].value) == Shape{0});
}

TEST_CASE("Deflated entries are inflated by the given function, and checked") {
  Bytes archive = attn::write_npz(std::vector<NamedArray>{{"a", attn::full<double>({1}, 3)}});
  // The same archive, with entries marked as deflated in its directory.
  const std::string text(archive.begin(), archive.end());
  const std::size_t record = text.find("PK\x01\x02");
  REQUIRE(record != std::string::npos);
  archive[record + 10] = 8;
  CHECK(refusal([&] { attn::read_npz(archive); }) ==
        "zip: \"a.npy\" is deflated, expected a stored entry, or a function that inflates it");
  std::uint64_t requested = 0;
  const auto same = [&](BytesView deflated, std::uint64_t size) {
    requested = size;
    return Bytes(deflated.begin(), deflated.end());
  };
  CHECK(cells(attn::read_npz(archive, same)[0].value) == std::vector<double>{3});
  CHECK(requested == 136);
  const auto changed = [](BytesView deflated, std::uint64_t) {
    Bytes bytes(deflated.begin(), deflated.end());
    bytes.back() ^= 1;
    return bytes;
  };
  CHECK(refusal([&] { attn::read_npz(archive, changed); }) ==
        "zip: \"a.npy\" is damaged, expected bytes that match their checksum");
  CHECK(refusal([&] { attn::read_npz(archive, [](BytesView, std::uint64_t) { return Bytes(3, 0); }); }) ==
        "zip: \"a.npy\" is 3 bytes long, expected 136, as the directory says");
  // An entry that is not a .npy file is recognised by its first bytes, not inflated to its end.
  std::vector<std::uint64_t> sizes;
  const auto zeros = [&](BytesView, std::uint64_t size) {
    sizes.push_back(size);
    return Bytes(static_cast<std::size_t>(size), 0);
  };
  CHECK(refusal([&] { attn::read_npz(archive, zeros); }) ==
        "npy: \"a\" is no .npy, expected one that begins with \\x93NUMPY");
  CHECK(sizes == std::vector<std::uint64_t>{attn::kNpyMagicSize});
  requested = 0;
  // The file and the arrays read from it are in memory together.
  const std::size_t needed = archive.size() + 1160;
  CHECK(refusal([&] { attn::read_npz(archive, same, "file", needed - 1); }) ==
        "npz: file needs " + std::to_string(needed) + " bytes or more; the limit is " + std::to_string(needed - 1) +
            " (maxBytes)");
  CHECK(requested == 0);
}

TEST_CASE("A file counts as memory beside the numbers read from it") {
  const std::vector<attn::NamedArray> arrays = {{"a", attn::full<double>({100}, 1)}};
  const Bytes tensors = attn::write_safetensors(arrays);
  const Bytes archive = attn::write_npz(arrays);
  const std::size_t numbers = 100 * sizeof(double) + attn::kOverheadBytes;
  CHECK_NOTHROW(attn::read_safetensors(tensors, "file", tensors.size() + numbers));
  CHECK_THROWS_AS(attn::read_safetensors(tensors, "file", tensors.size() + numbers - 1), attn::MemoryError);
  const std::size_t entry = attn::write_npy(arrays[0].value).size();  // size after inflating
  CHECK_NOTHROW(attn::read_npz(archive, {}, "file", archive.size() + entry + attn::kOverheadBytes));
  CHECK_THROWS_AS(attn::read_npz(archive, {}, "file", archive.size() + entry + attn::kOverheadBytes - 1),
                  attn::MemoryError);
}

TEST_CASE("Bad files are refused with their name and the expected value") {
  const Bytes one = {1};
  const auto bad_npy = [&](const Bytes& file) { return refusal([&] { attn::read_npy(file, "w.npy"); }); };
  CHECK(bad_npy({}) == "npy: w.npy is no .npy, expected one that begins with \\x93NUMPY");
  CHECK(bad_npy(bytes_of("\x93NUMPY")) == "npy: w.npy is cut off, expected a version");
  CHECK(bad_npy(npy(descr("|u1", "(1,)"), one, 4)) == "npy: w.npy is a .npy of version 4.0, expected 1.0, 2.0 or 3.0");
  CHECK(bad_npy(npy(descr("|u1", "(2,)"), one)) ==
        "npy: w.npy is 1 bytes long after its header, expected 2 for shape (2,)");
  CHECK(bad_npy(npy(descr("|u1", "(1,)"), {1, 2})) ==
        "npy: w.npy is 2 bytes long after its header, expected 1 for shape (1,)");
  CHECK(bad_npy(npy(descr("<c8", "(1,)"), one)).find("w.npy is a .npy of type \"<c8\"") != std::string::npos);
  CHECK_FALSE(bad_npy(npy(descr("|O", "(1,)"), one)).empty());
  CHECK_FALSE(bad_npy(npy(descr("<f1", "(1,)"), one)).empty());
  CHECK_FALSE(bad_npy(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", one)).empty());
  CHECK_FALSE(bad_npy(npy("{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1,)}", one)).empty());
  CHECK_FALSE(bad_npy(npy("{'descr': '|u1', 'shape': (1,)}", one)).empty());
  CHECK_FALSE(bad_npy(npy(descr("|u1", "(-1,)"), one)).empty());
  CHECK(bad_npy(npy(descr("|u1", "(1)"), one)).find("a shape that is not a tuple") != std::string::npos);
  // Modulo 2^32 or 2^64 each of these would be the size of the one byte in the file, or 0.
  for (const std::string size : {"4294967296", "4294967297", "18446744073709551617", "99999999999999999999"}) {
    CHECK(bad_npy(npy(descr("|u1", "(" + size + ",)"), one)) ==
          "npy: w.npy is a .npy with a size above 4294967295 in its header, "
          "expected descr, fortran_order and shape, once each");
  }
  CHECK_FALSE(bad_npy(npy(descr("|u1", "(4294967295, 4294967295, 4294967295)"), one)).empty());
  CHECK(bad_npy(npy(descr("|u1", "(100000000,)"), one)).find("the limit is 536870912") != std::string::npos);
  CHECK(bad_npy(npy(descr("<u8", "(1,)"), {1, 0, 0, 0, 0, 0, 0, 128})) ==
        "npy: w.npy is 9223372036854775809 at position 0, expected integers of at most 53 bits");

  const auto bad_tensors = [&](const Bytes& file) { return refusal([&] { attn::read_safetensors(file, "m"); }); };
  const auto entry = [](const std::string& rest) { return "{\"a\":{" + rest + "}}"; };
  const std::string whole = R"("dtype":"U8","shape":[1],"data_offsets":[0,1])";
  CHECK(bad_tensors(safetensors(entry(whole), one)).empty());
  CHECK(bad_tensors({1, 2}) == "safetensors: m is cut off, expected the length of its header");
  CHECK_FALSE(bad_tensors(bytes_of("<!DOCTYPE html>")).empty());
  CHECK(bad_tensors(safetensors("[]", {})) ==
        "safetensors: m is damaged: its header has no { at position 0, expected a valid header");
  CHECK(bad_tensors(safetensors(entry(R"("dtype":"F8","shape":[1],"data_offsets":[0,1])"), one)) ==
        "safetensors: m is damaged: its header has \"a\" of type \"F8\", expected a valid header");
  CHECK(bad_tensors(safetensors(entry(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])"), {1, 2})) ==
        "safetensors: m is damaged: \"a\" takes bytes 1 to 2, expected arrays one after another, the next from byte 0");
  CHECK(bad_tensors(safetensors(entry(whole), {1, 2})) ==
        "safetensors: m is 2 bytes long after its header, expected 1, as its header says");
  CHECK(bad_tensors(safetensors(entry(R"("dtype":"U8","shape":[2],"data_offsets":[0,1])"), one)) ==
        "safetensors: \"a\" is 1 bytes long after its header, expected 2 for shape (2,)");
  for (const std::string wrong :
       {R"("dtype":"U8","shape":[1])", R"("dtype":"U8","shape":[1.5],"data_offsets":[0,1])",
        R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])", R"("dtype":"U8","shape":[1],"data_offsets":[0])",
        R"("dtype":"U8","shape":[1],"data_offsets":[0,1],"more":1)", R"("dtype":8,"shape":[1],"data_offsets":[0,1])"})
    CHECK_FALSE(bad_tensors(safetensors(entry(wrong), one)).empty());
  CHECK_FALSE(bad_tensors(safetensors("{\"a\":{" + whole + "},\"a\":{" + whole + "}}", one)).empty());
  CHECK_FALSE(bad_tensors(safetensors(entry(whole) + "x", one)).empty());
  CHECK_FALSE(bad_tensors(safetensors(R"({"\ud800":{)" + whole + "}}", one)).empty());
  const auto named = [&](const std::string& name) { return safetensors("{\"" + name + "\":{" + whole + "}}", one); };
  for (const std::string name : {"é", "注意力", "\U0001f600", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    CHECK(bad_tensors(named(name)).empty());
  // Misplaced bytes, cut off, overlong, a surrogate, beyond the last character.
  for (const std::string name : {"\xff", "\x80", "\xc3", "\xe6\xb3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf",
                                 "\xed\xa0\x80", "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80"})
    CHECK(bad_tensors(named(name)).find("its header has bytes that are not UTF-8") != std::string::npos);

  const auto bad_npz = [&](const Bytes& file) { return refusal([&] { attn::read_npz(file, {}, "m.npz"); }); };
  CHECK(bad_npz({}) == "zip: m.npz is not an archive, or cut off, expected an archive with a directory at its end");
  CHECK(bad_npz(attn::write_zip(std::vector<attn::ZipFile>{{"a.txt", one}})) ==
        "npz: m.npz is an archive with \"a.txt\", expected entries that end in .npy");
  const attn::ZipFile array{"a.npy", attn::write_npy(attn::full<double>({1}, 0))};
  CHECK(bad_npz(attn::write_zip(std::vector<attn::ZipFile>{array, array})) ==
        "npz: m.npz is an archive with \"a.npy\" twice, expected each name once");
  Bytes damaged = attn::write_zip(std::vector<attn::ZipFile>{array});
  damaged[30 + 5 + 130] ^= 1;
  CHECK(bad_npz(damaged) == "zip: \"a.npy\" is damaged, expected bytes that match their checksum");
}

TEST_CASE("A file with any bytes changed or cut off is read or refused, never a crash") {
  const std::vector<NamedArray> arrays = some_arrays();
  const Bytes files[] = {attn::write_npy(arrays[0].value), attn::write_npz(arrays), attn::write_safetensors(arrays)};
  attn::RandomState random(17);
  std::size_t refused = 0;
  for (int run = 0; run < 6000; ++run) {
    Bytes file = files[run % 3];
    const auto random_offset = [&] {
      return static_cast<std::size_t>(random.randint(0, static_cast<std::int64_t>(file.size())));
    };
    const auto changes = random.randint(1, 4);
    for (std::int64_t i = 0; i < changes; ++i) {
      const std::size_t at = random.randint(0, 2) ? random_offset() : random_offset() % 160;
      if (at < file.size()) file[at] = static_cast<std::uint8_t>(random.randint(0, 256));
    }
    if (run % 5 == 0) file.resize(random_offset());
    const std::string message = refusal([&] {
      if (run % 3 == 0) attn::read_npy(file);
      if (run % 3 == 1) attn::read_npz(file);
      if (run % 3 == 2) attn::read_safetensors(file);
    });
    refused += !message.empty();
  }
  CHECK(refused > 2000);
}

TEST_CASE("Names that could not be read back are not written") {
  const auto message = [](const std::vector<std::string>& names, auto write) {
    std::vector<NamedArray> arrays;
    for (const std::string& name : names) arrays.push_back({name, attn::full<double>({1}, 0)});
    return refusal([&] { write(arrays, Precision::float64); });
  };
  const auto npz = [](const auto&... arguments) { attn::write_npz(arguments...); };
  const auto tensors = [](const auto&... arguments) { attn::write_safetensors(arguments...); };
  CHECK(message({""}, npz) == "npz: name is empty, expected a name");
  CHECK(message({"a", "a"}, npz) == "npz: name is \"a\" twice, expected each name once");
  CHECK(message({"__metadata__"}, npz).empty());
  CHECK(message({"__metadata__"}, tensors) ==
        "safetensors: name is \"__metadata__\", expected another name: the format reserves this one");
  CHECK(message({"a", "b", "a"}, tensors) == "safetensors: name is \"a\" twice, expected each name once");
  CHECK(message({"", "b"}, tensors).empty());
}
