#pragma once
// What `claybox bench parallel` plays.

#include "bench/experiments/experiment.hpp"
#include "bench/streams/cage_motion.hpp"
#include "collision/module/world.hpp"

namespace claybox::bench {

struct ParallelWay {
    collision::ParallelMode mode = collision::ParallelMode::serial;
    unsigned workers = 1;
    const char* thesis = "";  ///< what it reports, where there is such a row

    std::string name() const {
        return workers == 1 ? to_string(mode) : to_string(mode) + "_" + std::to_string(workers);
    }
};

struct ParallelRow {
    const char* name = "";
    const char* text = "";  ///< who flies
    const char* pair = "";
    const char* broad = nullptr;           ///< null: the default
    bool groups = false;                   ///< the tree of groups alone, no world
    bool all_hits = false;                 ///< else verdicts
    std::uint32_t share_from = 0;          ///< 0: the default
    std::size_t frames = 20, blocks = 15;  ///< frames a block
    double filled = 0.1;                   ///< part of the cage, by bounding balls
    std::size_t bodies = 2;
    /// Kinds of shapes that bodies take in turn, each with its number of polygons (vertices of hulls).
    std::vector<std::pair<collision::Primitive, std::uint32_t>> shapes{};
    std::vector<ParallelWay> ways{};  ///< the first is T_1
};

inline constexpr const char* kParallelRows =
    "cage, mixed, jojo, tori-edges, tori-boxes, tori-hits, spheres-three, and X1, X2, X3, X4 with what "
    "follows in "
    "their names";

/// Rows whose names begin with one of `wanted`; all when there are none. Fails for words that begin no row.
collision::Result<std::vector<ParallelRow>> parallel_rows(const std::vector<std::string>& wanted);

streams::CageMotion motion_of(const ParallelRow& row, std::uint64_t seed);

}  // namespace claybox::bench
