#pragma once

#include "collision/pairwise/raster/raster_device.hpp"

namespace claybox::collision {

/// The software renderer: fills four pixels at once, in memory from the caller.
class SoftwareRaster final : public RasterDevice {
  public:
    /// `memory`: at least frame.words() numbers for every picture that is begun.
    explicit SoftwareRaster(std::span<std::int32_t> memory) : memory_(memory) {}

    const char* name() const override { return "software"; }
    bool begin(const RasterFrame& frame) override;
    void draw(const RasterPass& pass, std::span<const RasterTriangle> triangles) override;
    std::span<const std::int32_t> finish() override { return memory_.first(frame_.words()); }

  private:
    std::span<std::int32_t> memory_;
    RasterFrame frame_;
};

}  // namespace claybox::collision
