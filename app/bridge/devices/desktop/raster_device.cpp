#include "app/bridge/devices/raster_device.hpp"

#include "collision/core/random.hpp"
#include "collision/pairwise/raster/depth_setup.hpp"
#include "collision/pairwise/raster/raster_software.hpp"
#include "engine/render/passes/depth_raster.hpp"

#include <cstring>
#include <vector>

namespace claybox::app {
namespace {

using collision::RasterKind;
using collision::RasterRule;
using engine::DepthRaster;

static_assert(sizeof(collision::RasterTriangle) == DepthRaster::kTriangleWords * sizeof(std::int32_t));
static_assert(collision::kNoDepth == DepthRaster::kNoDepth);

DepthRaster::Kind kind_of(RasterKind kind) {
    switch (kind) {
        case RasterKind::two_valued:
            return DepthRaster::Kind::two_valued;
        case RasterKind::one_valued:
            return DepthRaster::Kind::one_valued;
        case RasterKind::layered:
            return DepthRaster::Kind::layered;
    }
    return DepthRaster::Kind::two_valued;
}

DepthRaster::Rule rule_of(RasterRule rule) {
    switch (rule) {
        case RasterRule::nearer:
            return DepthRaster::Rule::nearer;
        case RasterRule::nearer_unlike:
            return DepthRaster::Rule::nearer_unlike;
        case RasterRule::not_behind_other:
            return DepthRaster::Rule::not_behind_other;
        case RasterRule::recolour_other:
            return DepthRaster::Rule::recolour_other;
        case RasterRule::erase_like:
            return DepthRaster::Rule::erase_like;
        case RasterRule::erase_where_behind:
            return DepthRaster::Rule::erase_where_behind;
    }
    return DepthRaster::Rule::nearer;
}

class GlRasterDevice final : public collision::RasterDevice {
  public:
    explicit GlRasterDevice(std::unique_ptr<DepthRaster> raster) : raster_(std::move(raster)) {}

    const char* name() const override { return "OpenGL"; }
    bool begin(const collision::RasterFrame& frame) override {
        return raster_->begin(kind_of(frame.kind), frame.size, frame.layers);
    }
    void draw(const collision::RasterPass& pass,
              std::span<const collision::RasterTriangle> triangles) override {
        words_.resize(triangles.size() * DepthRaster::kTriangleWords);
        std::memcpy(words_.data(), triangles.data(), triangles.size_bytes());
        raster_->draw(pass.body, rule_of(pass.rule), words_);
    }
    std::span<const std::int32_t> finish() override { return raster_->finish(); }

  private:
    std::unique_ptr<DepthRaster> raster_;
    std::vector<std::int32_t> words_;
};

/// Draws triangles of all sizes, some clipped by the picture's sides, for both bodies and by every rule.
std::vector<std::int32_t> sample(collision::RasterDevice& device, const collision::RasterFrame& frame) {
    if (!device.begin(frame)) return {};
    collision::Random random(3);
    for (int i = 0; i < 60; ++i) {
        const collision::RasterPass pass{i / 3 % 2, static_cast<RasterRule>(i / 6 % 6)};
        collision::TriangleBlock block(frame.size, collision::DrawnFaces::all, false, pass, device);
        const double spread = i % 2 == 0 ? 4 : frame.size;
        const auto at = [&] { return random.uniform(-0.2, 1.2) * frame.size; };
        const collision::Vec3d first{at(), at(), 0};
        const auto corner = [&] {
            return first + collision::Vec3d{random.uniform(-spread, spread), random.uniform(-spread, spread),
                                            random.uniform(0, collision::kNoDepth - 1)};
        };
        const collision::Vec3d a = corner(), b = corner(), c = corner();
        block.add(a, b, c);
        if (i % 5 == 0) block.add(a, b, c);  // equal depths
        block.flush();
    }
    const auto words = device.finish();
    return {words.begin(), words.end()};
}

bool same_pictures(collision::RasterDevice& device) {
    for (const RasterKind kind : {RasterKind::two_valued, RasterKind::one_valued, RasterKind::layered}) {
        const collision::RasterFrame frame{kind, 32, 8};
        std::vector<std::int32_t> memory(frame.words());
        collision::SoftwareRaster twin(memory);
        if (sample(device, frame) != sample(twin, frame)) return false;
    }
    return true;
}

}  // namespace

std::unique_ptr<collision::RasterDevice> make_gl_raster_device(std::string& error) {
    auto raster = DepthRaster::create(error);
    if (!raster) return nullptr;
    auto device = std::make_unique<GlRasterDevice>(std::move(raster));
    if (same_pictures(*device)) return device;
    error = "the graphics driver's depth pictures differ from the software device's";
    return nullptr;
}

}  // namespace claybox::app
