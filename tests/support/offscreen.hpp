#pragma once
// An OpenGL context without a window, a framebuffer to draw into, and PNG files.

#include "engine/gl/objects.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/render/renderer.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace claybox::test {

/// The context of the whole test program; null, with `error` set, if EGL is not available.
engine::OffscreenContext* shared_context(std::string& error);

/// RGB pixels, rows from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    const std::uint8_t* at(int x, int y) const { return &rgb[static_cast<std::size_t>((y * width + x) * 3)]; }
};

/// A framebuffer with a colour texture.
class Canvas {
  public:
    Canvas(int width, int height);
    unsigned framebuffer() const { return framebuffer_.id(); }
    Picture read() const;

  private:
    int width_, height_;
    engine::Framebuffer framebuffer_;
    engine::Texture texture_;
};

Picture draw_picture(engine::Renderer& renderer, const engine::RenderList& list, int width, int height,
                     float scale = 1);

bool write_picture(const std::filesystem::path& path, const Picture& picture);
Picture read_picture(const std::filesystem::path& path);

}  // namespace claybox::test
