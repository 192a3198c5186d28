// libccd as a contestant for boolean queries: its GJK and its portal refinement. The user of the library
// supplies the support search: a loop over all vertices, or hill climbing from the pair's last support
// vertex. Entries with hill climbing are marked (our_support).

#include "bench/contestants/libraries/comparison_module.hpp"

#include <ccd/ccd.h>

namespace claybox::bench {

using namespace collision;

namespace {

struct Solid {
    std::vector<ccd_vec3_t> vertices;
    std::vector<std::uint32_t> begin, neighbours;
    ccd_vec3_t inside;
};

struct Placed {
    const Solid* solid = nullptr;
    double m[9];  ///< world_from_body, row-major
    ccd_vec3_t origin;
    mutable std::uint32_t last = 0;
};

double dot(const ccd_vec3_t& a, const ccd_vec3_t& b) {
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

void to_world(const Placed& body, const ccd_vec3_t& p, ccd_vec3_t* out) {
    const double* m = body.m;
    for (int r = 0; r < 3; ++r)
        out->v[r] = m[3 * r] * p.v[0] + m[3 * r + 1] * p.v[1] + m[3 * r + 2] * p.v[2] + body.origin.v[r];
}

ccd_vec3_t to_body(const Placed& body, const ccd_vec3_t* d) {
    const double* m = body.m;
    ccd_vec3_t out;
    for (int c = 0; c < 3; ++c) out.v[c] = m[c] * d->v[0] + m[3 + c] * d->v[1] + m[6 + c] * d->v[2];
    return out;
}

void support_by_loop(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const Placed& body = *static_cast<const Placed*>(object);
    const ccd_vec3_t d = to_body(body, direction);
    const ccd_vec3_t* best = nullptr;
    double most = -CCD_REAL_MAX;
    for (const ccd_vec3_t& v : body.solid->vertices) {
        const double along = dot(v, d);
        if (along <= most) continue;
        most = along;
        best = &v;
    }
    to_world(body, *best, out);
}

void support_by_climbing(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const Placed& body = *static_cast<const Placed*>(object);
    const Solid& solid = *body.solid;
    const ccd_vec3_t d = to_body(body, direction);
    std::uint32_t at = body.last;
    double most = dot(solid.vertices[at], d);
    for (bool climbed = true; climbed;) {
        climbed = false;
        for (std::uint32_t i = solid.begin[at], end = solid.begin[at + 1]; i < end; ++i) {
            const double along = dot(solid.vertices[solid.neighbours[i]], d);
            if (along <= most) continue;
            most = along;
            at = solid.neighbours[i];
            climbed = true;
            break;
        }
    }
    body.last = at;
    to_world(body, solid.vertices[at], out);
}

void centre(const void* object, ccd_vec3_t* out) {
    const Placed& body = *static_cast<const Placed*>(object);
    to_world(body, body.solid->inside, out);
}

ccd_vec3_t to_ccd(const Vec3f& v) {
    return {{v.x, v.y, v.z}};
}

template <int (*Intersect)(const void*, const void*, const ccd_t*), ccd_support_fn Support>
class Libccd final : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        solids_.clear();
        for (const ShapePtr& shape : shapes) {
            const ConvexHull& hull = *shape->hull();
            Solid solid;
            for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
                solid.vertices.push_back(to_ccd(hull.vertex(v)));
            solid.begin = hull.neighbour_begin;
            solid.neighbours = hull.neighbours;
            solid.inside = to_ccd(hull.interior);
            solids_.push_back(std::move(solid));
        }
        return true;
    }
    void set_pairs(std::uint32_t count) override { last_.assign(count, {}); }
    void reset_pair(const streams::JudgedQuery& q) override { last_[q.pair] = {}; }
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries)
            queries_.push_back({place(q.shape_a, q.world_from_a), place(q.shape_b, q.world_from_b), q.pair});
    }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        ccd_t settings;
        CCD_INIT(&settings);
        settings.support1 = settings.support2 = Support;
        settings.center1 = settings.center2 = centre;
        settings.max_iterations = kIterations;
        for (std::size_t i = first; i < first + count; ++i) {
            const Query& q = queries_[i];
            Last& last = last_[q.pair];
            q.a.last = last.a;
            q.b.last = last.b;
            const int collide = Intersect(&q.a, &q.b, &settings);
            last = {q.a.last, q.b.last};
            (out++)->verdict = collide != 0 ? Verdict::colliding : Verdict::separated;
        }
    }

  private:
    /// libccd has no limit by default.
    static constexpr unsigned long kIterations = 1000;

    struct Query {
        Placed a, b;
        std::uint32_t pair;
    };
    struct Last {
        std::uint32_t a = 0, b = 0;
    };
    Placed place(std::uint32_t shape, const Matrix34f& m) const {
        Placed out;
        out.solid = &solids_[shape];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) out.m[3 * r + c] = m(r, c);
        out.origin = to_ccd(m.translation());
        return out;
    }

    std::vector<Solid> solids_;
    std::vector<Query> queries_;
    std::vector<Last> last_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_entries(std::vector<claybox::bench::Entry>& out) {
    using namespace claybox::bench;
    out = {entry<Libccd<ccdGJKIntersect, support_by_loop>>("libccd_gjk", "libccd, GJK"),
           entry<Libccd<ccdMPRIntersect, support_by_loop>>("libccd_mpr", "libccd, portal refinement"),
           entry<Libccd<ccdGJKIntersect, support_by_climbing>>("libccd_gjk_climb",
                                                               "libccd, GJK with our hill climbing", true),
           entry<Libccd<ccdMPRIntersect, support_by_climbing>>(
               "libccd_mpr_climb", "libccd, portal refinement with our hill climbing", true)};
}
