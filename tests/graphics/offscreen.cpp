#include "tests/support/offscreen.hpp"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace claybox::test {

engine::OffscreenContext* shared_context(std::string& error) {
    static std::string first_error;
    static const std::unique_ptr<engine::OffscreenContext> context =
        engine::OffscreenContext::create(first_error);
    error = first_error;
    return context.get();
}

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      framebuffer_(engine::Framebuffer::make()),
      texture_(engine::Texture::make()) {
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.id(), 0);
}

Picture Canvas::read() const {
    return {width_, height_, engine::read_pixels(framebuffer_.id(), width_, height_)};
}

Picture draw_picture(engine::Renderer& renderer, const engine::RenderList& list, int width, int height,
                     float scale) {
    const Canvas canvas(width, height);
    renderer.draw(list, {width, height, scale}, canvas.framebuffer());
    return canvas.read();
}

bool write_picture(const std::filesystem::path& path, const Picture& picture) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    return stbi_write_png(path.string().c_str(), picture.width, picture.height, 3, picture.rgb.data(),
                          picture.width * 3) != 0;
}

Picture read_picture(const std::filesystem::path& path) {
    Picture picture;
    int channels = 0;
    unsigned char* data = stbi_load(path.string().c_str(), &picture.width, &picture.height, &channels, 3);
    if (data == nullptr) return {};
    picture.rgb.assign(data, data + static_cast<std::size_t>(picture.width) * picture.height * 3);
    stbi_image_free(data);
    return picture;
}

}  // namespace claybox::test
