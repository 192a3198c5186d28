#pragma once
/// \file
/// The interface of all pair algorithms. An algorithm is a pure function of a query, a cache owned by the
/// caller, a result and an optional trace.

#include "collision/core/parameter.hpp"
#include "collision/core/trace.hpp"
#include "collision/exact/certificate.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/pairwise/scratch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace claybox::collision {

/// The answer of a query.
enum class Verdict : unsigned char {
    separated,  ///< no common point
    colliding,  ///< a common point; touching counts
    undecided,  ///< no answer: see QueryStatus, or the algorithm may err to one side
};
/// What a verdict is about.
enum class Meaning : unsigned char {
    solid,    ///< the bodies with their inside
    surface,  ///< the polygons only: a body inside another one does not collide
};
/// How hard a query tries.
enum class Exactness : unsigned char {
    exact,  ///< the verdict of exact arithmetic, whatever it costs
    fast,   ///< the first rung of the exactness ladder only: may err when bodies almost touch
};

/// "separated", "colliding" or "undecided".
const char* to_string(Verdict verdict);
/// "solid" or "surface".
const char* to_string(Meaning meaning);
/// "exact" or "fast".
const char* to_string(Exactness exactness);

/// What a query requests in addition to the verdict, and what a descriptor offers: a set of bits.
using Wants = std::uint32_t;
inline constexpr Wants kWantVerdict = 0;         ///< nothing else
inline constexpr Wants kWantDistance = 1u << 0;  ///< distance and closest points of separated pairs
inline constexpr Wants kWantDepth = 1u << 1;     ///< penetration depth and direction of colliding pairs
inline constexpr Wants kWantAllHits = 1u << 2;   ///< every intersecting edge and polygon, into the hit sink
inline constexpr Wants kWantAxis = 1u << 3;      ///< a separating axis in the certificate
/// Answers about solids, whatever the algorithm decides. If the algorithm decides surfaces and finds them
/// apart, complete_solid() then tests whether one body contains the other. A closed mesh has an inside by the
/// even-odd rule; any other mesh is its surface only.
inline constexpr Wants kWantSolid = 1u << 4;

/// One edge that intersects one polygon.
struct Hit {
    /// Of B if edge_of_b, else of A; kNoIndex for an inner diagonal of a bent polygon.
    std::uint32_t edge = kNoIndex;
    std::uint32_t polygon = kNoIndex;   ///< of the other body
    std::uint32_t triangle = kNoIndex;  ///< of that polygon; index into the topology's triangles
    bool edge_of_b = false;             ///< the edge is of B and the polygon of A
    Vec3f point_w;                      ///< intersection point, rounded
    std::uint32_t inner_of = kNoIndex;  ///< if `edge` is kNoIndex: the polygon of the inner diagonal

    /// Whether all fields are equal.
    friend bool operator==(const Hit&, const Hit&) = default;
};

/// A fixed block of hits, owned by the caller. A query that fills it returns hits_full; the caller then
/// repeats the query with a larger block.
class HitSink {
  public:
    /// Without room for hits.
    HitSink() = default;
    /// Writes into `storage`, which must outlive the sink.
    explicit HitSink(std::span<Hit> storage) : storage_(storage) {}
    /// Appends a hit. False if there is no room: the hit is lost.
    bool push(const Hit& hit) {
        if (count_ == storage_.size()) return false;
        storage_[count_++] = hit;
        return true;
    }
    /// The hits so far.
    std::span<const Hit> hits() const { return storage_.first(count_); }
    /// The hits so far, to sort them.
    std::span<Hit> written() { return storage_.first(count_); }
    /// Keeps the first `count` hits, of at least so many.
    void truncate(std::size_t count) { count_ = count; }
    /// The most hits that fit.
    std::size_t capacity() const { return storage_.size(); }
    /// Forgets all hits.
    void clear() { count_ = 0; }

  private:
    std::span<Hit> storage_;
    std::size_t count_ = 0;
};

/// Data that an algorithm prepared for one shape. Immutable while queries run; only `update` changes it. It
/// may outlive the shape: only queries may follow pointers to it, not memory_bytes() and the destructor.
struct Prepared {
    virtual ~Prepared() = default;
    /// Memory of the data.
    virtual std::size_t memory_bytes() const = 0;
};

/// One body of a query. `shape` has the classification and the hull. `geometry` has the current vertices: the
/// shape's own, unless the body was deformed. A deformed body has no valid hull.
struct PairBody {
    const Shape* shape = nullptr;        ///< never null in a query
    const Geometry* geometry = nullptr;  ///< never null in a query
    const Prepared* prepared = nullptr;  ///< null if the algorithm has no `prepare`, or was not prepared
    /// The exact pose of the body. Aligned, so that vector loads of a copied row do not stall on its stores.
    alignas(16) Matrix34f world_from_body;

    /// Whether the vertices are not those of the shape.
    bool deformed() const { return geometry != &shape->geometry(); }
};

/// Everything that a query depends on. Create it with make_pair_query, then set the requests.
struct PairQuery {
    PairBody a;                  ///< the first body
    PairBody b;                  ///< the second body
    Wants wants = kWantVerdict;  ///< what to report in addition to the verdict
    float margin = 0;  ///< metres; closer bodies count as colliding, where the algorithm supports it
    Exactness exactness = Exactness::exact;  ///< whether a wrong verdict is acceptable
    std::uint64_t seed = 0;                  ///< of algorithms that use random numbers; any number is good
    /// The algorithm's parameters, in the order of its table. Unset values mean the defaults.
    ParameterValues parameters = ParameterValues::unset();
    HitSink* hits = nullptr;     ///< required for kWantAllHits
    Scratch* scratch = nullptr;  ///< one per worker; never null
    StopToken stop;              ///< ends the query early: QueryStatus::stopped
    /// Part k of m, for splittable algorithms. If an algorithm tests edges against polygons and m is even,
    /// the first half of the parts tests the edges of A and the second half the edges of B.
    std::uint32_t part = 0;
    std::uint32_t part_count = 1;  ///< m of `part`
};

/// How a query ended.
enum class QueryStatus : unsigned char {
    done,            ///< normally
    hits_full,       ///< the sink is full: the verdict is right, the hits are incomplete
    stopped,         ///< the stop token was set; no verdict
    not_applicable,  ///< outside the algorithm's domain: see applicable()
};

/// The most numbers that an algorithm counts per query.
inline constexpr std::size_t kMaxCounters = 8;

/// The answer to a query. Points and directions are in the world frame, lengths in metres.
struct PairResult {
    Verdict verdict = Verdict::undecided;    ///< whether the bodies have a common point
    Meaning meaning = Meaning::solid;        ///< what the verdict is about
    QueryStatus status = QueryStatus::done;  ///< whether the query ran to its end
    std::uint8_t rung = 1;  ///< exactness ladder: 1 float kernel, 2 double certificate, 3 exact arithmetic
    std::uint32_t iterations = 0;  ///< of the kernel's main loop
    Certificate certificate;       ///< proof of the verdict: certify() checks it
    double distance = 0;           ///< metres; if requested and separated
    Vec3d closest_a_w;             ///< point of A nearest to B, if the distance is requested
    Vec3d closest_b_w;             ///< point of B nearest to A, if the distance is requested
    double depth = 0;              ///< metres; if requested and colliding
    Vec3d depth_direction_w;       ///< moving B by depth * direction leaves the bodies just touching
    std::array<std::uint32_t, kMaxCounters> counters{};  ///< named by the descriptor
};

/// What one pair remembers between queries: trivially copyable bytes that belong to one algorithm and two
/// geometry contents. Any other owner or content resets them. Algorithms can therefore be switched at any
/// time, and a cache passed from one pair to another does no harm. Three cache lines; the owner's tags and
/// the first 24 bytes of the block share the first line.
class alignas(64) PairCache {
  public:
    /// The largest T of as().
    static constexpr std::size_t kBytes = 152;

    /// The block as a T. Value-initialised if the owner or a content (Geometry::content) differs from the
    /// last call. `owner` is the address of the algorithm's descriptor.
    template <class T>
    T& as(const void* owner, std::uint64_t content_a, std::uint64_t content_b) {
        static_assert(sizeof(T) <= kBytes && std::is_trivially_copyable_v<T> && alignof(T) <= 8);
        T* object = std::launder(reinterpret_cast<T*>(bytes_));
        if (owner_ != owner || content_a_ != content_a || content_b_ != content_b) {
            owner_ = owner;
            content_a_ = content_a;
            content_b_ = content_b;
            object = new (bytes_) T{};
        }
        return *object;
    }
    /// Forgets everything: the next query starts anew.
    void clear() { owner_ = nullptr; }
    /// Extra memory that the algorithm requested with cache_bytes; zeroed before its first use. Empty if none
    /// was requested.
    std::span<std::byte> pool() const { return pool_; }
    /// Gives the cache this memory, which must outlive its use.
    void set_pool(std::span<std::byte> pool) { pool_ = pool; }

  private:
    const void* owner_ = nullptr;
    std::uint64_t content_a_ = 0, content_b_ = 0;
    std::span<std::byte> pool_;
    alignas(8) std::byte bytes_[kBytes] = {};
};

/// A query about two shapes in two poses. A kernel that works in A's frame calls relative_matrix().
PairQuery make_pair_query(const Shape& a, const Matrix34f& world_from_a, const Shape& b,
                          const Matrix34f& world_from_b, Scratch& scratch);

}  // namespace claybox::collision
