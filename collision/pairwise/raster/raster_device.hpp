#pragma once
// The drawing operations of the depth buffer algorithm. All inputs are integers and all rules are exact, so
// every device draws the same picture to the last bit.

#include <cstddef>
#include <cstdint>
#include <span>

namespace claybox::collision {

inline constexpr int kDepthBits = 24;         ///< of a stored depth: the precision of a graphics card's float
inline constexpr int kDepthFractionBits = 6;  ///< additional bits while a triangle is filled
inline constexpr std::int32_t kNoDepth = 1 << kDepthBits;  ///< of an empty pixel: behind everything
inline constexpr int kMaxRasterPixels = 1024;              ///< per side: edge functions must fit 32 bits
inline constexpr int kMaxRasterLayers = 32;

/// A triangle ready to be filled. It covers a pixel if none of the three edge functions is negative at the
/// pixel's centre. The functions already include the ownership of centres on shared edges.
struct RasterTriangle {
    std::int32_t edge[3];    ///< at the centre of pixel (x0, y0)
    std::int32_t edge_x[3];  ///< steps to the next pixel
    std::int32_t edge_y[3];
    /// Depth at the same centre and its steps, with kDepthFractionBits fraction bits, modulo 2^32. The sum is
    /// read as signed and clamped to [min_depth, max_depth].
    std::uint32_t depth, depth_x, depth_y;
    std::int32_t min_depth, max_depth;
    std::int32_t x0, y0, x1, y1;  ///< range of pixels that it may cover; x1 and y1 are inclusive
    std::int32_t unused[2];       ///< padding to blocks of four numbers for graphics cards
};
static_assert(sizeof(RasterTriangle) == 80);

enum class RasterKind : unsigned char {
    two_valued,  ///< nearest and farthest depth of each body
    one_valued,  ///< one depth and the colour of one body, drawn by rules
    layered,     ///< all depths in order, up to a limit, with the bodies they belong to
};

/// A square picture; `size` is a multiple of 4, at most kMaxRasterPixels.
struct RasterFrame {
    RasterKind kind = RasterKind::two_valued;
    int size = 4;
    int layers = 1;  ///< of a layered picture, at most kMaxRasterLayers

    std::size_t pixels() const { return static_cast<std::size_t>(size) * static_cast<std::size_t>(size); }
    /// Size of the finished picture in numbers.
    std::size_t words() const {
        if (kind == RasterKind::two_valued) return 4 * pixels();
        if (kind == RasterKind::one_valued) return 2 * pixels();
        return pixels() * (1 + static_cast<std::size_t>(layers));
    }
};

/// The operation at a pixel of a one-valued picture. Colours: 0 empty, 1 body A, 2 body B.
enum class RasterRule : unsigned char {
    nearer,              ///< draws if nearer
    nearer_unlike,       ///< draws if nearer, unless the pixel has its colour
    not_behind_other,    ///< draws if not behind and the pixel has the other body's colour
    recolour_other,      ///< the same, but the pixel keeps its depth
    erase_like,          ///< clears the colour if it is its own, at any depth
    erase_where_behind,  ///< clears the colour if the new surface is behind the stored depth
};

struct RasterPass {
    int body = 0;                          ///< 0 is A, 1 is B
    RasterRule rule = RasterRule::nearer;  ///< for one-valued pictures
};

/// A value of a layered picture: depth << 4 and these bits.
enum LayerBits : std::int32_t {
    kLayerOddA = 1,  ///< an odd number of A's surfaces is at this depth: inside and outside swap
    kLayerOddB = 2,
    kLayerAnyA = 4,
    kLayerAnyB = 8,
};

/// Draws one picture at a time: begin, any number of draws, finish. Not shared between threads.
class RasterDevice {
  public:
    virtual ~RasterDevice() = default;
    virtual const char* name() const = 0;
    /// False if the device cannot draw such a picture.
    virtual bool begin(const RasterFrame& frame) = 0;
    virtual void draw(const RasterPass& pass, std::span<const RasterTriangle> triangles) = 0;
    /// Returns frame.words() numbers, valid until the next begin(); empty if the device failed. Planes one
    /// after another, in rows of `size` pixels:
    ///   two-valued: nearest A, farthest A, nearest B, farthest B (kNoDepth and -1 if there is none);
    ///   one-valued: depth, colour;
    ///   layered: number of values of the pixel, then `layers` values for each pixel, nearest first.
    virtual std::span<const std::int32_t> finish() = 0;
};

/// The device of the calling thread, or null. A graphics card's device belongs to one thread, so each thread
/// sees only its own. Queries on other threads use the software renderer, with identical pictures.
RasterDevice* raster_device_of_this_thread();

/// Assigns a device to the calling thread until the end of the scope.
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
