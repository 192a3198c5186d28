// Embree for meshes: rtcCollide lists the pairs of primitives with overlapping boxes; the triangle test is
// ours. Embree has no poses, so the triangles of one body are transformed to the frame of the other and its
// tree is refitted first. A second entry excludes that from the time. rtcCollide cannot be stopped: after the
// first intersecting triangles, further pairs are skipped one by one.

#include "bench/contestants/libraries/mesh_contestant.hpp"

#include <algorithm>
#include <cmath>
#include <embree3/rtcore.h>

namespace claybox::bench {

using namespace collision;

namespace {

using Corners = std::array<Vec3d, 3>;

bool separates(const Vec3d& axis, const Corners& a, const Corners& b) {
    const double a0 = dot(axis, a[0]), a1 = dot(axis, a[1]), a2 = dot(axis, a[2]);
    const double b0 = dot(axis, b[0]), b1 = dot(axis, b[1]), b2 = dot(axis, b[2]);
    return std::max({a0, a1, a2}) < std::min({b0, b1, b2}) || std::max({b0, b1, b2}) < std::min({a0, a1, a2});
}

/// Separating axes: both normals, cross products of sides, and in-plane normals of sides (coplanar
/// triangles).
bool triangles_intersect(const Corners& a, const Corners& b) {
    const Vec3d na = cross(a[1] - a[0], a[2] - a[0]), nb = cross(b[1] - b[0], b[2] - b[0]);
    if (separates(na, a, b) || separates(nb, a, b)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d side = a[(i + 1) % 3] - a[i];
        for (std::size_t k = 0; k < 3; ++k)
            if (separates(cross(side, b[(k + 1) % 3] - b[k]), a, b)) return false;
    }
    for (std::size_t i = 0; i < 3; ++i)
        if (separates(cross(na, a[(i + 1) % 3] - a[i]), a, b) ||
            separates(cross(nb, b[(i + 1) % 3] - b[i]), a, b))
            return false;
    return true;
}

/// One thread, as all contestants.
class Device {
  public:
    Device() : device_(rtcNewDevice("threads=1,set_affinity=0")) {}
    ~Device() { rtcReleaseDevice(device_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    operator RTCDevice() const { return device_; }

  private:
    RTCDevice device_;
};

/// Triangles as user geometry, the only kind that rtcCollide accepts, in a tree that is refitted.
class Tree {
  public:
    Tree(RTCDevice device, TriangleMesh triangles) : mesh(std::move(triangles)), scene_(rtcNewScene(device)) {
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
        geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
        rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(mesh.triangles.size()));
        rtcSetGeometryUserData(geometry_, this);
        rtcSetGeometryBoundsFunction(geometry_, bound, nullptr);
        rtcAttachGeometry(scene_, geometry_);
        refit();
    }
    ~Tree() {
        rtcReleaseGeometry(geometry_);
        rtcReleaseScene(scene_);
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    void refit() {
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
    }
    void place(const std::vector<Vec3f>& positions, const Matrix34d& to_from_local) {
        for (std::size_t i = 0; i < positions.size(); ++i)
            mesh.positions[i] = cast<float>(transform_point(to_from_local, positions[i]));
        refit();
    }
    Corners corners(unsigned triangle) const {
        const auto& t = mesh.triangles[triangle];
        return {cast<double>(mesh.positions[t[0]]), cast<double>(mesh.positions[t[1]]),
                cast<double>(mesh.positions[t[2]])};
    }
    RTCScene scene() const { return scene_; }

    TriangleMesh mesh;  ///< call refit() after changing its positions

  private:
    static void bound(const RTCBoundsFunctionArguments* args) {
        const Tree& tree = *static_cast<const Tree*>(args->geometryUserPtr);
        const auto& t = tree.mesh.triangles[args->primID];
        const Vec3f &a = tree.mesh.positions[t[0]], &b = tree.mesh.positions[t[1]],
                    &c = tree.mesh.positions[t[2]];
        *args->bounds_o = {
            std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z}), 0,
            std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z}), 0};
    }

    RTCScene scene_;
    RTCGeometry geometry_ = nullptr;
};

struct Search {
    const Tree& a;
    const Tree& b;
    bool found = false;
};

void test_pairs(void* user, RTCCollision* pairs, unsigned count) {
    Search& search = *static_cast<Search*>(user);
    for (unsigned i = 0; i < count && !search.found; ++i)
        search.found =
            triangles_intersect(search.a.corners(pairs[i].primID0), search.b.corners(pairs[i].primID1));
}

bool intersects(const Tree& a, const Tree& b) {
    Search search{a, b};
    rtcCollide(a.scene(), b.scene(), test_pairs, &search);
    return search.found;
}

/// Inverse of A's pose times B's pose. Assumes that both are rigid up to rounding.
Matrix34d a_from_b(const Matrix34f& world_from_a, const Matrix34f& world_from_b) {
    Matrix34d out;
    const auto column = [](const Matrix34f& m, int c) {
        return Vec3d{static_cast<double>(m(0, c)), static_cast<double>(m(1, c)),
                     static_cast<double>(m(2, c))};
    };
    for (int c = 0; c < 4; ++c) {
        const Vec3d v = c < 3 ? column(world_from_b, c) : column(world_from_b, 3) - column(world_from_a, 3);
        for (int r = 0; r < 3; ++r)
            out.m[static_cast<std::size_t>(4 * r + c)] = dot(column(world_from_a, r), v);
    }
    return out;
}

template <bool kCollideOnly>
class EmbreeCollide final : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        bodies_.clear();
        for (const ShapePtr& shape : shapes) {
            const TriangleMesh mesh(*shape);
            bodies_.push_back({mesh.positions, std::make_unique<Tree>(device_, mesh),
                               std::make_unique<Tree>(device_, mesh)});
        }
        return true;
    }
    void set_pairs(std::uint32_t) override {}
    void reset_pair(const streams::JudgedQuery&) override {}
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries)
            queries_.push_back(
                {&bodies_[q.shape_a], &bodies_[q.shape_b], a_from_b(q.world_from_a, q.world_from_b)});
        if (kCollideOnly) place(queries_[0]);
    }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i) {
            if (!kCollideOnly) place(queries_[i]);
            const bool collide = intersects(*queries_[i].a->tree, *queries_[i].b->placed);
            (out++)->verdict = collide ? Verdict::colliding : Verdict::separated;
        }
    }

  private:
    struct Body {
        std::vector<Vec3f> positions;
        std::unique_ptr<Tree> tree, placed;  ///< in the body's own frame, and in the frame of another body
    };
    struct Query {
        const Body* a;
        const Body* b;
        Matrix34d a_from_b;
    };
    static void place(const Query& q) { q.b->placed->place(q.b->positions, q.a_from_b); }

    Device device_;
    std::vector<Body> bodies_;
    std::vector<Query> queries_;
};

class EmbreeRefit final : public DeformingContestant {
  public:
    void set_parts(std::span<const ShapePtr> parts) override {
        for (const ShapePtr& part : parts) {
            const TriangleMesh mesh(*part);
            positions_.push_back(mesh.positions);
            parts_.push_back(std::make_unique<Tree>(device_, mesh));
        }
    }
    void build(const ShapePtr& mesh) override {
        mesh_ = std::make_unique<Tree>(device_, TriangleMesh(*mesh));
    }
    void load(const streams::DentFrame& frame) override {
        frame_ = &frame;
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::size_t k = 0; k < 12; ++k)
                poses_[i].m[k] = static_cast<double>(frame.world_from_part[i].m[k]);
    }
    void update() override {
        for (const VertexChange& c : frame_->changes) mesh_->mesh.positions[c.vertex] = c.position;
        mesh_->refit();
    }
    std::uint32_t query() override {
        std::uint32_t out = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            parts_[i]->place(positions_[i], poses_[i]);
            if (intersects(*mesh_, *parts_[i])) out |= 1u << i;
        }
        return out;
    }

  private:
    Device device_;
    std::vector<std::vector<Vec3f>> positions_;
    std::vector<std::unique_ptr<Tree>> parts_;
    std::unique_ptr<Tree> mesh_;
    std::array<Matrix34d, streams::kHandParts> poses_;
    const streams::DentFrame* frame_ = nullptr;
};

}  // namespace

}  // namespace claybox::bench

void claybox_mesh_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.entries = {entry<EmbreeCollide<false>>("embree", "Embree, refit and rtcCollide"),
                   entry<EmbreeCollide<true>>("embree_collide", "Embree, rtcCollide alone")};
    out.entries.back().load_per_query = true;
    out.deforming = {deforming_entry<EmbreeRefit>("embree_refit", "Embree, refit and rtcCollide")};
}
