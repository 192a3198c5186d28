#pragma once
// Drawing into a picture of depths, as the depth buffer algorithm asks for it. Everything a device is given
// is a whole number and every rule is exact, so that all devices make the same picture, to the last bit.

#include <cstddef>
#include <cstdint>
#include <span>

namespace claybox::collision {

inline constexpr int kDepthBits = 24;         ///< of a stored depth: what a float of a graphics card holds
inline constexpr int kDepthFractionBits = 6;  ///< more, while a triangle is filled
inline constexpr std::int32_t kNoDepth = 1 << kDepthBits;  ///< of an empty pixel: behind everything
inline constexpr int kMostRasterPixels = 1024;  ///< a side: edge functions of more would not fit 32 bits
inline constexpr int kMostRasterLayers = 32;

/// A triangle ready to be filled. A pixel belongs to it when none of the three edge functions is negative at
/// its centre; who owns a centre on a shared edge is already part of the functions.
struct RasterTriangle {
    std::int32_t edge[3];    ///< at the centre of pixel (x0, y0)
    std::int32_t edge_x[3];  ///< steps to the next pixel
    std::int32_t edge_y[3];
    /// Depth there and its steps, with kDepthFractionBits of fraction, modulo 2^32; the sum is read as signed
    /// and clamped between the triangle's least and greatest depth.
    std::uint32_t depth, depth_x, depth_y;
    std::int32_t least, greatest;
    std::int32_t x0, y0, x1, y1;  ///< the pixels that may belong to it; x1 and y1 are the last ones
    std::int32_t unused[2];       ///< whole blocks of four numbers, as graphics cards take them
};
static_assert(sizeof(RasterTriangle) == 80);

enum class RasterKind : unsigned char {
    two_valued,  ///< nearest and farthest depth of each body
    one_valued,  ///< one depth and the colour of one body, drawn by rules
    layered,     ///< all depths in order, up to a number, each with whose surfaces lie there
};

/// A square picture; `size` is a multiple of 4 up to kMostRasterPixels.
struct RasterFrame {
    RasterKind kind = RasterKind::two_valued;
    int size = 4;
    int layers = 1;  ///< of a layered one, up to kMostRasterLayers

    std::size_t pixels() const { return static_cast<std::size_t>(size) * static_cast<std::size_t>(size); }
    /// How many numbers the finished picture has.
    std::size_t words() const {
        if (kind == RasterKind::two_valued) return 4 * pixels();
        if (kind == RasterKind::one_valued) return 2 * pixels();
        return pixels() * (1 + static_cast<std::size_t>(layers));
    }
};

/// What happens at a pixel of a one-valued picture. Colours: 0 empty, 1 body A, 2 body B.
enum class RasterRule : unsigned char {
    nearer,              ///< draws what is nearer
    nearer_unlike,       ///< draws what is nearer, unless the pixel has its colour
    not_behind_other,    ///< draws what is not behind, where the pixel has the other body's colour
    recolour_other,      ///< the same, but the pixel keeps its depth
    erase_like,          ///< empties the colour where it is its own, whatever the depth
    erase_where_behind,  ///< empties the colour where the new surface is behind the stored depth
};

struct RasterPass {
    int body = 0;                          ///< 0 is A, 1 is B
    RasterRule rule = RasterRule::nearer;  ///< of one-valued pictures
};

/// A layered picture's value: depth << 4 and these bits.
enum LayerBits : std::int32_t {
    kLayerOddA = 1,  ///< an odd number of surfaces of A lies at this depth: inside and outside change places
    kLayerOddB = 2,
    kLayerAnyA = 4,
    kLayerAnyB = 8,
};

/// Makes one picture at a time: begin, draw as often as needed, finish. Not for sharing between threads.
class RasterDevice {
  public:
    virtual ~RasterDevice() = default;
    virtual const char* name() const = 0;
    /// False when the device cannot make such a picture.
    virtual bool begin(const RasterFrame& frame) = 0;
    virtual void draw(const RasterPass& pass, std::span<const RasterTriangle> triangles) = 0;
    /// frame.words() numbers that live until the next begin(); empty when the device failed. Planes one after
    /// the other, rows of `size` pixels each:
    ///   two-valued: nearest A, farthest A, nearest B, farthest B (kNoDepth and -1 where there is none);
    ///   one-valued: depth, colour;
    ///   layered: how many values the pixel has, then `layers` values for each pixel, nearest first.
    virtual std::span<const std::int32_t> finish() = 0;
};

/// The device that belongs to the calling thread, or null. A device of a graphics card may be used by one
/// thread only, so each thread sees its own and no other; queries elsewhere use the software twin, whose
/// pictures are the same.
RasterDevice* raster_device_of_this_thread();

/// Gives the calling thread a device until the end of the scope.
class RasterDeviceScope {
  public:
    explicit RasterDeviceScope(RasterDevice& device);
    ~RasterDeviceScope();
    RasterDeviceScope(const RasterDeviceScope&) = delete;
    RasterDeviceScope& operator=(const RasterDeviceScope&) = delete;

  private:
    RasterDevice* before_;
};

}  // namespace claybox::collision
