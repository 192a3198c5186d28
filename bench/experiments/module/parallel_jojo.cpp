// The row `jojo`: world matrices down a tree of groups and boxes up again, level by level, as in a pass
// (Zachmann, thesis, 6.0.1).

#include "bench/experiments/module/parallel_player.hpp"
#include "collision/core/random.hpp"
#include "collision/core/state_hash.hpp"
#include "collision/module/state/scene_groups.hpp"

#include <bit>
#include <chrono>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr std::uint32_t kMaxWidth = 2048, kLevels = 24;

class JojoPlayer final : public RowPlayer {
  public:
    JojoPlayer(const ParallelConfig& config, std::uint64_t seed)
        : executor_(config.workers == 1 ? make_serial_executor() : make_thread_executor(config.workers)),
          random_(seed) {
        std::uint32_t first = 0, width = 1;
        for (std::uint32_t level = 0; level < kLevels; ++level) {
            const std::uint32_t above = first - (level == 0 ? 0 : width_above_);
            for (std::uint32_t i = 0; i < width; ++i) {
                MovedGroup& entry = list_.entry_for({first + i, 1});
                entry.added = true;
                if (level > 0) entry.parent = {above + i * width_above_ / width, 1};
            }
            first += width;
            width_above_ = width;
            width = std::min(2 * width, kMaxWidth);
        }
        count_ = first;
        boxes_.resize(count_);
        matrices_.resize(count_);
        rotate_groups();
        groups_.apply(list_.groups());
        for (std::uint32_t body = 0; body < count_; ++body) groups_.attach(body, {body, 1});
        list_.clear();
    }

    Sums play(std::size_t frames) override {
        Sums out;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            rotate_groups();
            const auto start = std::chrono::steady_clock::now();
            (void)executor_->take_times();
            const Burst burst(*executor_);
            const auto seconds = [&] {
                return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            };
            groups_.apply(list_.groups());
            groups_.update_poses(*executor_, [](std::uint32_t, std::uint64_t, Arrival) {});
            const double down = seconds();
            place_bodies();
            const double placed = seconds();
            groups_.update_boxes(*executor_, boxes_);
            const LoopTimes times = executor_->take_times();
            const double all = seconds();
            out.seconds += all;
            out.narrow += down + all - placed;
            out.estimate += all - times.wall + times.busy;
            ++out.passes;
            list_.clear();
            hash_state();
        }
        return out;
    }
    std::uint64_t hash() const override { return hash_.value(); }

  private:
    void rotate_groups() {
        for (std::uint32_t group = 0; group < count_; ++group) {
            MovedGroup& entry = list_.entry_for({group, 1});
            entry.moved = true;
            entry.pose = {axis_angle({0, 1, 0}, random_.uniform(-1, 1)), {0.5, -1, random_.uniform(-1, 1)}};
        }
    }
    void place_bodies() {
        executor_->parallel_for(count_, 64, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) {
                matrices_[i] = to_matrix(groups_.world_pose(static_cast<std::uint32_t>(i), {}));
                boxes_[i] = transform_aabb(matrices_[i], {{-1, -1, -1}, {1, 1, 1}});
            }
        });
    }
    void hash_state() {
        WorldBounds bounds(boxes_);
        groups_.add_to(bounds);
        for (const Aabb& box : bounds.groups.boxes)
            for (const float v : {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z})
                hash_.add(std::uint64_t{std::bit_cast<std::uint32_t>(v)});
    }

    std::unique_ptr<Executor> executor_;
    Random random_;
    SceneGroups groups_;
    GroupList list_;
    std::uint32_t count_ = 0, width_above_ = 0;
    std::vector<Aabb> boxes_;
    std::vector<Matrix34f> matrices_;
    StateHash hash_;
};

}  // namespace

std::unique_ptr<RowPlayer> make_jojo_player(const ParallelConfig& config, std::uint64_t seed) {
    return std::make_unique<JojoPlayer>(config, seed);
}

}  // namespace claybox::bench
