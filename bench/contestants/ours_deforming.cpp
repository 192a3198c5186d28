// Claybox's pair algorithms that track a deforming mesh, called as by the module.

#include "bench/contestants/contestant.hpp"

namespace claybox::bench {

using namespace collision;

namespace {

class OwnDeforming final : public DeformingContestant {
  public:
    explicit OwnDeforming(const PairAlgorithm& algorithm) : algorithm_(algorithm) {
        query_.parameters = default_values(algorithm.parameters);
        query_.scratch = &scratch_;
    }

    void set_parts(std::span<const ShapePtr> parts) override {
        for (const ShapePtr& part : parts) {
            parts_.push_back({part.get(), &part->geometry(), nullptr, {}});
            if (algorithm_.prepare == nullptr) continue;
            prepared_parts_.push_back(algorithm_.prepare(*part, part->geometry()));
            parts_.back().prepared = prepared_parts_.back().get();
        }
        caches_.assign(parts.size(), {});
        pools_.assign(parts.size(), {});
    }

    void build(const ShapePtr& mesh) override {
        shape_ = mesh.get();
        geometry_ = mesh->geometry();
        if (algorithm_.prepare != nullptr) prepared_ = algorithm_.prepare(*mesh, geometry_);
    }

    void load(const streams::DentFrame& frame) override {
        frame_ = &frame;
        if (algorithm_.cache_bytes == nullptr || !pools_[0].empty()) return;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            pools_[i].assign(algorithm_.cache_bytes(*shape_, *parts_[i].shape), std::byte{0});
            caches_[i].set_pool(pools_[i]);
        }
    }

    void update() override {
        const Status done = deform(geometry_, frame_->changes, touched_);
        if (!done || algorithm_.prepare == nullptr) return;
        prepared_ = algorithm_.update != nullptr
                        ? algorithm_.update(std::move(prepared_), geometry_, touched_)
                        : algorithm_.prepare(*shape_, geometry_);
    }

    std::uint32_t query() override {
        std::uint32_t out = 0;
        query_.a = {shape_, &geometry_, prepared_.get(), {}};
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            query_.b = parts_[i];
            query_.b.world_from_body = frame_->world_from_part[i];
            query_.seed = i;
            if (run_query(algorithm_, query_, caches_[i]).verdict == Verdict::colliding) out |= 1u << i;
        }
        return out;
    }

  private:
    const PairAlgorithm& algorithm_;
    PairQuery query_;
    Scratch scratch_;
    const Shape* shape_ = nullptr;
    Geometry geometry_;
    std::shared_ptr<const Prepared> prepared_;
    std::vector<PairBody> parts_;
    std::vector<std::shared_ptr<const Prepared>> prepared_parts_;
    std::vector<PairCache> caches_;
    std::vector<std::vector<std::byte>> pools_;
    std::vector<std::uint32_t> touched_;
    const streams::DentFrame* frame_ = nullptr;
};

}  // namespace

std::vector<DeformingEntry> our_deforming_entries() {
    std::vector<DeformingEntry> out;
    for (const char* id : {"mesh_bvh", "edge_polygon"})
        if (const PairAlgorithm* algorithm = find_pair_algorithm(id))
            out.push_back({algorithm->id, algorithm->title, true,
                           [algorithm] { return std::make_unique<OwnDeforming>(*algorithm); }});
    return out;
}

}  // namespace claybox::bench
