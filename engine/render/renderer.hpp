#pragma once

#include "engine/render/render_list.hpp"

#include <memory>
#include <string>
#include <vector>

namespace claybox::engine {

struct RenderTargetSize {
    int width = 0, height = 0;  ///< pixels
    float scale = 1;            ///< UI scale, for line widths and shifts
};

/// GPU time is not measured by default; counts are exact.
struct RenderStats {
    std::uint32_t instances = 0, draw_calls = 0;
    std::uint64_t triangles = 0;
};

/// Draws render lists with OpenGL 3.3 core. Needs a current context for its whole life; one thread.
class Renderer {
  public:
    /// Null with a sentence in `error` when shaders or buffers cannot be made.
    static std::unique_ptr<Renderer> create(std::string& error);
    ~Renderer();

    MeshHandle create_mesh(const MeshData& data);
    /// Uploads again; keeps the buffers when the sizes are the same.
    void update_mesh(MeshHandle mesh, const MeshData& data);
    /// Uploads vertices from `first` on (positions, normals, cavity of `data`); triangles stay. Those past
    /// the mesh's end are left out. For meshes without edges.
    void update_vertices(MeshHandle mesh, std::size_t first, const MeshData& data);
    void destroy_mesh(MeshHandle mesh);

    /// Shadows, scene, glass, lines into the multisampled target of its own, resolved into `framebuffer` (0:
    /// window), as bytes that are sRGB already whatever that framebuffer says of itself. `depth_format`: 0,
    /// or the internal format of its depth attachment, which then gets the depth too.
    void draw(const RenderList& list, const RenderTargetSize& size, unsigned framebuffer,
              unsigned depth_format = 0);
    /// Samples of each pixel: 4 at first, 0 for jagged but, without a graphics card, two to three times
    /// faster pictures.
    void set_samples(int samples);
    /// Share of the width and height that the scene is really drawn with, 0.25 to 1; less is quicker and
    /// softer. Counts only while there are no samples.
    void set_resolution(float share);
    /// True when OpenGL is emulated by the processor.
    static bool is_software();
    /// What lies under a pixel (origin top left) of the last list: Instance::pick, or kNoPick.
    std::uint32_t pick(const RenderList& list, const RenderTargetSize& size, float x, float y);
    const RenderStats& stats() const;
    /// How often the target of its own was made: it stays as it is while two sizes take turns.
    int targets_made() const;

    static constexpr std::uint32_t kNoPick = 0xffffffffu;

  private:
    Renderer();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Pixels of a framebuffer, RGB rows from the top.
std::vector<std::uint8_t> read_pixels(unsigned framebuffer, int width, int height);

}  // namespace claybox::engine
