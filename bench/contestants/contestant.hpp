#pragma once
// Contestants of a comparison of pair algorithms: the algorithms of Claybox and other collision libraries.
// They answer whether two bodies collide; convex bodies are solids, meshes are surfaces.

#include "bench/contestants/broad.hpp"
#include "bench/contestants/continuous.hpp"
#include "bench/contestants/deforming.hpp"
#include "bench/contestants/surface_work.hpp"
#include "bench/streams/judged_stream.hpp"
#include "collision/pairwise/registry.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::bench {

struct Answer {
    collision::Verdict verdict = collision::Verdict::undecided;
    std::uint8_t rung = 0;         ///< of the exactness ladder; 0 for a library
    std::uint16_t iterations = 0;  ///< of the kernel, at most 65535; 0 for a library
};

class Contestant {
  public:
    virtual ~Contestant() = default;
    /// Prepares all shapes. False if pairs of these shapes are outside the contestant's domain.
    virtual bool prepare(std::span<const collision::ShapePtr> shapes) = 0;
    /// Allocates the memory of `count` pairs.
    virtual void set_pairs(std::uint32_t count) = 0;
    /// Clears the memory of the query's pair.
    virtual void reset_pair(const streams::JudgedQuery& query) = 0;
    /// Receives consecutive queries of a stream and converts their poses to its own format. Not timed: a
    /// world would store that format.
    virtual void load(std::span<const streams::JudgedQuery> queries) = 0;
    /// Answers `count` of the loaded queries from `first` on. Timed.
    virtual void answer(std::size_t first, std::size_t count, Answer* out) = 0;
};

struct Entry {
    std::string id;     ///< for the command line and for names of measurements
    std::string title;  ///< for tables
    const collision::PairAlgorithm* algorithm = nullptr;  ///< null for a library
    std::function<std::unique_ptr<Contestant>()> make;
    bool our_support = false;  ///< a library with a support search of ours instead of its own
    /// load() does work that another entry of the same library includes in its time. load() then runs before
    /// each single query.
    bool load_per_query = false;
};

/// A collision library that Claybox is compared with.
struct Library {
    std::string name, package;
    std::string missing_reason;  ///< why it has no entries; empty if it has some
    std::vector<Entry> entries;
    std::vector<DeformingEntry> deforming;
    std::vector<BroadEntry> broad;
    std::vector<ContinuousEntry> continuous = {};
    std::vector<SurfaceEntry> surface = {};
};

/// All algorithms of Claybox that decide convex solids, in the order of the registry.
std::vector<Entry> our_entries();
/// All algorithms of Claybox that accept meshes, and variants with other parameters.
std::vector<Entry> our_mesh_entries();
std::vector<DeformingEntry> our_deforming_entries();

/// All known libraries, including the missing ones. The first call loads their modules.
const std::vector<Library>& convex_libraries();
const std::vector<Library>& mesh_libraries();
const std::vector<Library>& broad_libraries();
const std::vector<Library>& continuous_libraries();
const std::vector<Library>& surface_libraries();

}  // namespace claybox::bench
