#include "engine/ui/drawing/pictures.hpp"

#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"
#include "engine/gl/gl.hpp"
#include "engine/ui/ui_impl.hpp"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

namespace claybox::engine {
namespace {

/// 0 with a sentence in `error` if the bytes are not a PNG file.
unsigned upload(const std::string& bytes, std::string& error) {
    int width = 0, height = 0, channels = 0;
    unsigned char* const pixels =
        stbi_load_from_memory(reinterpret_cast<const unsigned char*>(bytes.data()),
                              static_cast<int>(bytes.size()), &width, &height, &channels, 4);
    if (pixels == nullptr) {
        error = std::string("expected a PNG file: ") + stbi_failure_reason();
        return 0;
    }
    unsigned texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    stbi_image_free(pixels);
    return texture;
}

unsigned load(const std::string& name) {
    std::string bytes, error;
    if (!read_asset(name, bytes, error)) {
        report_asset_problem(error);
        return 0;
    }
    const unsigned texture = upload(bytes, error);
    if (texture == 0) report_asset_problem(text_of(asset_folder() / name) + ": " + error);
    return texture;
}

}  // namespace

void draw_picture(Ui& ui, ImDrawList& list, const Rect& box, const std::string& name) {
    const auto [entry, fresh] = ui.impl().pictures.try_emplace(name, 0u);
    if (fresh) entry->second = load(name);
    if (entry->second == 0)
        list.AddRectFilled(box.min(), box.max(), ui.theme().frame, ui.px(4));
    else
        list.AddImageRounded(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(entry->second)),
                             box.min(), box.max(), {0, 0}, {1, 1}, 0xffffffffu, ui.px(4));
}

void forget_pictures(Ui::Impl& impl) {
    for (const auto& [name, texture] : impl.pictures)
        if (texture != 0) glDeleteTextures(1, &texture);
    impl.pictures.clear();
}

}  // namespace claybox::engine
