#pragma once
// How scenes of many bodies show what meets: bodies glow and cool down, the newest hits have points, and a
// few of them labels.

#include "app/scenes/view.hpp"

#include <functional>

namespace claybox::app {

/// The heat of bodies, 0 .. 1: a hit heats to 1, and as long as a body touches another it stays warm.
class Glow {
  public:
    void resize(std::size_t bodies);
    /// `contact` is +1 where one begins and -1 where one ends.
    void heat_up(std::uint32_t body, int contact);
    /// One frame.
    void cool_down();
    float operator[](std::uint32_t body) const { return heat_[body]; }
    bool touches(std::uint32_t body) const { return contacts_[body] > 0; }

  private:
    std::vector<float> heat_;
    std::vector<std::uint16_t> contacts_;
    std::vector<std::uint32_t> warm_;  ///< bodies that glow
};

/// Where the newest hits were.
class HitMarks {
  public:
    void add(const collision::Vec3f& p, std::uint32_t a, std::uint32_t b, std::uint64_t frame);
    /// Points of the newest, and labels as "Body 3 met the ring" from `name`, which stay so long that
    /// they can be read.
    void view(std::uint64_t frame, bool labels, const std::function<std::string(std::uint32_t)>& name,
              SceneView& out) const;
    std::uint64_t count() const { return count_; }

  private:
    static constexpr std::size_t kMostPoints = 12, kMostLabels = 2;
    struct Hit {
        collision::Vec3f p;
        std::uint32_t a = 0, b = 0;
        std::uint64_t frame = 0;
    };
    std::array<Hit, kMostPoints> hits_{};  ///< the newest, as a ring
    std::array<Hit, kMostLabels> told_{};  ///< those with a label
    std::uint64_t count_ = 0;
};

/// "body 3" as a sentence begins.
std::string capital(std::string text);
/// "cube, 8 vertices, 6 polygons".
std::string shape_words(const collision::Shape& shape);

}  // namespace claybox::app
