#pragma once
// A random scene of groups and bodies, entered as groups or as the equivalent flat world.

#include "tests/module/parallel_support.hpp"

#include <map>
#include <optional>

namespace claybox::collision::test {

/// Adds, moves and removes groups and bodies at random. Equal seeds give equal runs.
class RandomGroupScene {
  public:
    /// `flat`: the world gets bodies only, at their world poses.
    RandomGroupScene(World& world, std::uint64_t seed, bool flat)
        : world_(world), random_(seed), flat_(flat) {
        for (int i = 0; i < 12; ++i) add_group();
        for (int i = 0; i < 30; ++i) add_body();
    }
    /// One frame, not published.
    void step() {
        for (int i = 0; i < 4; ++i) move_group();
        for (int i = 0; i < 6; ++i) move_body();
        const std::uint64_t action = random_.below(8);
        if (action < 2) add_group();
        if (action == 2 && groups_.size() > 6) remove_group();
        if (action == 3) add_body();
        if (action == 4 && bodies_.size() > 20) remove_body();
        if (action == 5) deform_body();
        if (flat_) place_bodies();
    }
    std::size_t group_count() const { return groups_.size(); }

  private:
    struct Group {
        Pose pose;
        std::optional<std::uint64_t> parent;
        GroupId id;
    };
    struct Body {
        Pose pose, entered;
        std::optional<std::uint64_t> parent;
        BodyId id;
        bool soft = false;
    };

    Pose world_of(const Pose& pose, std::optional<std::uint64_t> parent) const {
        if (!parent) return pose;
        const Group& group = groups_.at(*parent);
        return world_of(group.pose, group.parent) * pose;
    }
    Pose any_pose() { return checked({random_rotation(random_, 0, 3), random_.vector(0, 1.2)}).value(); }
    template <class Map>
    auto any(Map& map) {
        auto found = map.begin();
        std::advance(found, static_cast<std::ptrdiff_t>(random_.below(map.size())));
        return found;
    }
    std::optional<std::uint64_t> any_parent() {
        if (groups_.empty() || random_.below(5) == 0) return {};
        return any(groups_)->first;
    }
    GroupId id_of(std::optional<std::uint64_t> group) const {
        return group ? groups_.at(*group).id : GroupId{};
    }
    void add_group() {
        Group group{any_pose(), any_parent(), {}};
        if (!flat_) group.id = world_.add_group({group.pose, id_of(group.parent)}).value();
        groups_.emplace(next_++, group);
    }
    void move_group() {
        Group& group = any(groups_)->second;
        group.pose = any_pose();
        if (!flat_) {
            EXPECT_TRUE(world_.move_group(group.id, group.pose).ok());
        }
    }
    void remove_group() {
        const auto gone = any(groups_);
        for (auto& [number, group] : groups_)
            if (group.parent == gone->first) group.parent = gone->second.parent;
        for (auto& [number, body] : bodies_)
            if (body.parent == gone->first) body.parent = gone->second.parent;
        if (!flat_) {
            EXPECT_TRUE(world_.remove_group(gone->second.id).ok());
            EXPECT_FALSE(world_.move_group(gone->second.id, {}).ok());
        }
        groups_.erase(gone);
    }
    void add_body() {
        static const ShapePtr shapes[] = {shape_of(Primitive::uv_sphere, 60, 0.5f),
                                          shape_of(Primitive::ellipsoid_hull, 20, 0.6f),
                                          shape_of(Primitive::torus, 60, 0.6f)};
        Body body;
        body.pose = any_pose();
        body.parent = any_parent();
        body.soft = random_.below(4) == 0;
        body.entered = world_of(body.pose, body.parent);
        BodyDef def{.shape = shapes[random_.below(3)],
                    .pose = flat_ ? body.entered : body.pose,
                    .deformable = body.soft};
        if (!flat_) def.parent = id_of(body.parent);
        body.id = world_.add_body(def).value();
        bodies_.emplace(next_++, body);
    }
    void move_body() {
        Body& body = any(bodies_)->second;
        body.pose = any_pose();
        if (!flat_) {
            EXPECT_TRUE(world_.move(body.id, body.pose).ok());
        }
    }
    void remove_body() {
        const auto gone = any(bodies_);
        EXPECT_TRUE(world_.remove_body(gone->second.id).ok());
        bodies_.erase(gone);
    }
    void deform_body() {
        const Body& body = any(bodies_)->second;
        if (!body.soft) return;
        const VertexChange change{3, cast<float>(0.4 * random_.unit_vector())};
        EXPECT_TRUE(world_.deform(body.id, {&change, 1}).ok());
    }
    void place_bodies() {
        for (auto& [number, body] : bodies_) {
            const Pose now = world_of(body.pose, body.parent);
            if (now == body.entered) continue;
            EXPECT_TRUE(world_.move(body.id, now).ok());
            body.entered = now;
        }
    }

    World& world_;
    Random random_;
    bool flat_;
    std::map<std::uint64_t, Group> groups_;
    std::map<std::uint64_t, Body> bodies_;
    std::uint64_t next_ = 0;
};

}  // namespace claybox::collision::test
