// ODE's spaces: the hash space and the sweep along one axis. Both compute all pairs again in every frame.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <ode/ode.h>

namespace claybox::bench {

using namespace collision;

namespace {

template <bool kHash>
class OdeBroad final : public BroadContestant {
  public:
    OdeBroad() {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
        space_ = kHash ? dHashSpaceCreate(nullptr) : dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    }
    ~OdeBroad() override {
        dSpaceDestroy(space_);  // also destroys its bodies
        dCloseODE();
    }
    OdeBroad(const OdeBroad&) = delete;
    OdeBroad& operator=(const OdeBroad&) = delete;

    void insert(std::span<const Aabb> boxes) override {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Vec3d side = cast<double>(boxes[i].max) - cast<double>(boxes[i].min);
            bodies_.push_back(dCreateBox(space_, side.x, side.y, side.z));
            dGeomSetData(bodies_.back(), reinterpret_cast<void*>(i));
            const Vec3d centre = centre_of(boxes[i]);
            dGeomSetPosition(bodies_.back(), centre.x, centre.y, centre.z);
        }
        find();
    }
    void load(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) override {
        moved_ = moved;
        centres_.clear();
        for (const std::uint32_t i : moved) centres_.push_back(centre_of(boxes[i]));
    }
    void update() override {
        for (std::size_t i = 0; i < moved_.size(); ++i)
            dGeomSetPosition(bodies_[moved_[i]], centres_[i].x, centres_[i].y, centres_[i].z);
    }
    std::span<const PairKey> find() override {
        pairs_.clear();
        dSpaceCollide(space_, &pairs_, [](void* pairs, dGeomID a, dGeomID b) {
            static_cast<std::vector<PairKey>*>(pairs)->push_back(make_pair_key(number_of(a), number_of(b)));
        });
        return pairs_;
    }

  private:
    static Vec3d centre_of(const Aabb& box) { return 0.5 * (cast<double>(box.min) + cast<double>(box.max)); }
    static std::uint32_t number_of(dGeomID body) {
        return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(dGeomGetData(body)));
    }

    dSpaceID space_;
    std::vector<dGeomID> bodies_;
    std::span<const std::uint32_t> moved_;
    std::vector<Vec3d> centres_;  ///< of the moved bodies
    std::vector<PairKey> pairs_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_broad_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.broad = {broad_entry<OdeBroad<true>>("ode_hash", "ODE, hash space"),
                 broad_entry<OdeBroad<false>>("ode_sap", "ODE, sweep and prune space")};
}
