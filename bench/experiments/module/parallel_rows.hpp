#pragma once
// Rows of the experiment `parallel`.

#include "bench/experiments/experiment.hpp"
#include "bench/streams/cage_motion.hpp"
#include "collision/module/world.hpp"

namespace claybox::bench {

struct ParallelConfig {
    collision::ParallelMode mode = collision::ParallelMode::serial;
    unsigned workers = 1;
    const char* thesis = "";  ///< speed-up in the thesis, if it has such a row

    std::string name() const {
        return workers == 1 ? to_string(mode) : to_string(mode) + "_" + std::to_string(workers);
    }
};

struct ParallelRow {
    const char* name = "";
    const char* text = "";  ///< description of the bodies
    const char* pair = "";
    const char* broad = nullptr;           ///< null: the default
    bool groups = false;                   ///< only a tree of groups, no world
    bool all_hits = false;                 ///< false: verdicts only
    std::uint32_t share_from = 0;          ///< 0: the default
    std::size_t frames = 20, blocks = 15;  ///< frames per block
    double filled = 0.1;                   ///< share of the cage, by bounding balls
    std::size_t bodies = 2;
    /// Shapes, used cyclically, each with its number of polygons (hulls: vertices).
    std::vector<std::pair<collision::Primitive, std::uint32_t>> shapes{};
    std::vector<ParallelConfig> configs{};  ///< the first one is T_1
};

inline constexpr const char* kParallelRows =
    "cage, mixed, jojo, tori-edges, tori-boxes, tori-hits, spheres-three, X1, X2, X3, X4; a beginning of a "
    "name selects all rows with it";

/// Rows whose names begin with one of `wanted`; all if it is empty. A word that matches no row is an error.
collision::Result<std::vector<ParallelRow>> parallel_rows(const std::vector<std::string>& wanted);

/// The motion of the row's bodies.
streams::CageMotion motion_of(const ParallelRow& row, std::uint64_t seed);

}  // namespace claybox::bench
