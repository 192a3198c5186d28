#pragma once
// Contact occlusion: spheres that darken nearby surfaces, and a grid of the relevant spheres per cell.

#include "engine/gl/objects.hpp"
#include "engine/render/render_list.hpp"

#include <array>
#include <vector>

namespace claybox::engine {

constexpr int kMaxOccluders = 64;

class Occluders {
  public:
    /// Chooses the spheres, nearest to the camera's target if there are too many, and fills the grid.
    void choose(const RenderList& list);
    void upload_and_bind();

    const std::array<glm::vec4, kMaxOccluders>& spheres() const { return spheres_; }  ///< centre and radius
    const glm::vec4& cells() const { return cells_; }  ///< low x and z, cells per metre in x and z
    /// Indices of the spheres of instance i itself, one per byte from the lowest; kNone for unused bytes.
    std::uint32_t own(std::size_t i) const { return own_[i]; }

  private:
    static constexpr int kCells = 32;    // per side
    static constexpr int kPerCell = 16;  // bytes in a texel of four 32-bit integers
    static constexpr float kReach = 6;   // radii; the shader's falloff ends there
    static constexpr std::uint8_t kNone = 255;

    void place_grid(int count);
    void fill_grid(int count);
    void add_to_cell(std::size_t cell, float distance, std::uint8_t sphere);
    struct Candidate {
        float distance;       ///< from the camera's target, squared
        std::uint32_t index;  ///< in RenderList::occluders
    };
    std::array<glm::vec4, kMaxOccluders> spheres_{};
    glm::vec4 cells_{0, 0, 1, 1};
    std::vector<std::uint32_t> own_;
    std::vector<Candidate> candidates_;
    std::array<std::array<std::uint8_t, kPerCell>, kCells * kCells> grid_{};     ///< nearest sphere first
    std::array<std::array<float, kPerCell>, kCells * kCells> grid_distances_{};  ///< in radii, squared
    Texture texture_;
};

}  // namespace claybox::engine
