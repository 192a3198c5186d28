#include "collision/continuous/screw_motion/screen/facing.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Of the largest speed.
constexpr double kFacingSlack = 1e-6;

/// A part [low, high] of an edge.
struct Interval {
    double low = 0, high = 0;
    bool contains(double s) const { return low <= s && s <= high && low < high; }
};

/// Where a linear function with these values at 0 and 1 is not negative.
Interval not_negative(double at0, double at1) {
    if (at0 >= 0 && at1 >= 0) return {0, 1};
    if (at0 < 0 && at1 < 0) return {0, 0};
    const double zero = at0 / (at0 - at1);
    return at0 < 0 ? Interval{zero, 1} : Interval{0, zero};
}

Vec3d between(const Vec3d& p, const Vec3d& q, double s) {
    return s <= 0 ? p : s >= 1 ? q : p + s * (q - p);
}

class FaceCuts {
  public:
    FaceCuts(const SideScreen& side, ClipMemory& memory) : memory_(memory) {
        memory_.head.assign(side.mesh->face_count(), kNoIndex);
        memory_.faces.clear();
        memory_.cuts.clear();
    }
    void add(std::uint32_t face, const Vec3d& point) {
        if (face == kNoIndex) return;
        std::uint32_t& head = memory_.head[face];
        if (head == kNoIndex) memory_.faces.push_back(face);
        memory_.cuts.push_back({head, point});
        head = static_cast<std::uint32_t>(memory_.cuts.size() - 1);
    }
    /// Calls emit(face, p, q) for each part of the cut line inside a face: between the cuts with odd and even
    /// number, sorted along the line. `extra(face)` adds points to an odd number of cuts.
    template <class Key, class Extra, class Emit>
    void join(Key&& key, Extra&& extra, Emit&& emit) {
        for (const std::uint32_t face : memory_.faces) {
            auto& sorted = memory_.sorted;
            sorted.clear();
            const Vec3d first = memory_.cuts[memory_.head[face]].point;
            for (std::uint32_t c = memory_.head[face]; c != kNoIndex; c = memory_.cuts[c].next)
                sorted.push_back({key(face, memory_.cuts[c].point, first), memory_.cuts[c].point});
            if (sorted.size() % 2 != 0) extra(face, sorted);
            std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.at < y.at; });
            // An odd number is the fault of rounding: then join all.
            const std::size_t step = sorted.size() % 2 == 0 ? 2 : 1;
            for (std::size_t i = 0; i + 1 < sorted.size(); i += step)
                emit(face, sorted[i].point, sorted[i + 1].point);
            memory_.head[face] = kNoIndex;
        }
        memory_.faces.clear();
        memory_.cuts.clear();
    }

  private:
    ClipMemory& memory_;
};

SubEdge virtual_edge(std::uint32_t face, const Vec3d& p, const Vec3d& q) {
    SubEdge e;
    e.p = p, e.q = q, e.left = face;
    return e;
}

class FacingClip {
  public:
    FacingClip(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, ClipMemory& memory)
        : piece_(piece),
          side_(side),
          mesh_(*side.mesh),
          cuts_(side, memory),
          ways_(memory.ways),
          sign_(side.is_b ? 1 : -1) {
        culls_ = settings.cull && mesh_.one_sided;
        slack_ = facing_slack(piece, side);
        reach_ = piece.angle * side.stretch * (1 + 1e-9);
    }

    void run() {
        side_.discarded = side_.virtual_edges = side_.doppelled = 0;
        classify_faces();
        for (std::uint32_t e = 0; e < mesh_.edges.size(); ++e) clip(e, mesh_.edges[e]);
        side_.edges.resize(count_);
        const auto along = [&](std::uint32_t face, const Vec3d& p, const Vec3d& first) {
            const Vec3d n = side_.normals[face];
            return dot(cross(n, Vec3d{-n.z, 0, n.x}), p - first);  // the line is perpendicular to n and n x j
        };
        const auto nothing = [](std::uint32_t, auto&) {};
        cuts_.join(along, nothing, [&](std::uint32_t face, const Vec3d& p, const Vec3d& q) {
            side_.edges.push_back(virtual_edge(face, p, q));
            ++side_.virtual_edges;
        });
    }

  private:
    static constexpr unsigned char kRight = 1, kWrong = 2, kMixed = kRight | kWrong;

    /// Most faces look one way as a whole. Faces that are too far away look the wrong way.
    void classify_faces() {
        ways_.assign(mesh_.face_count(), kRight);
        for (std::uint32_t f = 0; culls_ && f < mesh_.face_count(); ++f) ways_[f] = way_of(f);
        for (std::uint32_t f = 0; f < side_.near_faces.size(); ++f)
            if (side_.near_faces[f] == 0) ways_[f] = kWrong;
    }
    unsigned char way_of(std::uint32_t face) const {
        const auto loop = mesh_.loop(face);
        const double first = facing_of(face, loop[0]);
        // The speed along the normal changes by at most the angle per metre.
        if (std::fabs(first) > mesh_.face_sizes[face] * reach_) return first >= 0 ? kRight : kWrong;
        unsigned char seen = 0;
        for (const std::uint32_t v : loop) seen |= facing_of(face, v) >= 0 ? kRight : kWrong;
        return seen;
    }
    unsigned char way(std::uint32_t face) const { return face == kNoIndex ? kWrong : ways_[face]; }

    double facing_of(std::uint32_t face, std::uint32_t vertex) const {
        const Vec3d& n = side_.normals[face];
        return sign_ * facing(n, side_.points[vertex], piece_.angle, piece_.pitch) + slack_;
    }
    void clip(std::uint32_t e, const ScrewMesh::Edge& edge) {
        const unsigned char way_l = way(edge.left), way_r = way(edge.right);
        if (way_l != kMixed && way_r != kMixed) {
            const std::uint32_t left = way_l == kRight ? edge.left : kNoIndex,
                                right = way_r == kRight ? edge.right : kNoIndex;
            if (left == kNoIndex && right == kNoIndex && (edge.left & edge.right) != kNoIndex)
                ++side_.discarded;
            else
                add(e, edge, 0, 1, left, right);
            return;
        }
        clip_parts(e, edge);
    }
    /// An edge of a face that is cut.
    void clip_parts(std::uint32_t e, const ScrewMesh::Edge& edge) {
        const auto part = [&](std::uint32_t face) {
            if (face == kNoIndex || ways_[face] == kWrong) return Interval{};
            if (ways_[face] == kRight) return Interval{0, 1};
            const Interval facing =
                not_negative(facing_of(face, edge.vertices[0]), facing_of(face, edge.vertices[1]));
            const Vec3d &p = side_.points[edge.vertices[0]], &q = side_.points[edge.vertices[1]];
            if (facing.low > 0) cuts_.add(face, between(p, q, facing.low));
            if (facing.high < 1 && facing.high > facing.low) cuts_.add(face, between(p, q, facing.high));
            return facing;
        };
        const Interval left = part(edge.left), right = part(edge.right);
        if (left.low >= left.high && right.low >= right.high) {
            ++side_.discarded;
            return;
        }
        if (left.high - left.low == 1 && right.high - right.low == 1)
            return add(e, edge, 0, 1, edge.left, edge.right);
        double ends[] = {left.low, left.high, right.low, right.high};
        std::sort(std::begin(ends), std::end(ends));
        for (int i = 0; i < 3; ++i) {
            if (!(ends[i] < ends[i + 1])) continue;
            const double middle = 0.5 * (ends[i] + ends[i + 1]);
            const bool l = left.contains(middle), r = right.contains(middle);
            if (l || r)
                add(e, edge, ends[i], ends[i + 1], l ? edge.left : kNoIndex, r ? edge.right : kNoIndex);
        }
    }
    void add(std::uint32_t e, const ScrewMesh::Edge& edge, double s0, double s1, std::uint32_t left,
             std::uint32_t right) {
        const Vec3d &p = side_.points[edge.vertices[0]], &q = side_.points[edge.vertices[1]];
        if (count_ == side_.edges.size()) side_.edges.emplace_back();
        SubEdge& part = side_.edges[count_++];
        part.p = between(p, q, s0), part.q = between(p, q, s1);
        part.edge = e, part.left = left, part.right = right;
        part.first = s0 <= 0 ? edge.vertices[0] : kNoIndex;
        part.last = s1 >= 1 ? edge.vertices[1] : kNoIndex;
        part.s0 = static_cast<float>(s0), part.s1 = static_cast<float>(s1);
        part.shift = 0;
    }

    const ScrewPiece& piece_;
    SideScreen& side_;
    const ScrewMesh& mesh_;
    FaceCuts cuts_;
    std::vector<unsigned char>& ways_;  ///< per face: which ways its corners look
    double sign_, slack_ = 0, reach_ = 0;
    std::size_t count_ = 0;  ///< of parts; the memory of older ones is used again
    bool culls_ = false;
};

/// The part of `e` from u to w, each in [0, 1].
SubEdge part_of(const SubEdge& e, double u, double w) {
    SubEdge part = e;
    part.p = between(e.p, e.q, u), part.q = between(e.p, e.q, w);
    const float length = e.s1 - e.s0;
    part.s0 = e.s0 + static_cast<float>(u) * length, part.s1 = e.s0 + static_cast<float>(w) * length;
    if (u > 0) part.first = kNoIndex;
    if (w < 1) part.last = kNoIndex;
    return part;
}

class Doppel {
  public:
    Doppel(const ScrewPiece& piece, SideScreen& side, ClipMemory& memory)
        : piece_(piece), side_(side), memory_(memory), cuts_(side, memory) {}

    void cut() {
        memory_.source.swap(side_.edges);
        side_.edges.clear();
        for (const SubEdge& e : memory_.source) cut_edge(e);
        const auto along = [](std::uint32_t, const Vec3d& p, const Vec3d&) { return p.z; };
        join(along, [&](std::uint32_t face, const Vec3d& p, const Vec3d& q) {
            for (const double zero : {0.0, -0.0}) {
                SubEdge e = virtual_edge(face, p, q);
                e.p.x = e.q.x = zero;
                add_virtual(e);
            }
        });
    }

    /// Parts with azimuth below `limit` again, one turn further.
    void repeat() {
        const double limit = -kPi + piece_.angle + 1e-6;
        const SinCos to = sin_cos(limit);
        const auto side = [&](const Vec3d& p) { return p.x * to.cos - p.z * to.sin; };
        const std::size_t count = side_.edges.size();
        for (std::size_t i = 0; i < count; ++i) {
            const SubEdge e = side_.edges[i];
            const bool p_in = azimuth(e.p, e.q) <= limit, q_in = azimuth(e.q, e.p) <= limit;
            if (!p_in && !q_in) continue;
            double u = 0, w = 1;
            if (p_in != q_in) {
                const double sp = side(e.p), sq = side(e.q);
                const double zero = sp == sq ? 0.5 : std::clamp(sp / (sp - sq), 0.0, 1.0);
                (p_in ? w : u) = zero;
                const Vec3d point = between(e.p, e.q, zero);
                cuts_.add(e.left, point), cuts_.add(e.right, point);
            }
            SubEdge part = part_of(e, u, w);
            part.shift = 2 * kPi;
            side_.edges.push_back(part);
            ++side_.doppelled;
        }
        const auto along = [&](std::uint32_t, const Vec3d& p, const Vec3d&) {
            return -(p.x * to.sin + p.z * to.cos);
        };
        join(along, [&](std::uint32_t face, const Vec3d& p, const Vec3d& q) {
            SubEdge e = virtual_edge(face, p, q);
            e.shift = 2 * kPi;
            add_virtual(e);
        });
    }

  private:
    /// Azimuth of p, the end of an edge to q. A point of the axis has that of the other end.
    static double azimuth(const Vec3d& p, const Vec3d& q) {
        return p.x == 0 && p.z == 0 ? quick_angle(q.x, q.z) : quick_angle(p.x, p.z);
    }
    void add_virtual(const SubEdge& e) {
        side_.edges.push_back(e);
        ++side_.virtual_edges;
    }
    void cut_edge(const SubEdge& e) {
        const auto behind = [](const Vec3d& p) { return p.x < 0; };  // x = 0 counts as positive
        if (behind(e.p) == behind(e.q)) {
            SubEdge same = e;
            if (same.p.x == 0) same.p.x = 0.0;
            if (same.q.x == 0) same.q.x = 0.0;
            side_.edges.push_back(same);
            if (same.p.x != 0 || same.q.x != 0) return;
            same.p.x = same.q.x = -0.0;
            if (same.p.z < 0 || same.q.z < 0) side_.edges.push_back(same);
            return;
        }
        const double u = std::clamp(e.p.x / (e.p.x - e.q.x), 0.0, 1.0);
        const double z = e.p.z + u * (e.q.z - e.p.z);
        if (z >= 0) {
            side_.edges.push_back(e);
            return;
        }
        Vec3d point = between(e.p, e.q, u);
        point.x = 0;
        cuts_.add(e.left, point), cuts_.add(e.right, point);
        if (u > 0) {
            SubEdge part = part_of(e, 0, u);
            part.q = point;
            part.q.x = behind(e.p) ? -0.0 : 0.0;
            if (u >= 1) part.last = e.last;
            side_.edges.push_back(part);
        }
        if (u < 1) {
            SubEdge part = part_of(e, u, 1);
            part.p = point;
            part.p.x = behind(e.q) ? -0.0 : 0.0;
            if (u <= 0) part.first = e.first;
            side_.edges.push_back(part);
        }
    }
    /// A face with an odd number of cuts on one side of the axis contains the axis (Fig. 11).
    template <class Key, class Emit>
    void join(Key&& key, Emit&& emit) {
        cuts_.join(
            key,
            [&](std::uint32_t face, auto& sorted) {
                const Vec3d& n = side_.normals[face];
                if (std::fabs(n.y) < 1e-9) return;
                const Vec3d p = side_.points[side_.mesh->loop(face)[0]];
                const Vec3d axis{0, dot(n, p) / n.y, 0};
                sorted.push_back({1e300, axis});
            },
            emit);
    }

    const ScrewPiece& piece_;
    SideScreen& side_;
    ClipMemory& memory_;
    FaceCuts cuts_;
};

}  // namespace

double facing_slack(const ScrewPiece& piece, const SideScreen& side) {
    const double fastest = piece.angle * side.farthest + std::fabs(piece.pitch);
    return kFacingSlack * fastest + 8 * piece.deviation;
}

void clip_edges(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side,
                ClipMemory& memory) {
    FacingClip(piece, settings, side, memory).run();
}

void cut_and_doppel(const ScrewPiece& piece, SideScreen& side, ClipMemory& memory) {
    Doppel doppel(piece, side, memory);
    doppel.cut();
    if (!side.is_b) doppel.repeat();
}

}  // namespace claybox::collision
