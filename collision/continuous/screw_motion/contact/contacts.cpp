#include "collision/continuous/screw_motion/contact/contacts.hpp"

#include "collision/continuous/screw_motion/contact/properness.hpp"
#include "collision/continuous/screw_motion/contact/screw_function.hpp"
#include "collision/continuous/screw_motion/screen/facing.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Distance below which features touch, relative to the largest coordinate in F.
constexpr double kTouch = 2e-11;
/// Sine of the angle below which two edges are parallel.
constexpr double kParallel = 1e-7;

std::uint32_t feature_key(FeatureKind kind, std::uint32_t index) {
    return static_cast<std::uint32_t>(kind) << 30 | (index & 0x3fffffffu);
}

class Finder {
    using EdgeFrame = ContactMemory::EdgeFrame;

  public:
    Finder(const ScrewPiece& piece, const ContactSettings& settings, const MotionBounds& bounds,
           const SideScreen& a, const SideScreen& b, ContactMemory& memory, std::vector<PieceContact>& out,
           ContactCounts& counts)
        : piece_(piece),
          settings_(settings),
          bounds_(bounds),
          a_(a),
          b_(b),
          memory_(memory),
          out_(out),
          counts_(counts),
          one_sided_(a.mesh->one_sided && b.mesh->one_sided) {
        size_ = std::max(a.largest, b.largest) + std::fabs(piece.pitch);
        middle_ = piece.at(0.5);
        touch_ = kTouch * size_;
        // Without sides, properness says little about which contact comes first.
        threshold_ = one_sided_ ? settings.threshold : -1.0;
    }

    void run(const ScanMemory& scan, bool more) {
        if (!more) {
            out_.clear();
            memory_.table.clear(64);
            prepare_frames();
        }
        if (settings_.first_only)
            for (const PieceContact& c : out_) note_first(c);
        counts_.candidates += scan.edge_pairs.size() + scan.a_in_b.size() + scan.b_in_a.size();
        for (const VertexFacePair& pair : scan.b_in_a) solve_vertex(pair, b_, a_);
        for (const VertexFacePair& pair : scan.a_in_b) solve_vertex(pair, a_, b_);
        for (const EdgePair& pair : scan.edge_pairs)
            settings_.refine ? solve_edges(pair) : read_edges(pair, false);
    }

  private:
    /// Contacts after the first one are of no interest, but those at the same time are.
    void note_first(const PieceContact& c) {
        if (settings_.first_only && !c.approach) latest_ = std::min(latest_, c.tau + 1e-6);
    }
    void prepare_frames() {
        for (const SideScreen* side : {&a_, &b_})
            if (memory_.frames[side->is_b].size() < side->mesh->edges.size())
                memory_.frames[side->is_b].resize(side->mesh->edges.size());
        ++memory_.stamp;
    }

    struct Ends {
        Vec3d p, along, middle;
        std::uint32_t mesh_edge;
    };
    static Ends ends_of(const SideScreen& side, std::uint32_t sub_edge) {
        const std::uint32_t e = side.edges[sub_edge].edge;
        const ScrewMesh::Edge& edge = side.mesh->edges[e];
        const Vec3d &p = side.points[edge.vertices[0]], &q = side.points[edge.vertices[1]];
        return {p, q - p, 0.5 * (p + q), e};
    }
    double turn() const { return piece_.pure ? piece_.angle : bounds_.turn; }

    static Vec3d normal_of(const SideScreen& side, std::uint32_t face) {
        return face == kNoIndex ? Vec3d{} : side.normals[face];
    }
    EdgeAtContact at_contact(const SideScreen& side, const Ends& e, const RigidMap& map) const {
        const ScrewMesh::Edge& edge = side.mesh->edges[e.mesh_edge];
        const Vec3d l = normal_of(side, edge.left), r = normal_of(side, edge.right);
        if (!side.is_b) return {e.along, l, r};
        return {map.turn(e.along), map.turn(l), map.turn(r)};
    }

    // Edge and edge: (along_a x along_b) . (from A's line to B's line) = 0.
    void solve_edges(const EdgePair& pair) {
        const SubEdge &sub_a = a_.edges[pair.a], &sub_b = b_.edges[pair.b];
        const double low = std::max(0.0, sub_a.t_low - sub_b.t_high),
                     high = std::min(latest_, sub_a.t_high - sub_b.t_low);
        const bool in_time = low <= high;
        if (!in_time && !settings_.approaches) return;
        if (pass_by(sub_a, sub_b)) return note_approach(pair);
        if (!in_time) return;
        const double half = 0.5 * (high - low);
        if (one_sided_ && !settings_.approaches &&
            !may_be_proper(sub_a.edge, sub_b.edge, piece_.at(low + half), turn() * half))
            return;
        const Ends a = ends_of(a_, pair.a), b = ends_of(b_, pair.b);
        const double size = std::sqrt(length_squared(a.along) * length_squared(b.along));
        if (piece_.pure) {
            const ScrewFunction function =
                ScrewFunction::edges(a.along, a.middle, b.along, b.middle, piece_.angle, piece_.pitch);
            return solve_edges(pair, a, b, low, high, function, function.bend(), 4e-15 * size * size_);
        }
        const double fast = bounds_.speed, omega = bounds_.turn;
        const double gap =
            length(piece_.at(0.5 * (low + high))(b.middle) - a.middle) + fast * 0.5 * (high - low);
        const double bend = size * (omega * omega * gap + 2 * omega * fast + bounds_.acceleration);
        const auto function = [&](double tau) { return edge_function(a, b, piece_.moving_at(tau)); };
        solve_edges(pair, a, b, low, high, function, bend, 4e-15 * size * (size_ + gap));
    }
    template <class Function>
    void solve_edges(const EdgePair& pair, const Ends& a, const Ends& b, double low, double high,
                     const Function& function, double bend, double zero) {
        const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        const Slope f = function(middle);
        if (std::fabs(f.value) > std::fabs(f.derivative) * half + 0.5 * bend * half * half + zero)
            return note_approach(pair);
        if (one_sided_ && settings_.approaches &&
            !may_be_proper(a.mesh_edge, b.mesh_edge, piece_.at(middle), turn() * half))
            return;
        ++counts_.solved;
        Roots roots;
        find_roots(function, low, high, f, bend, zero, roots);
        bool touched = false;
        for (int i = 0; i < roots.count; ++i)
            touched |= take_edges(a, b, roots.at[static_cast<std::size_t>(i)], touch_, false);
        if (!touched) note_approach(pair);
    }
    /// Whether the curves of two edges on the screen certainly do not cross: both ends of one are on the same
    /// side of the other's chord, by more than both bend.
    bool pass_by(const SubEdge& a, const SubEdge& b) const {
        const double spare = a.bend + b.bend + settings_.screen_error;
        const double ar = a.r1 - a.r0, ah = a.h1 - a.h0, br = b.r1 - b.r0, bh = b.h1 - b.h0;
        const double dr = b.r0 - a.r0, dh = b.h0 - a.h0;
        const double cross = ar * bh - ah * br;
        const double b0 = ar * dh - ah * dr, b1 = b0 + cross;   // of b's ends about a's chord
        const double a0 = br * -dh + bh * dr, a1 = a0 - cross;  // of a's ends about b's chord
        const double la = spare * spare * (ar * ar + ah * ah), lb = spare * spare * (br * br + bh * bh);
        return (b0 * b1 > 0 && std::min(b0 * b0, b1 * b1) > la) ||
               (a0 * a1 > 0 && std::min(a0 * a0, a1 * a1) > lb);
    }
    static Slope edge_function(const Ends& a, const Ends& b, const MovingMap& m) {
        const Vec3d e = m.map.turn(b.along), rate = m.rate.turn(b.along);
        const Vec3d w = m.map(b.middle) - a.middle, across = cross(a.along, e);
        return {dot(across, w), dot(cross(a.along, rate), w) + dot(across, m.rate(b.middle))};
    }
    /// The directions in the faces of an edge that decide (7), at the start.
    const EdgeFrame& frame_of(const SideScreen& side, std::uint32_t edge) {
        EdgeFrame& frame = memory_.frames[side.is_b][edge];
        if (frame.stamp == memory_.stamp) return frame;
        const ScrewMesh::Edge& e = side.mesh->edges[edge];
        const Vec3d along = side.points[e.vertices[1]] - side.points[e.vertices[0]];
        frame.along = along / length(along);
        frame.left = cross(frame.along, normal_of(side, e.left));
        frame.right = cross(frame.along, normal_of(side, e.right));
        frame.stamp = memory_.stamp;
        return frame;
    }
    /// False if (7) is below the threshold for all turns of B by up to `spread` from here.
    bool may_be_proper(std::uint32_t edge_a, std::uint32_t edge_b, const RigidMap& map, double spread) {
        const EdgeFrame &a = frame_of(a_, edge_a), &b = frame_of(b_, edge_b);
        const Vec3d n = cross(a.along, map.turn(b.along)), nb = map.turn_back(n);
        const double sine = length(n), spare = 2.5 * spread;
        const double a_left = dot(n, a.left), a_right = -dot(n, a.right);
        const double b_left = -dot(nb, b.left), b_right = dot(nb, b.right);
        const double least = std::min(std::min(a_left, a_right), std::min(b_left, b_right)),
                     most = std::max(std::max(a_left, a_right), std::max(b_left, b_right));
        const double best = std::max(least, -most);  // of both signs of n
        return best >= (threshold_ - 1e-9) * sine - spare;
    }

    /// A contact at tau if the closest points of the lines lie on both edges.
    bool take_edges(const Ends& a, const Ends& b, double tau, double tolerance, bool clamp_ends) {
        const RigidMap map = piece_.at(tau);
        const Vec3d eb = map.turn(b.along), w = map(b.p) - a.p, n = cross(a.along, eb);
        const double la = length(a.along), lb = length(eb), squared = length_squared(n);
        if (!(squared > kParallel * kParallel * la * la * lb * lb)) return false;
        double s = dot(cross(w, eb), n) / squared, u = dot(cross(w, a.along), n) / squared;
        const double ds = tolerance / la, du = tolerance / lb;
        if (s < -ds || s > 1 + ds || u < -du || u > 1 + du) return false;
        if (clamp_ends) s = std::clamp(s, 0.0, 1.0), u = std::clamp(u, 0.0, 1.0);
        PieceContact c;
        c.tau = tau;
        c.point = 0.5 * (a.p + s * a.along + map(b.p) + u * eb);
        set_feature(a_, a.mesh_edge, s, ds, c.kind_a, c.a);
        set_feature(b_, b.mesh_edge, u, du, c.kind_b, c.b);
        resolve(c, map);
        return true;
    }
    static void set_feature(const SideScreen& side, std::uint32_t edge, double s, double tolerance,
                            FeatureKind& kind, std::uint32_t& index) {
        const bool at_first = s <= tolerance, at_last = s >= 1 - tolerance;
        kind = at_first || at_last ? FeatureKind::vertex : FeatureKind::edge;
        index = at_first || at_last ? side.mesh->edges[edge].vertices[at_first ? 0 : 1] : edge;
    }

    // Without refinement: the time of the pixel, and types by whether an end lies in it.
    void read_edges(const EdgePair& pair, bool approach) {
        const double tau = static_cast<double>(pair.time);
        if (tau < -settings_.time_resolution || tau > 1 + settings_.time_resolution) return;
        const Ends a = ends_of(a_, pair.a), b = ends_of(b_, pair.b);
        PieceContact c;
        c.approach = approach;
        c.tau = std::clamp(tau, 0.0, 1.0);
        const RigidMap map = piece_.at(c.tau);
        const Vec3d eb = map.turn(b.along), w = map(b.p) - a.p, n = cross(a.along, eb);
        const double la = length(a.along), lb = length(eb), squared = length_squared(n);
        const bool parallel = !(squared > 1e-6 * la * la * lb * lb);
        if (parallel && !(pair.a_first || pair.a_last || pair.b_first || pair.b_last)) return;
        double s = parallel ? 0.5 : std::clamp(dot(cross(w, eb), n) / squared, 0.0, 1.0);
        double u = parallel ? 0.5 : std::clamp(dot(cross(w, a.along), n) / squared, 0.0, 1.0);
        if (pair.a_first || pair.a_last) s = pair.a_first && (s < 0.5 || !pair.a_last) ? 0 : 1;
        if (pair.b_first || pair.b_last) u = pair.b_first && (u < 0.5 || !pair.b_last) ? 0 : 1;
        c.point = 0.5 * (a.p + s * a.along + map(b.p) + u * eb);
        set_feature(a_, a.mesh_edge, s, 0, c.kind_a, c.a);
        set_feature(b_, b.mesh_edge, u, 0, c.kind_b, c.b);
        ++counts_.solved;
        resolve(c, map);
    }
    void note_approach(const EdgePair& pair) {
        if (settings_.approaches) read_edges(pair, true);
    }

    // Vertex and face: the vertex follows its flow line, whose points all have its r and h on the screen, to
    // the plane of the face. Newton's method on the time is that for the point with the same r and h (9-7).
    void solve_vertex(const VertexFacePair& pair, const SideScreen& side, const SideScreen& other) {
        const std::uint32_t v = side.vertices[pair.vertex].vertex;
        const Vec3d p = side.points[v], n = other.normals[pair.face];
        const double low = static_cast<double>(pair.low),
                     high = std::min(latest_, static_cast<double>(pair.high));
        if (n == Vec3d{} || !(low <= high)) return;
        const auto loop = other.mesh->loop(pair.face);
        const Vec3d on_plane = other.points[loop[0]];
        const double offset = dot(n, on_plane);
        if (piece_.pure) {
            const ScrewFunction function =
                side.is_b ? ScrewFunction::vertex_of_b(p, n, offset, piece_.angle, piece_.pitch)
                          : ScrewFunction::vertex_of_a(p, n, offset, piece_.angle, piece_.pitch);
            return solve_vertex(v, pair.face, side, other, low, high, function, function.bend());
        }
        if (side.is_b) {
            const auto moving_vertex = [&](double tau) {
                const MovingMap m = piece_.moving_at(tau);
                return Slope{dot(n, m.map(p)) - offset, dot(n, m.rate(p))};
            };
            return solve_vertex(v, pair.face, side, other, low, high, moving_vertex, bounds_.acceleration);
        }
        const auto moving_face = [&](double tau) {
            const MovingMap m = piece_.moving_at(tau);
            const Vec3d start = m.map.back(p);
            return Slope{dot(n, start) - offset, -dot(n, m.map.turn_back(m.rate(start)))};
        };
        // The motion of A's point in B's frame has the turn rate, and at most the speed and acceleration of
        // the inverse path.
        solve_vertex(v, pair.face, side, other, low, high, moving_face,
                     bounds_.acceleration + 2 * bounds_.turn * bounds_.speed);
    }
    template <class Function>
    void solve_vertex(std::uint32_t v, std::uint32_t face, const SideScreen& side, const SideScreen& other,
                      double low, double high, const Function& function, double bend) {
        const double zero = 4e-15 * size_, half = 0.5 * (high - low);
        const Slope f = function(low + half);
        if (std::fabs(f.value) > std::fabs(f.derivative) * half + 0.5 * bend * half * half + zero) return;
        if (one_sided_ && !settings_.approaches && !vertex_may_be_proper(side, v, other.normals[face]))
            return;
        ++counts_.solved;
        Roots roots;
        find_roots(function, low, high, f, bend, zero, roots);
        counts_.most_iterations = std::max(counts_.most_iterations, roots.evaluations);
        for (int i = 0; i < roots.count; ++i)
            take_vertex(side, v, other, face, roots.at[static_cast<std::size_t>(i)]);
    }
    bool vertex_may_be_proper(const SideScreen& side, std::uint32_t v, const Vec3d& n) const {
        const Vec3d normal = side.is_b ? middle_.turn_back(n) : middle_.turn(n);  // into the vertex' body
        const double limit = threshold_ - 0.5 * turn() - 1e-9;
        for (const std::uint32_t e : side.mesh->edges_of_vertex(v)) {
            const auto& ends = side.mesh->edges[e].vertices;
            const Vec3d along = side.points[ends[0] == v ? ends[1] : ends[0]] - side.points[v];
            if (dot(along, normal) < limit * length(along)) return false;
        }
        return true;
    }
    void take_vertex(const SideScreen& side, std::uint32_t v, const SideScreen& other, std::uint32_t face,
                     double tau) {
        const RigidMap map = piece_.at(tau);
        const Vec3d p = side.points[v];
        const Vec3d in_other = side.is_b ? map(p) : map.back(p);
        const auto loop = other.mesh->loop(face);
        const double tolerance = settings_.refine ? touch_ : settings_.pixel;
        const PolygonPlace place =
            locate_in_polygon(other.points, loop, other.normals[face], in_other, tolerance);
        PieceContact c;
        c.tau = tau;
        c.point = side.is_b ? in_other : p;
        FeatureKind kind = FeatureKind::face;
        std::uint32_t index = face;
        if (place.kind == PolygonPlace::Kind::outside) {
            if (!settings_.approaches) return;
            c.approach = true;
        }
        if (place.kind == PolygonPlace::Kind::on_vertex)
            kind = FeatureKind::vertex, index = loop[place.index];
        if (place.kind == PolygonPlace::Kind::on_edge) {
            const std::uint32_t from = loop[place.index], to = loop[(place.index + 1) % loop.size()];
            for (const std::uint32_t e : other.mesh->edges_of_vertex(from)) {
                const auto& ends = other.mesh->edges[e].vertices;
                if ((ends[0] == to || ends[1] == to) && kind == FeatureKind::face)
                    kind = FeatureKind::edge, index = e;
            }
        }
        (side.is_b ? c.kind_b : c.kind_a) = FeatureKind::vertex;
        (side.is_b ? c.b : c.a) = v;
        (side.is_b ? c.kind_a : c.kind_b) = kind;
        (side.is_b ? c.a : c.b) = index;
        resolve(c, map);
    }

    /// Whether one of the feature's faces looks towards the motion: towards `velocity`, that of B's point at
    /// the contact, for B, and against it for A. A coarse screen also finds contacts on discarded parts, and
    /// for a path that is not the piece's screw, discarding is not sharp. Without this, a finer screen would
    /// lose such contacts.
    bool faces_right(const SideScreen& side, FeatureKind kind, std::uint32_t index, const RigidMap& map,
                     const Vec3d& velocity) const {
        if (!settings_.cull || !side.mesh->one_sided) return true;
        const double slack = 1e-6 * length(velocity);
        const auto faces = [&](std::uint32_t f) {
            if (f == kNoIndex) return false;
            const double along =
                side.is_b ? dot(map.turn(side.normals[f]), velocity) : -dot(side.normals[f], velocity);
            return along >= -slack;
        };
        if (kind == FeatureKind::face) return faces(index);
        if (kind == FeatureKind::edge)
            return faces(side.mesh->edges[index].left) || faces(side.mesh->edges[index].right);
        const auto around = side.mesh->faces_of_vertex(index);
        return around.empty() || std::any_of(around.begin(), around.end(), faces);
    }

    /// Section 5: EV, VE and VV become the vertex-face pair with the largest properness.
    void resolve(PieceContact& c, const RigidMap& map) {
        const bool va = c.kind_a == FeatureKind::vertex, vb = c.kind_b == FeatureKind::vertex;
        const bool fa = c.kind_a == FeatureKind::face, fb = c.kind_b == FeatureKind::face;
        c.type = va && vb ? ContactType::vertex_vertex
                 : fa     ? ContactType::face_vertex
                 : fb     ? ContactType::vertex_face
                 : vb     ? ContactType::edge_vertex
                 : va     ? ContactType::vertex_edge
                          : ContactType::edge_edge;
        const Vec3d velocity = piece_.moving_at(c.tau).rate(map.back(c.point));
        if (!faces_right(a_, c.kind_a, c.a, map, velocity) || !faces_right(b_, c.kind_b, c.b, map, velocity))
            return;
        if (!va && !vb) {
            if (!edges_contact(c, map)) return;
        } else {
            best_ = {};
            if (vb && fa) consider(a_, c.a, c.b, map);
            if (va && fb) consider(b_, c.b, c.a, map);
            if (vb && c.kind_a == FeatureKind::edge) consider_edge(a_, c.a, c.b, map);
            if (va && c.kind_b == FeatureKind::edge) consider_edge(b_, c.b, c.a, map);
            if (va && vb) {
                for (const std::uint32_t f : a_.mesh->faces_of_vertex(c.a)) consider(a_, f, c.b, map);
                for (const std::uint32_t f : b_.mesh->faces_of_vertex(c.b)) consider(b_, f, c.a, map);
            }
            apply_best(c, map);
        }
        if (c.properness >= threshold_) keep(c);
    }
    struct Best {
        double properness = -2;
        bool face_of_a = false, valid = false;
        std::uint32_t face = 0, vertex = 0;
        Vec3d normal;
    };
    void consider_edge(const SideScreen& side, std::uint32_t edge, std::uint32_t vertex,
                       const RigidMap& map) {
        for (const std::uint32_t f : {side.mesh->edges[edge].left, side.mesh->edges[edge].right})
            if (f != kNoIndex) consider(side, f, vertex, map);
    }
    /// A vertex of the other body on a face of `side`.
    void consider(const SideScreen& side, std::uint32_t face, std::uint32_t vertex, const RigidMap& map) {
        const bool face_of_a = !side.is_b;
        const SideScreen& other = face_of_a ? b_ : a_;
        const Vec3d& p = other.points[vertex];
        Vec3d n = face_of_a ? side.normals[face] : map.turn(side.normals[face]);
        if (n == Vec3d{}) return;
        if (!side.mesh->one_sided) {
            // The side of an open surface is the one that the motion approaches.
            const Vec3d x = face_of_a ? map(p) : p;
            const double forward = facing(n, x, piece_.angle, piece_.pitch);
            if (face_of_a ? forward > 0 : forward < 0) n = -n;
        }
        memory_.edges.clear();
        for (const std::uint32_t e : other.mesh->edges_of_vertex(vertex)) {
            const auto& ends = other.mesh->edges[e].vertices;
            const Vec3d along = other.points[ends[0] == vertex ? ends[1] : ends[0]] - p;
            memory_.edges.push_back(face_of_a ? map.turn(along) : along);
        }
        const double value = vertex_face_properness(memory_.edges, n);
        const bool better =
            value > best_.properness + 1e-12 ||
            (value > best_.properness - 1e-12 && face_of_a == best_.face_of_a && face < best_.face);
        if (!better) return;
        best_ = {value, face_of_a, true, face, vertex, face_of_a ? n : -n};
    }
    void apply_best(PieceContact& c, const RigidMap& map) {
        if (!best_.valid) {  // an edge without faces: the bodies approach along the motion
            const RigidMap rate = piece_.moving_at(c.tau).rate;
            const Vec3d start = map.back(c.point);
            c.normal = normalized(-rate(start), Vec3d{0, 1, 0});
            return;
        }
        c.properness = best_.properness;
        c.normal = best_.normal;
        c.kind_a = best_.face_of_a ? FeatureKind::face : FeatureKind::vertex;
        c.kind_b = best_.face_of_a ? FeatureKind::vertex : FeatureKind::face;
        c.a = best_.face_of_a ? best_.face : best_.vertex;
        c.b = best_.face_of_a ? best_.vertex : best_.face;
    }
    bool edges_contact(PieceContact& c, const RigidMap& map) {
        const auto edge = [&](const SideScreen& side, std::uint32_t e) {
            const auto& ends = side.mesh->edges[e].vertices;
            const Ends line{side.points[ends[0]], side.points[ends[1]] - side.points[ends[0]], {}, e};
            return at_contact(side, line, map);
        };
        EdgeAtContact ea = edge(a_, c.a), eb = edge(b_, c.b);
        EdgeEdgeProperness best = edge_edge_properness(ea, eb, kParallel);
        const auto turned = [](EdgeAtContact e) { return EdgeAtContact{e.along, -e.left, -e.right}; };
        for (int flip = 1; flip < 4; ++flip) {  // an open surface has no outside: take its better side
            if (((flip & 1) != 0 && a_.mesh->one_sided) || ((flip & 2) != 0 && b_.mesh->one_sided)) continue;
            const auto other = edge_edge_properness((flip & 1) != 0 ? turned(ea) : ea,
                                                    (flip & 2) != 0 ? turned(eb) : eb, kParallel);
            if (other.value > best.value) best = other;
        }
        if (best.parallel) return false;
        c.properness = best.value;
        c.normal = best.normal;
        if (!one_sided_) {
            const Vec3d velocity = piece_.moving_at(c.tau).rate(map.back(c.point));
            if (dot(velocity, c.normal) > 0) c.normal = -c.normal;
        }
        return true;
    }

    /// Keeps the first contact of each pair of features.
    void keep(const PieceContact& c) {
        bool inserted = false;
        const std::uint32_t at = memory_.table.find(feature_key(c.kind_a, c.a), feature_key(c.kind_b, c.b),
                                                    static_cast<std::uint32_t>(out_.size()), inserted);
        const auto rank = [](const PieceContact& x) { return std::pair{x.approach, x.tau}; };
        if (inserted)
            out_.push_back(c);
        else if (rank(c) < rank(out_[at]))
            out_[at] = c;
        note_first(c);
    }

    const ScrewPiece& piece_;
    const ContactSettings& settings_;
    const MotionBounds& bounds_;
    const SideScreen &a_, &b_;
    ContactMemory& memory_;
    std::vector<PieceContact>& out_;
    ContactCounts& counts_;
    bool one_sided_;
    double size_ = 0, touch_ = 0, threshold_ = -1;
    RigidMap middle_;    ///< at tau = 1/2
    double latest_ = 1;  ///< later contacts are of no interest
    Best best_;
};

}  // namespace

const char* to_string(ContactType type) {
    switch (type) {
        case ContactType::vertex_vertex:
            return "VV";
        case ContactType::edge_vertex:
            return "EV";
        case ContactType::vertex_edge:
            return "VE";
        case ContactType::edge_edge:
            return "EE";
        case ContactType::vertex_face:
            return "VF";
        case ContactType::face_vertex:
            return "FV";
    }
    return "";
}

MotionBounds motion_bounds(const ScrewPiece& piece, const Vec3d& centre_w, double radius) {
    if (piece.pure) return {};
    const double d = piece.duration;
    // A path that is one screw, seen as another: its own bounds, from the whole motion.
    if (piece.path->is_screw()) {
        const Screw& s = piece.path->screw();
        const double reach = length(cross(s.axis, piece.begin(centre_w) - s.point)) + radius;
        return {s.angle * d, (s.angle * reach + std::fabs(s.pitch)) * d, s.angle * s.angle * reach * d * d};
    }
    return {piece.path->turn_rate() * d, piece.path->speed_bound(centre_w, radius) * d,
            piece.path->acceleration_bound(centre_w, radius) * d * d};
}

PolygonPlace locate_in_polygon(std::span<const Vec3d> points, std::span<const std::uint32_t> loop,
                               const Vec3d& normal, const Vec3d& p, double tolerance) {
    const double ax = std::fabs(normal.x), ay = std::fabs(normal.y), az = std::fabs(normal.z);
    const std::size_t u = ax >= ay && ax >= az ? 1 : 0, w = az >= ax && az >= ay ? 1 : 2;
    bool inside = false;
    PolygonPlace on;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::size_t next = i + 1 < loop.size() ? i + 1 : 0;
        const Vec3d a = points[loop[i]] - p, b = points[loop[next]] - p, along = b - a;
        if ((a[w] > 0) != (b[w] > 0)) {
            const double side = a[u] * b[w] - a[w] * b[u];
            if ((side > 0) == (b[w] > a[w])) inside = !inside;
        }
        const double squared = length_squared(along);
        if (length_squared(a) <= tolerance * tolerance)
            return {PolygonPlace::Kind::on_vertex, static_cast<std::uint32_t>(i)};
        const double s = squared > 0 ? std::clamp(-dot(a, along) / squared, 0.0, 1.0) : 0;
        if (length_squared(a + s * along) <= tolerance * tolerance && s < 1)
            on = {PolygonPlace::Kind::on_edge, static_cast<std::uint32_t>(i)};
    }
    if (on.kind == PolygonPlace::Kind::on_edge) {
        // The last corner may be nearer than the edge's tolerance.
        const std::uint32_t next = on.index + 1 < loop.size() ? on.index + 1 : 0;
        if (length_squared(points[loop[next]] - p) <= tolerance * tolerance)
            return {PolygonPlace::Kind::on_vertex, next};
        return on;
    }
    on.kind = inside ? PolygonPlace::Kind::inside : PolygonPlace::Kind::outside;
    return on;
}

void find_contacts(const ScrewPiece& piece, const ContactSettings& settings, const MotionBounds& bounds,
                   const SideScreen& a, const SideScreen& b, const ScanMemory& scan, ContactMemory& memory,
                   std::vector<PieceContact>& out, ContactCounts& counts, bool more) {
    Finder(piece, settings, bounds, a, b, memory, out, counts).run(scan, more);
}

}  // namespace claybox::collision
