#pragma once
// Depth images for collision queries, rendered by the GPU with integer arithmetic.

#include "engine/gl/program.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::engine {

/// Rasterises prepared triangles: 20 integers each, in the order of depth_raster.vert. Coverage and depth use
/// integer shader arithmetic, and depths are multiples of 2^-24, so results do not depend on the driver's
/// rounding. One image at a time; requires the context of its creation.
class DepthRaster {
  public:
    static constexpr std::size_t kTriangleWords = 20;
    static constexpr std::int32_t kNoDepth = 1 << 24;  ///< depth of an empty pixel

    enum class Kind : unsigned char { two_valued, one_valued, layered };
    /// What a triangle does to a pixel of a one-valued image; colours: 0 empty, else body + 1.
    enum class Rule : unsigned char {
        nearer,
        nearer_unlike,
        not_behind_other,
        recolour_other,
        erase_like,
        erase_where_behind,
    };

    /// Null with a sentence in `error` when the driver lacks a feature.
    static std::unique_ptr<DepthRaster> create(std::string& error);

    /// False after a failure.
    bool begin(Kind kind, int size, int layers);
    /// Queues triangles of body 0 or 1; finish() draws them in this order.
    void draw(int body, Rule rule, std::span<const std::int32_t> triangles);
    /// Draws and reads back; restores the caller's framebuffer and viewport. Two-valued: planes of nearest
    /// and farthest depth of body 0, then of body 1 (kNoDepth and -1 where empty). One-valued: planes of
    /// depth and colour. Layered: a plane of layer counts, then `layers` numbers per pixel, nearest first:
    /// depth << 4, bits 2 and 3 for the bodies present, bits 0 and 1 for bodies with an odd count. Empty when
    /// OpenGL reported an error.
    std::span<const std::int32_t> finish();

  private:
    struct Batch {
        int body;
        Rule rule;
        std::size_t first, count;  ///< triangles
    };
    DepthRaster() = default;
    bool make_targets();
    void bind_target(int which) const;
    void set_state() const;
    void draw_batches(const Program& program, int body) const;
    void draw_batch(const Program& program, const Batch& batch) const;
    void read_depth(std::size_t plane);
    void finish_two_valued();
    void finish_one_valued();
    void finish_layered();
    void peel(int layer) const;
    bool read_layer(int layer);

    Program plain_, peel_;
    VertexArray array_;
    Buffer buffer_;
    Framebuffer framebuffer_[2];
    Texture depth_[2], counted_;
    Kind kind_ = Kind::two_valued;
    int size_ = 0, made_size_ = 0, layers_ = 1;
    bool failed_ = false;
    std::vector<std::int32_t> triangles_, words_;
    std::vector<Batch> batches_;
    std::vector<float> depths_, counts_;
    std::vector<std::uint8_t> colours_;
};

}  // namespace claybox::engine
