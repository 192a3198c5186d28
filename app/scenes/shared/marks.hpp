#pragma once
// How scenes with many bodies show collisions: bodies that touch glow and cool down, the newest hits get
// points, and a few of these get labels.

#include "app/scenes/view.hpp"

#include <functional>

namespace claybox::app {

/// Heat of each body, 0 .. 1. A hit heats a body to 1; it cools down but stays warm while it touches another
/// one.
class Glow {
  public:
    void resize(std::size_t bodies);
    /// `contact` is +1 when a contact begins and -1 when it ends.
    void heat_up(std::uint32_t body, int contact);
    /// Advances one frame.
    void cool_down();
    float operator[](std::uint32_t body) const { return heat_[body]; }
    bool touches(std::uint32_t body) const { return contacts_[body] > 0; }
    /// 1 at a hit, falls to 0 in half a second, also while the bodies still touch.
    float hit(std::uint32_t body) const { return hit_[body]; }
    /// Share of the bodies that touch another one.
    float touching_share() const;

  private:
    std::vector<float> heat_, hit_;
    std::vector<std::uint16_t> contacts_;
    std::vector<std::uint32_t> warm_;  ///< bodies with heat above 0
};

/// Places of the newest hits.
class HitMarks {
  public:
    void add(const collision::Vec3f& p, std::uint32_t a, std::uint32_t b, std::uint64_t frame);
    /// Draws points at the newest hits, and labels such as "Body 3 hit the ring" with names from `name`.
    /// Labels stay long enough to read.
    void view(std::uint64_t frame, bool labels, const std::function<std::string(std::uint32_t)>& name,
              SceneView& out) const;
    std::uint64_t count() const { return count_; }

  private:
    static constexpr std::size_t kMaxPoints = 12, kMaxLabels = 2;
    struct Hit {
        collision::Vec3f p;
        std::uint32_t a = 0, b = 0;
        std::uint64_t frame = 0;
    };
    std::array<Hit, kMaxPoints> hits_{};  ///< ring buffer of the newest
    std::array<Hit, kMaxLabels> labelled_{};
    std::uint64_t count_ = 0;
};

/// The text with a capital first letter.
std::string capitalised(std::string text);
/// "cube, 8 vertices, 6 polygons".
std::string shape_words(const collision::Shape& shape);

}  // namespace claybox::app
