// CGAL's box_self_intersection_d: a streamed segment tree, rebuilt in every frame, over pointers to float
// boxes.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

namespace claybox::bench {

using namespace collision;

namespace {

class CgalBroad final : public BroadContestant {
    using Box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, std::uint32_t>;

  public:
    void insert(std::span<const Aabb> boxes) override {
        boxes_.resize(boxes.size());
        for (std::uint32_t i = 0; i < boxes.size(); ++i) boxes_[i] = convert(i, boxes[i]);
    }
    void load(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) override {
        for (const std::uint32_t i : moved) boxes_[i] = convert(i, boxes[i]);
    }
    void update() override {}  // stateless
    std::span<const PairKey> find() override {
        pairs_.clear();
        order_.resize(boxes_.size());
        for (std::size_t i = 0; i < boxes_.size(); ++i) order_[i] = &boxes_[i];
        CGAL::box_self_intersection_d(order_.begin(), order_.end(), [this](const Box* a, const Box* b) {
            pairs_.push_back(make_pair_key(a->info(), b->info()));
        });
        return pairs_;
    }

  private:
    static Box convert(std::uint32_t body, const Aabb& box) {
        float low[] = {box.min.x, box.min.y, box.min.z}, high[] = {box.max.x, box.max.y, box.max.z};
        return Box(low, high, body);
    }

    std::vector<Box> boxes_;
    std::vector<const Box*> order_;
    std::vector<PairKey> pairs_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_broad_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.broad = {broad_entry<CgalBroad>("cgal_box_intersection", "CGAL, box_self_intersection_d")};
}
