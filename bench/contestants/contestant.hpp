#pragma once
// Whoever answers "do these two bodies collide?" in a comparison: our algorithms, and the libraries that the
// distribution packages. Convex comparisons ask about solids, those of meshes about surfaces.

#include "bench/contestants/broad.hpp"
#include "bench/contestants/deforming.hpp"
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
    std::uint8_t rung = 0;         ///< of our ladder; 0 of a library
    std::uint16_t iterations = 0;  ///< of our kernels, 65535 and more as 65535; 0 of a library
};

class Contestant {
  public:
    virtual ~Contestant() = default;
    /// Makes what it needs of each shape. False when pairs of these shapes are outside its domain.
    virtual bool prepare(std::span<const collision::ShapePtr> shapes) = 0;
    /// Room to remember something of each pair.
    virtual void set_pairs(std::uint32_t count) = 0;
    /// The pair is new: nothing is remembered of it.
    virtual void forget(const streams::JudgedQuery& query) = 0;
    /// Takes over a stretch of a stream, its poses in the form that the contestant works with. Not timed: a
    /// world has them in that form.
    virtual void load(std::span<const streams::JudgedQuery> queries) = 0;
    /// Answers `count` of the loaded queries from `first` on; this is what is timed.
    virtual void answer(std::size_t first, std::size_t count, Answer* out) = 0;
};

struct Entry {
    std::string id;     ///< word for the command line and for names of measurements
    std::string title;  ///< for people
    const collision::PairAlgorithm* algorithm = nullptr;  ///< null for a library
    std::function<std::unique_ptr<Contestant>()> make;
    bool our_support = false;  ///< a library whose support search we wrote: more than it comes with
    /// load() places bodies at a cost that another entry of the library counts: it is asked for each query.
    bool loads_each = false;
};

/// A library to compare with.
struct Library {
    std::string name, package;
    std::string left_out;  ///< why it has no entries; empty when it has
    std::vector<Entry> entries;
    std::vector<DeformingEntry> deforming;
    std::vector<BroadEntry> broad;
};

/// Every algorithm of ours that decides convex solids, in the order of the registry.
std::vector<Entry> our_entries();
/// Every algorithm of ours that takes meshes, with variants whose parameters the comparison is about.
std::vector<Entry> our_mesh_entries();
std::vector<DeformingEntry> our_deforming_entries();

/// Loaded at the first call. Also those that are left out.
const std::vector<Library>& convex_libraries();
const std::vector<Library>& mesh_libraries();
const std::vector<Library>& broad_libraries();

}  // namespace claybox::bench
