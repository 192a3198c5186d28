#include "app/scenes/shared/marks.hpp"

#include <algorithm>

namespace claybox::app {

namespace {

constexpr float kCooling = 1.0f / 30;  // per frame: every hit is visible for half a second
constexpr float kContactHeat = 0.8f;   // while two bodies touch
constexpr std::uint64_t kPointFrames = 20, kLabelFrames = 75;

}  // namespace

void Glow::resize(std::size_t bodies) {
    heat_.assign(bodies, 0);
    hit_.assign(bodies, 0);
    contacts_.assign(bodies, 0);
    warm_.clear();
}

void Glow::heat_up(std::uint32_t body, int contact) {
    contacts_[body] = static_cast<std::uint16_t>(contacts_[body] + contact);
    if (contact < 0) return;
    if (heat_[body] == 0) warm_.push_back(body);
    heat_[body] = hit_[body] = 1;
}

void Glow::cool_down() {
    std::size_t kept = 0;
    for (const std::uint32_t body : warm_) {
        const float minimum = contacts_[body] > 0 ? kContactHeat : 0.0f;
        heat_[body] = std::max(minimum, heat_[body] - kCooling);
        hit_[body] = std::max(0.0f, hit_[body] - kCooling);
        if (heat_[body] > 0) warm_[kept++] = body;
    }
    warm_.resize(kept);
}

float Glow::touching_share() const {
    const auto touching =
        std::count_if(warm_.begin(), warm_.end(), [&](std::uint32_t b) { return touches(b); });
    return static_cast<float>(touching) / static_cast<float>(std::max<std::size_t>(1, heat_.size()));
}

void HitMarks::add(const collision::Vec3f& p, std::uint32_t a, std::uint32_t b, std::uint64_t frame) {
    const Hit hit{p, a, b, frame};
    hits_[count_++ % hits_.size()] = hit;
    const auto free = std::find_if(labelled_.begin(), labelled_.end(), [&](const Hit& shown) {
        return shown.frame == 0 || shown.frame + kLabelFrames <= frame;
    });
    if (free != labelled_.end()) *free = hit;
}

void HitMarks::view(std::uint64_t frame, bool labels, const std::function<std::string(std::uint32_t)>& name,
                    SceneView& out) const {
    for (std::uint64_t age = 0; age < std::min<std::uint64_t>(count_, hits_.size()); ++age) {
        const Hit& hit = hits_[(count_ - 1 - age) % hits_.size()];
        if (hit.frame + kPointFrames < frame) break;
        out.points.push_back({hit.p, Ink::witness, 3.5f});
    }
    for (const Hit& hit : labelled_) {
        if (!labels || hit.frame == 0 || hit.frame + kLabelFrames < frame) continue;
        out.points.push_back({hit.p, Ink::witness, 5});
        out.labels.push_back(
            {hit.p, capitalised(name(hit.a) + " hit " + name(hit.b)), Ink::witness, false, {}, 0});
    }
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string shape_words(const collision::Shape& shape) {
    return shape.name() + ", " + std::to_string(shape.topology().vertex_count) + " vertices, " +
           std::to_string(shape.topology().polygon_count()) + " polygons";
}

}  // namespace claybox::app
