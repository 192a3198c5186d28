// Cost: one projection per vertex and one to three per edge, then a few operations per row of pixels.

#include "collision/continuous/screw_motion/screen/draw.hpp"

#include "collision/continuous/screw_motion/screen/projector.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr int kMaxHalvings = 10;
/// Largest azimuth or change of r, relative to r, that one straight part may cover: beyond, the middle is no
/// measure of the deviation.
constexpr double kWidestPart = 0.6;

template <class Real>
class Drawer {
  public:
    Drawer(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, DrawMemory& memory,
           CurveSink* sink)
        : settings_(settings),
          side_(side),
          line_(memory.line),
          sink_(sink),
          project_(piece),
          angle_(piece.angle),
          pitch_(piece.pitch),
          margin_((side.is_b ? 0 : settings.margin) / settings.pixel + 1e-9),
          per_pixel_(1 / settings.pixel),
          tolerance_(4 * kCurveDeviation * settings.pixel),
          time_tolerance_(4 * settings.time_resolution),
          low_r_(settings.r_low),
          high_r_(settings.r_high),
          rows_{0, settings.rows - 1} {}

    void run() {
        side_.runs.clear();
        for (std::uint32_t e = 0; e < side_.edges.size(); ++e) draw(e);
    }

  private:
    using End = ProjectedEnd;

    void draw(std::uint32_t index) {
        SubEdge& e = side_.edges[index];
        if (!side_.rows.empty()) {
            rows_ = side_.rows[index];
            if (rows_.last < rows_.first) return;
            low_r_ = settings_.r_low + rows_.first * settings_.pixel;
            high_r_ = settings_.r_low + (rows_.last + 1) * settings_.pixel;
        }
        edge_ = index, shift_ = e.shift;
        const End p{e.p, e.phi0, {e.r0, e.h0, e.t0}}, q{e.q, e.phi1, {e.r1, e.h1, e.t1}};
        low_t_ = std::min(e.t0, e.t1), high_t_ = std::max(e.t0, e.t1);
        bend_ = 1e300, whole_ = true;
        if (project_.translates()) {
            line_.clear();
            put(p), put(q);
            bend_ = 0;
            draw_line(e.first != kNoIndex, e.last != kNoIndex);
        } else {
            draw_curve(e, p, q);
        }
        e.bend = bend_;
        e.t_low = low_t_ - settings_.time_margin, e.t_high = high_t_ + settings_.time_margin;
    }

    /// Only a part that is a whole edge has a bend.
    bool whole_ = true;

    /// The distance from the axis is least at the foot of its perpendicular; both sides of it are drawn
    /// apart.
    void draw_curve(const SubEdge& e, const End& p, const End& q) {
        const double dx = e.q.x - e.p.x, dz = e.q.z - e.p.z;
        const double to_foot = -(e.p.x * dx + e.p.z * dz), squared = dx * dx + dz * dz;
        if (!(to_foot > 1e-9 * squared && to_foot < (1 - 1e-9) * squared)) {
            if (outside(std::min(p.screen.r, q.screen.r), std::max(p.screen.r, q.screen.r))) return;
            draw_part(p, q, e.first != kNoIndex, e.last != kNoIndex);
            return;
        }
        whole_ = false;  // the chord of the whole edge is drawn nowhere
        Vec3d at = e.p + (to_foot / squared) * (e.q - e.p);
        if (at.x == 0) at.x = e.p.x == 0 ? e.p.x : std::copysign(0.0, e.p.x);
        const End before = end_of(at, e.p), after = end_of(at, e.q);
        if (!outside(before.screen.r, p.screen.r)) draw_part(p, before, e.first != kNoIndex, false);
        if (!outside(after.screen.r, q.screen.r)) draw_part(after, q, false, e.last != kNoIndex);
    }
    bool outside(double low, double high) const {
        const double margin = margin_ * settings_.pixel;
        return low - margin > high_r_ || high + margin < low_r_;
    }

    End end_of(const Vec3d& p, const Vec3d& q) const { return project_.end(p, q, shift_); }

    /// A part whose r is monotonic.
    void draw_part(const End& p, const End& q, bool first, bool last) {
        line_.clear();
        put(p);
        if (is_straight(p, q))
            put(q);
        else
            halve(p, q, 0);
        draw_line(first, last);
    }
    /// A bound of the second derivatives, where the edge is short relative to its distance from the axis:
    /// with length L, those of r and h are at most L^2 / r times the constant below, and the chord deviates
    /// by an eighth of that.
    bool is_straight(const End& p, const End& q) {
        const double r = std::min(p.screen.r, q.screen.r), squared = length_squared(q.at - p.at);
        if (!(squared < 0.25 * r * r)) return false;
        const double azimuth = std::max(std::fabs(p.phi), std::fabs(q.phi));
        const double high = std::max(std::fabs(p.at.y), std::fabs(q.at.y));
        const double deviation = squared * (azimuth + 6 + 2 * high / r) / (8 * r);
        if (4 * deviation > tolerance_ || 2 * deviation > settings_.time_resolution * slowest(r))
            return false;
        if (whole_) bend_ = 2 * deviation;
        const double spare = 2 * deviation / slowest(r);
        low_t_ -= spare, high_t_ += spare;
        return true;
    }
    /// Speed of the flow.
    double slowest(double r) const { return std::sqrt(pitch_ * pitch_ + angle_ * angle_ * r * r); }
    void put(const End& p) {
        line_.push_back({(p.screen.r - settings_.r_low) * per_pixel_, p.screen.h * per_pixel_, p.screen.t});
    }

    /// Divide and conquer: the middle of the curve against the middle of the chord.
    void halve(const End& p, const End& q, int depth) {
        const Vec3d middle = 0.5 * (p.at + q.at);
        const End m = end_of(middle, middle);
        const double dr = std::fabs(m.screen.r - 0.5 * (p.screen.r + q.screen.r));
        const double dh = std::fabs(m.screen.h - 0.5 * (p.screen.h + q.screen.h));
        const double dt = std::fabs(m.screen.t - 0.5 * (p.screen.t + q.screen.t));
        const bool wide =
            std::fabs(p.phi - q.phi) > kWidestPart && std::max(p.screen.r, q.screen.r) > settings_.pixel;
        // A quarter of this deviation remains in each half.
        if (depth < kMaxHalvings && (dr > tolerance_ || dh > tolerance_ || dt > time_tolerance_ || wide)) {
            halve(p, m, depth + 1);
            halve(m, q, depth + 1);
            return;
        }
        low_t_ = std::min({low_t_, q.screen.t, m.screen.t - 0.5 * dt});
        high_t_ = std::max({high_t_, q.screen.t, m.screen.t + 0.5 * dt});
        if (whole_ && depth == 0) bend_ = 1.5 * (dr + dh);
        // A chord that is good enough needs no middle.
        if (4 * dr > tolerance_ || 4 * dh > tolerance_ || 4 * dt > time_tolerance_) put(m);
        put(q);
    }

    /// Turns the polyline into one run for each row that it covers, wider by the margin.
    void draw_line(bool first, bool last) {
        if (sink_ != nullptr) report();
        const bool reversed = line_.front().r > line_.back().r;
        if (reversed) std::reverse(line_.begin(), line_.end());
        const double bottom_r = line_.front().r, top_r = line_.back().r;
        const std::int32_t begin = std::max(rows_.first, cell(bottom_r - margin_));
        const std::int32_t end = std::min(rows_.last, cell(top_r + margin_));
        if (begin > end) return;
        const std::size_t first_run = side_.runs.size();
        side_.runs.resize(first_run + static_cast<std::size_t>(end - begin + 1));
        PixelRun* run = side_.runs.data() + first_run;
        if (!settings_.times) return draw_segments(begin, end, run);
        std::size_t segment = 0;
        for (std::int32_t row = begin; row <= end; ++row, ++run) {
            const double bottom = row - margin_, top = row + 1 + margin_;
            while (segment + 2 < line_.size() && line_[segment + 1].r <= bottom) ++segment;
            ScreenPoint p = at(segment, bottom);
            Range h{p.h, p.h}, t{p.t, p.t};
            std::size_t k = segment;
            for (; k + 2 < line_.size() && line_[k + 1].r < top; ++k)
                h.add(line_[k + 1].h), t.add(line_[k + 1].t);
            p = at(k, top);
            h.add(p.h), t.add(p.t);
            run->row = row, run->h_min = cell(h.low - margin_), run->h_max = cell(h.high + margin_);
            run->edge = edge_;
            if (!settings_.times) continue;
            run->t_low = static_cast<float>(t.low), run->t_high = static_cast<float>(t.high);
            const bool low_end = cell(bottom_r) == row, high_end = cell(top_r) == row;
            run->first = first && (reversed ? high_end : low_end);
            run->last = last && (reversed ? low_end : high_end);
        }
    }
    /// The same without times, one segment after another. Segments share the row where they meet.
    void draw_segments(std::int32_t begin, std::int32_t end, PixelRun* runs) const {
        std::int32_t done = begin;  // rows before have a run
        for (std::size_t k = 0; k + 1 < line_.size(); ++k) {
            const ScreenPoint &a = line_[k], &b = line_[k + 1];
            const double size = std::max(0.0, b.r - a.r), slope = size > 0 ? (b.h - a.h) / size : 0;
            const double level = size > 0 ? 0 : b.h - a.h;  // of a segment along the row
            const double least = std::min(0.0, level) - margin_, most = std::max(0.0, level) + margin_;
            const std::int32_t last = std::min(end, cell(b.r + margin_));
            for (std::int32_t row = std::max(begin, cell(a.r - margin_)); row <= last; ++row) {
                const double u = std::clamp(row - margin_ - a.r, 0.0, size);
                const double w = std::clamp(row + 1 + margin_ - a.r, 0.0, size);
                const double from = a.h + slope * u, to = a.h + slope * w;
                const std::int32_t h_min = cell(std::min(from, to) + least);
                const std::int32_t h_max = cell(std::max(from, to) + most);
                PixelRun& run = runs[row - begin];
                if (row >= done) {
                    run.row = row, run.edge = edge_, run.h_min = h_min, run.h_max = h_max;
                    done = row + 1;
                } else {
                    run.h_min = std::min(run.h_min, h_min), run.h_max = std::max(run.h_max, h_max);
                }
            }
        }
    }
    struct Range {
        double low, high;
        void add(double x) { low = std::min(low, x), high = std::max(high, x); }
    };
    /// The point of a segment with this r, or the nearest end.
    ScreenPoint at(std::size_t segment, double r) const {
        const ScreenPoint &a = line_[segment], &b = line_[segment + 1];
        if (r <= a.r) return a;
        if (r >= b.r) return b;
        const double u = (r - a.r) / (b.r - a.r);
        return {r, a.h + u * (b.h - a.h), a.t + u * (b.t - a.t)};
    }
    void report() {
        const auto metres = [&](const ScreenPoint& p) {
            return ScreenPoint{p.r * settings_.pixel + settings_.r_low, p.h * settings_.pixel, p.t};
        };
        for (std::size_t i = 0; i + 1 < line_.size(); ++i)
            sink_->piece(edge_, metres(line_[i]), metres(line_[i + 1]));
    }

    const ScreenSettings& settings_;
    SideScreen& side_;
    std::vector<ScreenPoint>& line_;
    CurveSink* sink_;
    Projector<Real> project_;
    double angle_, pitch_;
    double margin_, per_pixel_, tolerance_, time_tolerance_;
    std::uint32_t edge_ = 0;
    double shift_ = 0, low_t_ = 0, high_t_ = 0, bend_ = 0;
    double low_r_, high_r_;  ///< of the rows
    RowRange rows_;
};

}  // namespace

ScreenPoint project_point(const ScrewPiece& piece, const Vec3d& p, double shift) {
    const Projector<double> projector(piece);
    return projector.screen(projector.place(p, p, shift));
}

ProjectionError projection_error(const ScrewPiece& piece, bool single, double reach) {
    const double relative = single ? 4e-6 : 2e-8;  // of the angle, and of rounding in single precision
    if (piece.angle == 0) return {single ? 1e-6 * reach : 1e-14 * reach, single ? 1e-5 : 1e-12};
    return {relative * reach, relative * 2 / piece.angle};
}

void project_vertices(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side) {
    side.active.assign(side.points.size(), 0);
    side.projected.resize(side.points.size());
    if (side.edges.empty() && side.mesh->edges.empty())
        std::fill(side.active.begin(), side.active.end(), static_cast<unsigned char>(1));
    for (const SubEdge& e : side.edges) {
        if (e.is_virtual()) continue;
        if (e.first != kNoIndex) side.active[e.first] = 1;
        if (e.last != kNoIndex) side.active[e.last] = 1;
    }
    const auto project = [&](const auto& projector) {
        for (std::size_t v = 0; v < side.points.size(); ++v) {
            if (side.active[v] == 0) continue;
            const auto place = projector.place(side.points[v], side.points[v], 0);
            side.projected[v] = {static_cast<double>(place.phi), projector.screen(place)};
        }
    };
    if (settings.single)
        project(Projector<float>(piece));
    else
        project(Projector<double>(piece));
}

void draw_edges(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, DrawMemory& memory,
                CurveSink* sink) {
    if (settings.single)
        Drawer<float>(piece, settings, side, memory, sink).run();
    else
        Drawer<double>(piece, settings, side, memory, sink).run();
}

void list_vertices(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side) {
    side.vertices.clear();
    // The region of a face of B is that of its polyline; A's vertices are widened for that. B's vertices meet
    // faces of A that are drawn wider already.
    const double margin = side.is_b ? 0 : settings.margin;
    const double limit = settings.wraps && !side.is_b ? -kPi + piece.angle + 1e-6 : -10;
    const double r_low = settings.r_low - margin,
                 r_high = settings.r_low + settings.rows * settings.pixel + margin;
    const auto add = [&](std::uint32_t v, const ScreenPoint& at) {
        if (at.r < r_low || at.r >= r_high) return;
        VertexPixel& pixel = side.vertices.emplace_back();
        pixel.vertex = v, pixel.at = at;
    };
    for (const std::uint32_t v : side.mesh->vertex_order) {
        if (side.active[v] == 0) continue;
        const Vec3d& p = side.points[v];
        if (piece.angle > 0 && piece.pitch == 0 && p.x == 0 && p.z == 0) continue;  // never moves
        add(v, side.projected[v].screen);
        if (side.projected[v].phi <= limit) add(v, project_point(piece, p, 2 * kPi));
    }
}

void draw_vertices(const ScreenSettings& settings, SideScreen& side) {
    const double margin = side.is_b ? 0 : settings.margin, scale = 1 / settings.pixel;
    for (VertexPixel& pixel : side.vertices) {
        const ScreenPoint& at = pixel.at;
        pixel.row = std::max(0, cell((at.r - margin - settings.r_low) * scale));
        pixel.row_end = std::min(settings.rows - 1, cell((at.r + margin - settings.r_low) * scale));
        pixel.h_min = cell((at.h - margin) * scale), pixel.h_max = cell((at.h + margin) * scale);
    }
}

}  // namespace claybox::collision
