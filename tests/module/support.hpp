#pragma once
// A world of balls for tests of the module: a pair algorithm that is obviously correct.

#include "collision/core/random.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>
#include <vector>

namespace claybox::collision::test {

/// A cube of edge 2 centred at the origin; the ball algorithm treats it as a ball of radius 1.
inline ShapePtr cube() {
    static const ShapePtr shape = [] {
        PolygonList list;
        for (int i = 0; i < 8; ++i)
            list.positions.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
        for (const auto& loop : std::array<std::array<std::uint32_t, 4>, 6>{
                 {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}})
            list.add_polygon(loop);
        return Shape::from_polygons(list, "cube").value();
    }();
    return shape;
}

/// The ball of a body: centred in its local box, as wide as the box along x.
struct Ball {
    Vec3d centre;
    double radius;
};
inline Ball ball_of(const PairBody& body) {
    return {transform_point(to_double(body.world_from_body), body.geometry->box.centre()),
            static_cast<double>(body.geometry->box.half().x)};
}

/// Prepared data of the ball algorithm; its version must match the geometry of a query.
struct BallPrepared final : Prepared {
    std::uint64_t version = 0;
    std::size_t memory_bytes() const override { return sizeof *this; }
};
inline std::atomic<int> prepare_calls{0}, update_calls{0}, wrong_prepared{0};

inline std::shared_ptr<const Prepared> prepare_ball(const Shape&, const Geometry& geometry) {
    prepare_calls.fetch_add(1);
    auto out = std::make_shared<BallPrepared>();
    out->version = geometry.version;
    return out;
}
inline std::shared_ptr<const Prepared> update_ball(std::shared_ptr<const Prepared>, const Geometry& geometry,
                                                   std::span<const std::uint32_t>) {
    update_calls.fetch_add(1);
    auto out = std::make_shared<BallPrepared>();
    out->version = geometry.version;
    return out;
}

inline constexpr std::uint32_t kBallHits = 700;  ///< more than fit into the initial hit buffer

inline void query_balls(const PairQuery& query, PairCache& cache, PairResult& result, Trace*) {
    for (const PairBody* body : {&query.a, &query.b}) {
        const auto* prepared = static_cast<const BallPrepared*>(body->prepared);
        if (!prepared || prepared->version != body->geometry->version) wrong_prepared.fetch_add(1);
    }
    static const char owner = 0;
    ++cache.as<std::uint64_t>(&owner, query.a.geometry->content, query.b.geometry->content);
    const Ball a = ball_of(query.a), b = ball_of(query.b);
    result.iterations = 1;
    result.counters[0] = 1;
    result.verdict =
        length(a.centre - b.centre) <= a.radius + b.radius ? Verdict::colliding : Verdict::separated;
    if (result.verdict != Verdict::colliding) return;
    result.certificate.kind = CertificateKind::common_point;
    result.certificate.point_w = 0.5 * (a.centre + b.centre);
    if (!(query.wants & kWantAllHits)) return;
    for (std::uint32_t i = 0; i < kBallHits; ++i)
        if (!query.hits->push({i, i + 1, i + 2, false, cast<float>(a.centre)})) {
            result.status = QueryStatus::hits_full;
            return;
        }
}

inline PairAlgorithm make_ball_algorithm(const char* id) {
    PairAlgorithm algorithm{};
    algorithm.id = id;
    algorithm.title = algorithm.source = algorithm.summary = id;
    static constexpr const char* kCounters[] = {"queries"};
    algorithm.counters = kCounters;
    algorithm.gives = kWantAllHits;
    algorithm.prepare = prepare_ball;
    algorithm.update = update_ball;
    algorithm.query = query_balls;
    return algorithm;
}
inline const PairAlgorithm& balls() {
    static const PairAlgorithm algorithm = make_ball_algorithm("balls");
    return algorithm;
}
/// The same answers under another id: switching to it must change nothing.
inline const PairAlgorithm& other_balls() {
    static const PairAlgorithm algorithm = make_ball_algorithm("other_balls");
    return algorithm;
}

inline WorldSettings ball_settings() {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = &balls();
    settings.fallback_algorithm = &balls();
    return settings;
}

inline Pose at(double x, double y = 0, double z = 0) {
    return {{}, {x, y, z}};
}
inline BodyId add(World& world, const Pose& pose, unsigned group = 0, bool deformable = false) {
    return world.add_body({.shape = cube(), .pose = pose, .group = group, .deformable = deformable}).value();
}
inline EventBatch events_of(World& world) {
    EventBatch batch;
    world.poll_events(batch);
    return batch;
}
/// Publishes, runs a pass and returns its events.
inline EventBatch frame(World& world, std::uint64_t number) {
    world.publish(number);
    world.check();
    world.wait_idle();
    return events_of(world);
}

/// Contacts reconstructed from events alone. A begin of a known contact or an end of an unknown one is a
/// fault.
struct Contacts {
    std::set<std::pair<BodyId, BodyId>> now;
    int faults = 0;
    std::size_t begins = 0, ends = 0;

    void follow(const EventBatch& batch) {
        for (const Event& event : batch.events) {
            const auto pair = std::make_pair(event.a, event.b);
            if (!(event.a.slot < event.b.slot)) ++faults;
            if (event.kind == EventKind::begin && (++begins, !now.insert(pair).second)) ++faults;
            if (event.kind == EventKind::stay && now.count(pair) == 0) ++faults;
            if (event.kind == EventKind::end && (++ends, now.erase(pair) == 0)) ++faults;
        }
    }
};

/// Moves some of its bodies at random each frame; equal seeds give equal runs.
class RandomDrive {
  public:
    RandomDrive(World& world, std::size_t bodies, double extent, std::uint64_t seed)
        : world_(world), extent_(extent), random_(seed) {
        for (std::size_t i = 0; i < bodies; ++i) {
            poses_.push_back(random_pose());
            ids_.push_back(add_to_world(i));
        }
    }
    void move_some(double share) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            if (random_.uniform() > share) continue;
            poses_[i].translation += 0.4 * random_.unit_vector();
            poses_[i].rotation = random_rotation(random_, 0, 3);
            EXPECT_TRUE(world_.move(ids_[i], poses_[i]).ok());
        }
    }
    /// Removes one body and adds another.
    void replace_one() {
        const std::size_t i = random_.below(ids_.size());
        EXPECT_TRUE(world_.remove_body(ids_[i]).ok());
        poses_[i] = random_pose();
        ids_[i] = add_to_world(i);
    }
    /// Contacts computed from the poses by brute force.
    std::set<std::pair<BodyId, BodyId>> expected() const {
        std::set<std::pair<BodyId, BodyId>> out;
        for (std::size_t i = 0; i < ids_.size(); ++i)
            for (std::size_t k = 0; k < ids_.size(); ++k)
                if (ids_[i].slot < ids_[k].slot && collide(poses_[i], poses_[k]))
                    out.emplace(ids_[i], ids_[k]);
        return out;
    }
    const std::vector<BodyId>& ids() const { return ids_; }
    Random& random() { return random_; }

  private:
    static bool collide(const Pose& a, const Pose& b) {
        const Shape& shape = *cube();
        return length(ball_of({&shape, &shape.geometry(), nullptr, to_matrix(a)}).centre -
                      ball_of({&shape, &shape.geometry(), nullptr, to_matrix(b)}).centre) <= 2.0;
    }
    /// BodyDef::data is the index: slots may differ between runs with different pass boundaries.
    BodyId add_to_world(std::size_t i) {
        return world_
            .add_body({.shape = cube(), .pose = poses_[i], .group = static_cast<unsigned>(i % 3), .data = i})
            .value();
    }
    Pose random_pose() {
        const double z = random_.uniform(-extent_, extent_), y = random_.uniform(-extent_, extent_);
        return at(random_.uniform(-extent_, extent_), y, z);
    }

    World& world_;
    double extent_;
    Random random_;
    std::vector<BodyId> ids_;
    std::vector<Pose> poses_;
};

}  // namespace claybox::collision::test
