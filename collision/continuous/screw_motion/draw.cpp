// Cost: one projection per vertex and one to three per edge, then a few operations per row of pixels.

#include "collision/continuous/screw_motion/draw.hpp"

#include "collision/continuous/screw_motion/quick_trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr int kMaxHalvings = 10;
/// Largest azimuth or change of r, relative to r, that one straight part may cover: beyond, the middle is no
/// measure of the deviation.
constexpr double kWidestPart = 0.6;
constexpr double kMaxColumn = 1e9;

std::int32_t cell(double x) {
    const double clamped = std::clamp(x, -kMaxColumn, kMaxColumn);
    const auto whole = static_cast<std::int32_t>(clamped);
    return whole - (static_cast<double>(whole) > clamped ? 1 : 0);
}

/// Projects points of one piece. Real is the precision of everything but the result.
template <class Real>
class Projector {
  public:
    explicit Projector(const ScrewPiece& piece)
        : angle_(static_cast<Real>(piece.angle)),
          pitch_(static_cast<Real>(piece.pitch)),
          translates_(piece.angle == 0),
          per_length_(piece.pitch > 0 ? 1 / piece.pitch : 0) {}

    struct Place {
        Real r, phi, y;
    };
    /// Of the end p of an edge to q.
    Place place(const Vec3d& p, const Vec3d& q, double shift) const {
        const bool on_axis = p.x == 0 && p.z == 0;
        const auto x = static_cast<Real>(p.x), z = static_cast<Real>(p.z);
        if (translates_) return {x, z, static_cast<Real>(p.y)};
        const Real phi = on_axis ? quick_angle(static_cast<Real>(q.x), static_cast<Real>(q.z))
                                 : quick_angle(x, z);
        return {std::sqrt(x * x + z * z), phi + static_cast<Real>(shift), static_cast<Real>(p.y)};
    }
    ScreenPoint screen(const Place& p) const {
        if (translates_)
            return {static_cast<double>(p.r), static_cast<double>(p.phi), static_cast<double>(p.y) * per_length_};
        const Real turn = p.r * angle_, squared = pitch_ * pitch_ + turn * turn;
        if (!(squared > 0)) return {0, static_cast<double>(p.y), static_cast<double>(p.phi / angle_)};
        const Real inverse = 1 / squared, arc = p.r * p.phi;
        return {static_cast<double>(p.r),
                static_cast<double>((p.y * turn - arc * pitch_) * std::sqrt(inverse)),
                static_cast<double>((p.y * pitch_ + arc * turn) * inverse)};
    }
    bool translates() const { return translates_; }

  private:
    Real angle_, pitch_;
    bool translates_;
    double per_length_;
};

template <class Real>
class Drawer {
  public:
    Drawer(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, DrawMemory& memory,
           CurveSink* sink)
        : settings_(settings),
          side_(side),
          memory_(memory),
          sink_(sink),
          project_(piece),
          margin_(side.is_b ? 0 : settings.margin),
          per_pixel_(1 / settings.pixel),
          tolerance_(4 * kCurveDeviation * settings.pixel),
          time_tolerance_(4 * settings.time_resolution) {}

    void run() {
        side_.runs.clear();
        side_.h_low = 1e300, side_.h_high = -1e300;
        for (std::uint32_t e = 0; e < side_.edges.size(); ++e) draw(e);
    }

  private:
    struct End {
        Vec3d at;
        typename Projector<Real>::Place place;
        ScreenPoint screen;
    };

    void draw(std::uint32_t index) {
        SubEdge& e = side_.edges[index];
        edge_ = index, shift_ = e.shift;
        const End p = end_of(e.p, e.q), q = end_of(e.q, e.p);
        e.t_low = std::min(p.screen.t, q.screen.t), e.t_high = std::max(p.screen.t, q.screen.t);
        if (project_.translates()) {
            draw_part(p, q, e.first != kNoIndex, e.last != kNoIndex);
        } else {
            // The distance from the axis is least at the foot of its perpendicular.
            const double dx = e.q.x - e.p.x, dz = e.q.z - e.p.z, squared = dx * dx + dz * dz;
            const double foot = squared > 0 ? -(e.p.x * dx + e.p.z * dz) / squared : 0;
            if (foot > 1e-9 && foot < 1 - 1e-9) {
                Vec3d at = e.p + foot * (e.q - e.p);
                if (at.x == 0) at.x = e.p.x == 0 ? e.p.x : std::copysign(0.0, e.p.x);
                const End before = end_of(at, e.p), after = end_of(at, e.q);
                draw_part(p, before, e.first != kNoIndex, false);
                draw_part(after, q, false, e.last != kNoIndex);
            } else {
                draw_part(p, q, e.first != kNoIndex, e.last != kNoIndex);
            }
        }
        e.t_low -= settings_.time_margin, e.t_high += settings_.time_margin;
    }

    End end_of(const Vec3d& p, const Vec3d& q) const {
        const auto place = project_.place(p, q, shift_);
        return {p, place, project_.screen(place)};
    }

    /// A part whose r is monotonic.
    void draw_part(const End& p, const End& q, bool first, bool last) {
        const double low = std::min(p.screen.r, q.screen.r) - margin_ - 1e-9 * settings_.pixel;
        const double high = std::max(p.screen.r, q.screen.r) + margin_ + 1e-9 * settings_.pixel;
        if (low > settings_.r_high || high < settings_.r_low) return note_time(p, q);
        base_ = std::max(0, cell((low - settings_.r_low) * per_pixel_));
        const std::int32_t end = std::min(settings_.rows - 1, cell((high - settings_.r_low) * per_pixel_));
        if (end < base_) return;
        const auto count = static_cast<std::size_t>(end - base_ + 1);
        if (memory_.low.size() < count) {
            memory_.low.resize(2 * count), memory_.high.resize(2 * count);
            memory_.t_low.resize(2 * count), memory_.t_high.resize(2 * count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            memory_.low[i] = 1e300, memory_.high[i] = -1e300;
            memory_.t_low[i] = 1e30f, memory_.t_high[i] = -1e30f;
        }
        count_ = static_cast<std::int32_t>(count);
        if (project_.translates())
            straight(p, q);
        else
            halve(p, q, 0);
        flush(p, q, first, last);
    }

    void note_time(const End& p, const End& q) {
        // Not drawn: no pixel asks for its time. Its faces may, so the ends still count.
        SubEdge& e = side_.edges[edge_];
        e.t_low = std::min({e.t_low, p.screen.t, q.screen.t});
        e.t_high = std::max({e.t_high, p.screen.t, q.screen.t});
    }

    /// Divide and conquer: the middle of the curve against the middle of the chord.
    void halve(const End& p, const End& q, int depth) {
        End m;
        m.at = 0.5 * (p.at + q.at);
        m.place = project_.place(m.at, m.at, shift_);
        m.screen = project_.screen(m.place);
        const double dr = std::fabs(m.screen.r - 0.5 * (p.screen.r + q.screen.r));
        const double dh = std::fabs(m.screen.h - 0.5 * (p.screen.h + q.screen.h));
        const double dt = std::fabs(m.screen.t - 0.5 * (p.screen.t + q.screen.t));
        const double turn = std::fabs(static_cast<double>(p.place.phi - q.place.phi));
        const bool wide = turn > kWidestPart && std::max(p.screen.r, q.screen.r) > settings_.pixel;
        // A quarter of this deviation remains in each half.
        if (depth < kMaxHalvings && (dr > tolerance_ || dh > tolerance_ || dt > time_tolerance_ || wide)) {
            halve(p, m, depth + 1);
            halve(m, q, depth + 1);
            return;
        }
        SubEdge& e = side_.edges[edge_];
        const double spare = 0.5 * dt;
        e.t_low = std::min({e.t_low, p.screen.t, q.screen.t, m.screen.t - spare});
        e.t_high = std::max({e.t_high, p.screen.t, q.screen.t, m.screen.t + spare});
        straight(p, m);
        straight(m, q);
    }

    /// Adds a straight part of the polyline to the rows that it covers.
    void straight(const End& p, const End& q) {
        const ScreenPoint &a = p.screen, &b = q.screen;
        if (sink_ != nullptr) sink_->piece(edge_, a, b);
        const double scale = per_pixel_;
        const double ra = (a.r - settings_.r_low) * scale, rb = (b.r - settings_.r_low) * scale;
        const double wide = margin_ * scale;
        const double low = std::min(ra, rb), high = std::max(ra, rb);
        const std::int32_t from = std::max(0, cell(low - wide) - base_);
        const std::int32_t to = std::min(count_ - 1, cell(high + wide) - base_);
        const double slope = high > low ? 1 / (rb - ra) : 0;
        for (std::int32_t k = from; k <= to; ++k) {
            const double bottom = base_ + k - wide, top = base_ + k + 1 + wide;
            double u = 0, w = 1;
            if (slope != 0) {
                u = std::clamp((bottom - ra) * slope, 0.0, 1.0);
                w = std::clamp((top - ra) * slope, 0.0, 1.0);
            }
            add(static_cast<std::size_t>(k), a.h + u * (b.h - a.h), a.h + w * (b.h - a.h), a.t + u * (b.t - a.t),
                a.t + w * (b.t - a.t));
        }
    }
    void add(std::size_t k, double h0, double h1, double t0, double t1) {
        memory_.low[k] = std::min({memory_.low[k], h0, h1});
        memory_.high[k] = std::max({memory_.high[k], h0, h1});
        memory_.t_low[k] = std::min({memory_.t_low[k], static_cast<float>(t0), static_cast<float>(t1)});
        memory_.t_high[k] = std::max({memory_.t_high[k], static_cast<float>(t0), static_cast<float>(t1)});
    }

    void flush(const End& p, const End& q, bool first, bool last) {
        const std::int32_t first_row = cell((p.screen.r - settings_.r_low) * per_pixel_);
        const std::int32_t last_row = cell((q.screen.r - settings_.r_low) * per_pixel_);
        for (std::int32_t k = 0; k < count_; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (memory_.low[i] > memory_.high[i]) continue;
            const double low = memory_.low[i] - margin_, high = memory_.high[i] + margin_;
            side_.h_low = std::min(side_.h_low, low), side_.h_high = std::max(side_.h_high, high);
            side_.runs.push_back({base_ + k, cell(low * per_pixel_), cell(high * per_pixel_), edge_,
                                  memory_.t_low[i], memory_.t_high[i], first && first_row == base_ + k,
                                  last && last_row == base_ + k});
        }
    }

    const ScreenSettings& settings_;
    SideScreen& side_;
    DrawMemory& memory_;
    CurveSink* sink_;
    Projector<Real> project_;
    double margin_, per_pixel_, tolerance_, time_tolerance_;
    std::uint32_t edge_ = 0;
    double shift_ = 0;
    std::int32_t base_ = 0, count_ = 0;
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
    (void)settings;
    side.active.assign(side.points.size(), 0);
    side.projected.resize(side.points.size());
    if (side.edges.empty() && side.mesh->edges.empty())
        std::fill(side.active.begin(), side.active.end(), static_cast<unsigned char>(1));
    for (const SubEdge& e : side.edges) {
        if (e.is_virtual()) continue;
        if (e.first != kNoIndex) side.active[e.first] = 1;
        if (e.last != kNoIndex) side.active[e.last] = 1;
    }
    for (std::size_t v = 0; v < side.points.size(); ++v)
        if (side.active[v] != 0) side.projected[v] = project_point(piece, side.points[v], 0);
}

void draw_edges(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, DrawMemory& memory,
                CurveSink* sink) {
    if (settings.single)
        Drawer<float>(piece, settings, side, memory, sink).run();
    else
        Drawer<double>(piece, settings, side, memory, sink).run();
}

void draw_vertices(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side) {
    side.vertices.clear();
    // The region of a face of B is that of its polyline; A's vertices are widened for that. B's vertices meet
    // faces of A that are drawn wider already.
    const double margin = side.is_b ? 0 : settings.margin, scale = 1 / settings.pixel;
    const double limit = settings.wraps && !side.is_b ? -kPi + piece.angle + 1e-6 : -10;
    const auto add = [&](std::uint32_t v, const ScreenPoint& at) {
        VertexPixel pixel;
        pixel.row = std::max(0, cell((at.r - margin - settings.r_low) * scale));
        pixel.row_end = std::min(settings.rows - 1, cell((at.r + margin - settings.r_low) * scale));
        pixel.h_min = cell((at.h - margin) * scale), pixel.h_max = cell((at.h + margin) * scale);
        pixel.vertex = v, pixel.at = at;
        if (pixel.row <= pixel.row_end) side.vertices.push_back(pixel);
    };
    for (std::uint32_t v = 0; v < side.points.size(); ++v) {
        if (side.active[v] == 0) continue;
        const Vec3d& p = side.points[v];
        if (piece.angle > 0 && piece.pitch == 0 && p.x == 0 && p.z == 0) continue;  // never moves
        add(v, side.projected[v]);
        if (limit > -4 && quick_angle(p.x, p.z) <= limit) add(v, project_point(piece, p, 2 * kPi));
    }
}

}  // namespace claybox::collision
