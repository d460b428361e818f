// Writes the seeds as files: `write_seeds FOLDER`.
#include <filesystem>
#include <fstream>

#include "seeds.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 1;
  const std::filesystem::path root = arguments[1];
  for (const fuzz::Seed& seed : fuzz::seeds()) {
    std::filesystem::create_directories(root / seed.format);
    std::ofstream file(root / seed.format / (seed.name + "." + seed.format), std::ios::binary);
    file.write(reinterpret_cast<const char*>(seed.bytes.data()), static_cast<std::streamsize>(seed.bytes.size()));
    if (!file) return 1;
  }
  return 0;
}
