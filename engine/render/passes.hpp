#pragma once
// The steps of one picture. Each owns what it draws with; the frame's uniform block is bound by the renderer.

#include "engine/gl/program.hpp"
#include "engine/render/batches.hpp"
#include "engine/render/glyphs.hpp"

#include <array>
#include <vector>

namespace claybox::engine {

/// Loads a program and ties it to the frame block, the shadow map and the glyphs.
Program load_program(std::string_view vertex, std::string_view fragment, std::span<const char* const> defines,
                     std::string& error);

/// The sun's view of everything that casts a shadow.
class ShadowPass {
  public:
    bool create(std::string& error);
    void draw(const Batches& batches, RenderStats& stats) const;
    void bind_map() const;

  private:
    Program program_;
    Texture map_;
    Framebuffer framebuffer_;
};

/// Opaque surfaces, the sky, what fades, and glass.
class ScenePass {
  public:
    bool create(std::string& error);
    void draw_opaque(const Batches& batches, RenderStats& stats) const;
    void draw_sky(const glm::mat4& world_from_clip) const;
    void draw_faded(const Batches& batches, RenderStats& stats) const;
    void draw_glass(const Batches& batches, RenderStats& stats) const;

  private:
    void draw_batch(const Batches& batches, const Batch& batch, RenderStats& stats) const;
    std::array<Program, 6> programs_;  // by kind of surface
    Program sky_;
    GLint world_from_clip_ = -1;
    VertexArray empty_;
};

/// Polygon edges of opaque and fading bodies.
class EdgePass {
  public:
    bool create(std::string& error);
    void draw(const Batches& batches, Stage stage, RenderStats& stats) const;

  private:
    Program program_;
};

/// Lines, discs, halos and see-through polygons.
class MarkPass {
  public:
    bool create(std::string& error);
    void draw_quads(const RenderList& list, RenderStats& stats);
    void draw_halos(const RenderList& list, RenderStats& stats);
    void draw_lines(const RenderList& list, RenderStats& stats);
    void draw_discs(const RenderList& list, RenderStats& stats);

  private:
    Program line_, disc_, halo_, flat_;
    GLint hidden_ = -1;
    VertexArray line_array_, disc_array_, flat_array_;
    StreamBuffer buffer_;
};

/// Letters on surfaces. Draws nothing where no font was found.
class TextPass {
  public:
    bool create(std::string& error);
    void draw(const RenderList& list, RenderStats& stats);

  private:
    void append(const EngravedText& text);
    struct Corner {
        glm::vec3 position, normal;
        glm::vec2 at;
        glm::vec4 colour;
    };
    Program program_;
    GlyphAtlas atlas_;
    Texture texture_;
    VertexArray array_;
    StreamBuffer buffer_;
    std::vector<Corner> corners_;
};

/// Panels that stand in the world.
class BoardPass {
  public:
    bool create(std::string& error);
    void draw(const RenderList& list, RenderStats& stats);

  private:
    Program program_;
    VertexArray array_;
    StreamBuffer buffer_;
};

/// One pixel with the number of what is seen in it.
class PickPass {
  public:
    bool create(std::string& error);
    /// The frame block must hold a camera that sees that one pixel only.
    std::uint32_t draw(const Batches& batches) const;

  private:
    Program program_;
    Renderbuffer number_, depth_;
    Framebuffer framebuffer_;
};

}  // namespace claybox::engine
