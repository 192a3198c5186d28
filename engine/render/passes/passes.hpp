#pragma once
// The render passes of one frame. Each owns its resources; the renderer binds the frame's uniform block.

#include "engine/gl/program.hpp"
#include "engine/render/batches.hpp"
#include "engine/render/glyphs.hpp"

#include <array>
#include <vector>

namespace claybox::engine {

/// Loads a program and binds its frame block, shadow map, occluder grid, glyphs and board.
Program load_program(std::string_view vertex, std::string_view fragment, std::span<const char* const> defines,
                     std::string& error);

/// Renders the shadow map: everything that casts a shadow, from the sun.
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

/// Opaque surfaces, sky, fading instances and glass.
class ScenePass {
  public:
    bool create(std::string& error);
    void draw_opaque(const Batches& batches, RenderStats& stats) const;
    void draw_sky(const glm::mat4& world_from_clip) const;
    void draw_faded(const Batches& batches, RenderStats& stats) const;
    void draw_glass(const Batches& batches, RenderStats& stats) const;

  private:
    void draw_batch(const Batches& batches, const Batch& batch, RenderStats& stats) const;
    std::array<Program, 6> programs_;  ///< by ProgramIndex
    Program sky_;
    GLint world_from_clip_ = -1;
    VertexArray empty_;
};

/// Polygon edges of opaque and fading instances.
class EdgePass {
  public:
    bool create(std::string& error);
    void draw(const Batches& batches, Stage stage, RenderStats& stats) const;

  private:
    Program program_;
};

/// Polygon edges of opaque instances whose mesh has a wire.
class WirePass {
  public:
    bool create(std::string& error);
    void draw(const Batches& batches, RenderStats& stats) const;

  private:
    Program program_;
};

/// Lines, discs, halos and translucent polygons.
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

/// Text on surfaces. Draws nothing when no font was found.
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

/// Panels placed in the world.
class BoardPass {
  public:
    bool create(std::string& error);
    void draw(const RenderList& list, RenderStats& stats);

  private:
    Program program_;
    VertexArray array_;
    StreamBuffer buffer_;
};

/// Renders a single pixel with the pick number of the visible instance.
class PickPass {
  public:
    bool create(std::string& error);
    /// The frame block must hold a camera that covers this one pixel only.
    std::uint32_t draw(const Batches& batches) const;

  private:
    Program program_;
    Renderbuffer number_, depth_;
    Framebuffer framebuffer_;
};

}  // namespace claybox::engine
