#pragma once

#include "engine/render/render_list.hpp"

#include <memory>
#include <string>
#include <vector>

namespace claybox::engine {

struct RenderTargetSize {
    int width = 0, height = 0;  ///< pixels
    float scale = 1;            ///< UI scale, for line widths and view offsets
};

/// Exact counts; GPU time is not measured.
struct RenderStats {
    std::uint32_t instances = 0, draw_calls = 0;
    std::uint64_t triangles = 0;
};

/// Draws render lists with OpenGL 3.3 core. Needs a current context during its lifetime; single thread.
class Renderer {
  public:
    enum class Shadows : unsigned char {
        draw,
        keep  ///< only the camera changed since the last draw(), as for the other eye
    };

    /// Null with a sentence in `error` when shaders or buffers cannot be created.
    static std::unique_ptr<Renderer> create(std::string& error);
    ~Renderer();

    MeshHandle create_mesh(const MeshData& data);
    /// Uploads the mesh again; reuses the buffers when the sizes match.
    void update_mesh(MeshHandle mesh, const MeshData& data);
    /// Replaces vertices from `first` on (positions, normals, cavity and thickness of `data`); triangles are
    /// unchanged. Ignores vertices beyond the mesh's end. For meshes without edges.
    void update_vertices(MeshHandle mesh, std::size_t first, const MeshData& data);
    void destroy_mesh(MeshHandle mesh);

    /// Draws shadows, scene, glass and lines into its own multisampled target and resolves it into
    /// `framebuffer` (0: window). Writes sRGB bytes, whatever the framebuffer's encoding. `depth_format`: 0,
    /// or the internal format of its depth attachment, which then receives the depth.
    void draw(const RenderList& list, const RenderTargetSize& size, unsigned framebuffer,
              unsigned depth_format = 0, Shadows shadows = Shadows::draw);
    /// Samples per pixel, initially 4. 0 has jagged edges but is two to three times faster without a graphics
    /// card.
    void set_samples(int samples);
    /// Share of width and height at which the scene is rendered, 0.25 to 1; less is faster and softer. Has an
    /// effect only with 0 samples.
    void set_resolution(float share);
    /// The driver's name of the graphics card, or of the software that emulates it.
    static std::string device_name();
    /// True when the processor emulates OpenGL.
    static bool is_software();
    /// What is visible at a pixel (origin top left): Instance::pick or kNoPick.
    std::uint32_t pick(const RenderList& list, const RenderTargetSize& size, float x, float y);
    const RenderStats& stats() const;
    /// How often the target was allocated. Two alternating sizes need no new allocation.
    int target_allocations() const;

    static constexpr std::uint32_t kNoPick = 0xffffffffu;

  private:
    Renderer();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Pixels of a framebuffer as RGB rows, top row first.
std::vector<std::uint8_t> read_pixels(unsigned framebuffer, int width, int height);

}  // namespace claybox::engine
