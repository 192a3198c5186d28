#include "app/buttons/poke_truth.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;

namespace {

/// A fingertip as a face sees it.
struct Sight {
    double x = 0, y = 0, depth = 0;  ///< depth of the ball's lowest point under the face
};

Vec3d place(const TruthWay& way, double time) {
    const auto later = [](double t, const TruthPoint& p) { return t < p.time; };
    auto next = std::upper_bound(way.points.begin() + 1, way.points.end() - 1, time, later);
    const TruthPoint &a = *(next - 1), &b = *next;
    return a.at + (b.at - a.at) * std::clamp((time - a.time) / (b.time - a.time), 0.0, 1.0);
}

Sight sight(const TruthWay& way, const TruthFace& face, const Vec3d& at) {
    const Vec3d p = at - face.middle;
    return {dot(p, face.right), dot(p, face.up), way.radius - dot(p, face.out)};
}

/// Every instant at which the fingertip crosses a plane of the face that means something.
void add_instants(const TruthWay& way, const TruthFace& face, const PressRules& rules,
                  std::vector<double>& out) {
    const double wide = face.pad.half_x, high = face.pad.half_y, r = rules.beside * way.radius;
    for (std::size_t i = 0; i + 1 < way.points.size(); ++i) {
        const TruthPoint &from = way.points[i], &to = way.points[i + 1];
        const Sight a = sight(way, face, from.at), b = sight(way, face, to.at);
        const auto cut = [&](double before, double after, double level) {
            if ((before < level) == (after < level)) return;
            out.push_back(from.time + (to.time - from.time) * ((level - before) / (after - before)));
        };
        for (const double level : {-wide - r, -wide, wide, wide + r}) cut(a.x, b.x, level);
        for (const double level : {-high - r, -high, high, high + r}) cut(a.y, b.y, level);
        for (const double level : {0.0, rules.release_at * rules.travel, rules.fire_at * rules.travel,
                                   rules.travel + rules.behind * way.radius, way.radius})
            cut(a.depth, b.depth, level);
        out.push_back(from.time);
        out.push_back(to.time);
    }
}

struct Press {
    std::uint32_t finger = kNoIndex;
    bool down = false;     ///< counted as pressed
    bool refused = false;  ///< deep enough too early: has to come up first
    double came_up = -1e9;
};

class Course {
  public:
    Course(std::span<const TruthWay> ways, std::span<const TruthFace> faces, const PressRules& rules)
        : ways_(ways),
          faces_(faces),
          rules_(rules),
          press_(faces.size()),
          holds_(ways.size(), kNoIndex),
          count_(faces.size()) {}

    std::vector<TruthCount> run() {
        std::vector<double> instants;
        for (const TruthWay& way : ways_)
            for (const TruthFace& face : faces_) add_instants(way, face, rules_, instants);
        std::sort(instants.begin(), instants.end());
        instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
        for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
            const double before = i == 0 ? instants[0] : 0.5 * (instants[i - 1] + instants[i]);
            between(before, instants[i], 0.5 * (instants[i] + instants[i + 1]));
        }
        return count_;
    }

  private:
    bool there(std::uint32_t w, double time) const {
        return ways_[w].points.size() > 1 && time >= ways_[w].points.front().time &&
               time <= ways_[w].points.back().time;
    }
    void between(double before, double instant, double now) {
        for (std::uint32_t w = 0; w < ways_.size(); ++w)
            if (there(w, now)) hold_on(w, instant, place(ways_[w], now));
        for (std::uint32_t w = 0; w < ways_.size(); ++w) {
            if (!there(w, before) || !there(w, now)) continue;
            const Step step{place(ways_[w], before), place(ways_[w], instant), place(ways_[w], now)};
            for (std::uint32_t f = 0; f < faces_.size(); ++f) come(w, f, instant, step);
        }
    }
    void hold_on(std::uint32_t w, double instant, const Vec3d& now) {
        const std::uint32_t f = holds_[w];
        if (f == kNoIndex) return;
        const TruthFace& face = faces_[f];
        const Sight s = sight(ways_[w], face, now);
        const double r = rules_.beside * ways_[w].radius;
        const bool on = s.depth >= 0 && s.depth <= rules_.travel + rules_.behind * ways_[w].radius &&
                        std::abs(s.x) <= face.pad.half_x + r && std::abs(s.y) <= face.pad.half_y + r;
        Press& press = press_[f];
        const double share = s.depth / rules_.travel;
        if (!on || share < rules_.release_at) {
            if (press.down) ++count_[f].releases, press.came_up = instant;
            press.down = press.refused = false;
        } else if (share >= rules_.fire_at && !press.down && !press.refused) {
            const bool armed = instant >= press.came_up + rules_.rearm &&
                               instant >= ways_[w].points.front().time + rules_.reacquire;
            (armed ? press.down : press.refused) = true;
            if (armed) ++count_[f].presses;
        }
        if (!on) holds_[w] = press.finger = kNoIndex;
    }
    /// Where a fingertip is before an instant, at it and after it.
    struct Step {
        Vec3d before, at, after;
    };
    void come(std::uint32_t w, std::uint32_t f, double instant, const Step& step) {
        const TruthFace& face = faces_[f];
        const double was = sight(ways_[w], face, step.before).depth,
                     is = sight(ways_[w], face, step.after).depth;
        const Sight at = sight(ways_[w], face, step.at);
        const bool inside = std::abs(at.x) <= face.pad.half_x && std::abs(at.y) <= face.pad.half_y;
        // The middle of the ball comes up through the face.
        if (inside && was > ways_[w].radius && is < ways_[w].radius) ++count_[f].from_behind;
        const bool comes =
            was < 0 && is > 0 && inside && press_[f].finger == kNoIndex && holds_[w] == kNoIndex;
        if (!comes || instant < ways_[w].points.front().time + rules_.reacquire) return;
        holds_[w] = f;
        press_[f].finger = w;
        hold_on(w, instant, step.after);
    }

    std::span<const TruthWay> ways_;
    std::span<const TruthFace> faces_;
    PressRules rules_;
    std::vector<Press> press_;
    std::vector<std::uint32_t> holds_;  ///< by finger: the face
    std::vector<TruthCount> count_;
};

}  // namespace

std::vector<TruthCount> what_should_happen(std::span<const TruthWay> ways, std::span<const TruthFace> faces,
                                           const PressRules& rules) {
    return Course(ways, faces, rules).run();
}

}  // namespace claybox::app
