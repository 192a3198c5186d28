#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace claybox::engine {

bool write_png(FileWriter& file, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error) {
    constexpr int kMaxSide = 16384;  // four bytes per pixel must fit in an int
    const bool valid = width > 0 && height > 0 && width <= kMaxSide && height <= kMaxSide &&
                       rgb.size() == std::size_t(width) * std::size_t(height) * 3;
    if (!valid) {
        error = text_of(file.target()) + ": an image of " + std::to_string(width) + " x " +
                std::to_string(height) + " pixels, expected 1 to 16384 per side and three bytes per pixel";
        return false;
    }
    std::string bytes;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                                   static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &bytes, width, height, 3, rgb.data(), width * 3) == 0) {
        error = text_of(file.target()) + ": the image could not be encoded";
        return false;
    }
    file.append(bytes);
    return true;
}

bool write_png(const std::filesystem::path& path, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error) {
    FileWriter file;
    return file.open(path, error) && write_png(file, width, height, rgb, error) && file.commit(error);
}

}  // namespace claybox::engine
