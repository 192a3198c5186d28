// Bullet 3's broad phases: its dynamic trees of enlarged boxes and its axis sweep of quantized boxes, both
// with its hashed pair list, which persists between frames. That list contains pairs of the enlarged or
// quantized boxes; only pairs whose original boxes overlap are reported.

#include "bench/contestants/libraries/comparison_module.hpp"
#include "bench/contestants/libraries/to_bullet.hpp"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <LinearMath/btAabbUtil2.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// The sweep has 16-bit handles.
constexpr std::uint32_t kMaxSweepBodies = 16000;

template <class Make>
class BulletBroad final : public BroadContestant {
  public:
    ~BulletBroad() override {
        for (btBroadphaseProxy* proxy : proxies_) broad_->destroyProxy(proxy, nullptr);
    }
    void insert(std::span<const Aabb> boxes) override {
        Aabb world;
        for (const Aabb& box : boxes) world.add(box);
        broad_ = Make()(to_bullet(1.2f * world.min), to_bullet(1.2f * world.max));
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const btVector3 low = to_bullet(boxes[i].min), high = to_bullet(boxes[i].max);
            proxies_.push_back(broad_->createProxy(low, high, 0, reinterpret_cast<void*>(i), 1, 1, nullptr));
            broad_->setAabb(proxies_.back(), low, high,
                            nullptr);  // createProxy of the sweep does not store the corners
        }
        broad_->calculateOverlappingPairs(nullptr);
    }
    void load(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) override {
        moved_ = moved;
        low_.clear();
        high_.clear();
        for (const std::uint32_t i : moved) {
            low_.push_back(to_bullet(boxes[i].min));
            high_.push_back(to_bullet(boxes[i].max));
        }
    }
    void update() override {
        for (std::size_t i = 0; i < moved_.size(); ++i)
            broad_->setAabb(proxies_[moved_[i]], low_[i], high_[i], nullptr);
        broad_->calculateOverlappingPairs(nullptr);
    }
    std::span<const PairKey> find() override {
        pairs_.clear();
        const btBroadphasePairArray& all = broad_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < all.size(); ++i) {
            const btBroadphaseProxy &a = *all[i].m_pProxy0, &b = *all[i].m_pProxy1;
            if (TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax))
                pairs_.push_back(make_pair_key(number_of(a), number_of(b)));
        }
        return pairs_;
    }

  private:
    static std::uint32_t number_of(const btBroadphaseProxy& proxy) {
        return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(proxy.m_clientObject));
    }

    std::unique_ptr<btBroadphaseInterface> broad_;
    std::vector<btBroadphaseProxy*> proxies_;
    std::span<const std::uint32_t> moved_;
    std::vector<btVector3> low_, high_;  ///< of the moved bodies
    std::vector<PairKey> pairs_;
};

struct MakeTree {
    std::unique_ptr<btBroadphaseInterface> operator()(const btVector3&, const btVector3&) const {
        return std::make_unique<btDbvtBroadphase>();
    }
};
/// Without the second structure, which serves rays.
struct MakeSweep {
    std::unique_ptr<btBroadphaseInterface> operator()(const btVector3& low, const btVector3& high) const {
        return std::make_unique<btAxisSweep3>(low, high, static_cast<unsigned short>(kMaxSweepBodies + 2),
                                              nullptr, true);
    }
};

}  // namespace

}  // namespace claybox::bench

void claybox_broad_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.broad = {
        broad_entry<BulletBroad<MakeTree>>("bullet_dbvt", "Bullet, btDbvtBroadphase"),
        broad_entry<BulletBroad<MakeSweep>>("bullet_sweep", "Bullet, btAxisSweep3", kMaxSweepBodies)};
}
