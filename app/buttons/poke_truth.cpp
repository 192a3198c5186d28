#include "app/buttons/poke_truth.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;

namespace {

/// Fingertip in the frame of a face.
struct LocalTip {
    double x = 0, y = 0, depth = 0;  ///< depth of the lowest point of the ball below the face
};

Vec3d place(const TruthPath& path, double time) {
    const auto later = [](double t, const TruthPoint& p) { return t < p.time; };
    auto next = std::upper_bound(path.points.begin() + 1, path.points.end() - 1, time, later);
    const TruthPoint &a = *(next - 1), &b = *next;
    return a.at + (b.at - a.at) * std::clamp((time - a.time) / (b.time - a.time), 0.0, 1.0);
}

LocalTip local_tip(const TruthPath& path, const TruthFace& face, const Vec3d& at) {
    const Vec3d p = at - face.middle;
    return {dot(p, face.right), dot(p, face.up), path.radius - dot(p, face.out)};
}

/// Adds every instant at which the fingertip crosses a relevant plane of the face.
void add_instants(const TruthPath& path, const TruthFace& face, const PressRules& rules,
                  std::vector<double>& out) {
    const double wide = face.pad.half_x, high = face.pad.half_y, r = rules.side_margin * path.radius;
    for (std::size_t i = 0; i + 1 < path.points.size(); ++i) {
        const TruthPoint &from = path.points[i], &to = path.points[i + 1];
        const LocalTip a = local_tip(path, face, from.at), b = local_tip(path, face, to.at);
        const auto cut = [&](double before, double after, double level) {
            if ((before < level) == (after < level)) return;
            out.push_back(from.time + (to.time - from.time) * ((level - before) / (after - before)));
        };
        for (const double level : {-wide - r, -wide, wide, wide + r}) cut(a.x, b.x, level);
        for (const double level : {-high - r, -high, high, high + r}) cut(a.y, b.y, level);
        for (const double level : {0.0, rules.release_at * rules.travel, rules.fire_at * rules.travel,
                                   rules.travel + rules.back_margin * path.radius, path.radius})
            cut(a.depth, b.depth, level);
        out.push_back(from.time);
        out.push_back(to.time);
    }
}

struct Press {
    std::uint32_t finger = kNoIndex;
    bool down = false;     ///< counted as pressed
    bool refused = false;  ///< reached the fire point too early: must come up first
    double released = -1e9;
};

class Evaluation {
  public:
    Evaluation(std::span<const TruthPath> paths, std::span<const TruthFace> faces, const PressRules& rules)
        : paths_(paths),
          faces_(faces),
          rules_(rules),
          press_(faces.size()),
          holds_(paths.size(), kNoIndex),
          count_(faces.size()) {}

    std::vector<TruthCount> run() {
        std::vector<double> instants;
        for (const TruthPath& path : paths_)
            for (const TruthFace& face : faces_) add_instants(path, face, rules_, instants);
        std::sort(instants.begin(), instants.end());
        instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
        for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
            const double before = i == 0 ? instants[0] : 0.5 * (instants[i - 1] + instants[i]);
            process_instant(before, instants[i], 0.5 * (instants[i] + instants[i + 1]));
        }
        return count_;
    }

  private:
    bool present(std::uint32_t w, double time) const {
        return paths_[w].points.size() > 1 && time >= paths_[w].points.front().time &&
               time <= paths_[w].points.back().time;
    }
    void process_instant(double before, double instant, double now) {
        for (std::uint32_t w = 0; w < paths_.size(); ++w)
            if (present(w, now)) update_hold(w, instant, place(paths_[w], now));
        for (std::uint32_t w = 0; w < paths_.size(); ++w) {
            if (!present(w, before) || !present(w, now)) continue;
            const Step step{place(paths_[w], before), place(paths_[w], instant), place(paths_[w], now)};
            for (std::uint32_t f = 0; f < faces_.size(); ++f) start_hold(w, f, instant, step);
        }
    }
    void update_hold(std::uint32_t w, double instant, const Vec3d& now) {
        const std::uint32_t f = holds_[w];
        if (f == kNoIndex) return;
        const TruthFace& face = faces_[f];
        const LocalTip s = local_tip(paths_[w], face, now);
        const double r = rules_.side_margin * paths_[w].radius;
        const bool on = s.depth >= 0 && s.depth <= rules_.travel + rules_.back_margin * paths_[w].radius &&
                        std::abs(s.x) <= face.pad.half_x + r && std::abs(s.y) <= face.pad.half_y + r;
        Press& press = press_[f];
        const double share = s.depth / rules_.travel;
        if (!on || share < rules_.release_at) {
            if (press.down) ++count_[f].releases, press.released = instant;
            press.down = press.refused = false;
        } else if (share >= rules_.fire_at && !press.down && !press.refused) {
            const bool armed = instant >= press.released + rules_.rearm &&
                               instant >= paths_[w].points.front().time + rules_.reacquire;
            (armed ? press.down : press.refused) = true;
            if (armed) ++count_[f].presses;
        }
        if (!on) holds_[w] = press.finger = kNoIndex;
    }
    /// Position of a fingertip before, at and after an instant.
    struct Step {
        Vec3d before, at, after;
    };
    void start_hold(std::uint32_t w, std::uint32_t f, double instant, const Step& step) {
        const TruthFace& face = faces_[f];
        const double was = local_tip(paths_[w], face, step.before).depth,
                     is = local_tip(paths_[w], face, step.after).depth;
        const LocalTip at = local_tip(paths_[w], face, step.at);
        const bool inside = std::abs(at.x) <= face.pad.half_x && std::abs(at.y) <= face.pad.half_y;
        // The centre of the ball crosses the face from behind.
        if (inside && was > paths_[w].radius && is < paths_[w].radius) ++count_[f].from_behind;
        const bool starts =
            was < 0 && is > 0 && inside && press_[f].finger == kNoIndex && holds_[w] == kNoIndex;
        if (!starts || instant < paths_[w].points.front().time + rules_.reacquire) return;
        holds_[w] = f;
        press_[f].finger = w;
        update_hold(w, instant, step.after);
    }

    std::span<const TruthPath> paths_;
    std::span<const TruthFace> faces_;
    PressRules rules_;
    std::vector<Press> press_;
    std::vector<std::uint32_t> holds_;  ///< per finger: the face
    std::vector<TruthCount> count_;
};

}  // namespace

std::vector<TruthCount> expected_presses(std::span<const TruthPath> paths, std::span<const TruthFace> faces,
                                         const PressRules& rules) {
    return Evaluation(paths, faces, rules).run();
}

}  // namespace claybox::app
