#pragma once
// Answers world queries: rays, points, boxes, shapes, closest bodies.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/module/pass/body_record.hpp"
#include "collision/module/state/body_bounds.hpp"
#include "collision/module/state/prepared_store.hpp"
#include "collision/module/world_query.hpp"
#include "collision/pairwise/bvh/ray_shape.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace claybox::collision {

/// For one thread. Reads the state of the passes; creates prepared data and trees on first use.
class QueryRunner {
  public:
    /// Arrays are indexed by slot.
    struct State {
        std::vector<BodyRecord>& bodies;
        const std::vector<PairBody>& placed;
        const BodyBounds& bounds;
        const std::unique_ptr<BroadPhase>& broad_phase;
        PreparedStore& prepared_store;
    };
    explicit QueryRunner(const State& state) : state_(state) {}

    /// The query must be valid (validate()). `out` is overwritten.
    void answer(const WorldQuery& query, std::vector<QueryHit>& out);
    /// Call when bounds have changed.
    void bounds_changed() { all_bodies_box_.reset(); }

  private:
    struct Probe;
    struct RayContact {
        std::uint32_t slot;
        SurfaceHit hit;
        double max_t() const { return hit.t + hit.t_error; }  ///< zero exactly at the start of the ray
    };
    void answer(const RayQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const PointQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const BoxQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const ShapeQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const ClosestQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    bool accepts(const QueryFilter& filter, std::uint32_t slot) const;
    const Aabb& all_bodies_box();
    RayBody ray_body(std::uint32_t slot);
    const Prepared* tree_of(std::uint32_t slot);
    bool clip(const RayQuery& query, RayPart& part);
    bool find_hit(const RayQuery& query, double end, RayContact& contact);
    bool comes_before(const Ray& ray, const RayContact& a, const RayContact& b);
    QueryHit make_hit(const Ray& ray, const RayContact& contact) const;
    void append_bodies(std::vector<std::uint32_t>& slots, std::vector<QueryHit>& out) const;
    bool contains_point(std::uint32_t slot, const Vec3d& point_w);
    static Probe make_probe(const ShapePtr& shape, const Matrix34f& world_from_shape);
    PairResult test_probe(const Probe& probe, std::uint32_t slot, Wants wants);
    void collect_ring(const Aabb& box, double from, double to, const QueryFilter& filter);
    void update_closest(const Probe& probe, std::uint32_t slot, double reach, std::vector<QueryHit>& out);
    BodyId id_of(std::uint32_t slot) const { return {slot, state_.bodies[slot].generation}; }

    State state_;
    Scratch scratch_;
    std::optional<Aabb> all_bodies_box_;  ///< computed on first use
    WalkScratch walk_;
    RayCounts ray_counts_;
    std::vector<RayContact> contacts_;
    std::vector<std::uint32_t> found_slots_;
    std::vector<std::pair<double, std::uint32_t>> ring_;  ///< distance of the box, slot
};

}  // namespace claybox::collision
