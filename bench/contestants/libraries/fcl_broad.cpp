// FCL 0.7's broad phases: its dynamic AABB tree, its array variant, and its sweep along all axes. Bodies are
// FCL boxes; their world boxes are computed before the measured time.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// The sweep removes a pair by a linear search: more bodies take minutes.
constexpr std::uint32_t kMaxSweepBodies = 2000;

fcl::Vector3d to_fcl(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

template <class Manager>
class FclBroad final : public BroadContestant {
  public:
    void insert(std::span<const Aabb> boxes) override {
        std::vector<Object*> all;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const fcl::Vector3d sides = to_fcl(boxes[i].max) - to_fcl(boxes[i].min);
            auto box = std::make_shared<fcl::Boxd>(sides);
            box->computeLocalAABB();
            bodies_.push_back(std::make_unique<Object>(box));
            bodies_.back()->setUserData(reinterpret_cast<void*>(i));
            place(i, boxes[i]);
            all.push_back(bodies_.back().get());
        }
        manager_.registerObjects(all);
        manager_.setup();
    }
    void load(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) override {
        moved_.clear();
        for (const std::uint32_t i : moved) {
            place(i, boxes[i]);
            moved_.push_back(bodies_[i].get());
        }
    }
    void update() override {
        if (moved_.size() == bodies_.size())
            manager_.update();
        else
            manager_.update(moved_);
    }
    std::span<const PairKey> find() override {
        pairs_.clear();
        manager_.collide(&pairs_, [](Object* a, Object* b, void* pairs) {
            static_cast<std::vector<PairKey>*>(pairs)->push_back(make_pair_key(number_of(*a), number_of(*b)));
            return false;
        });
        return pairs_;
    }

  private:
    using Object = fcl::CollisionObjectd;

    void place(std::size_t body, const Aabb& box) {
        bodies_[body]->setTranslation(0.5 * (to_fcl(box.min) + to_fcl(box.max)));
        bodies_[body]->computeAABB();
    }
    static std::uint32_t number_of(const Object& body) {
        return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(body.getUserData()));
    }

    std::vector<std::unique_ptr<Object>> bodies_;
    std::vector<Object*> moved_;
    std::vector<PairKey> pairs_;
    Manager manager_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_broad_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.broad = {
        broad_entry<FclBroad<fcl::DynamicAABBTreeCollisionManagerd>>("fcl_tree", "FCL, dynamic AABB tree"),
        broad_entry<FclBroad<fcl::DynamicAABBTreeCollisionManager_Array<double>>>(
            "fcl_tree_array", "FCL, dynamic AABB tree in an array"),
        broad_entry<FclBroad<fcl::SaPCollisionManagerd>>("fcl_sap", "FCL, sweep and prune", kMaxSweepBodies)};
}
