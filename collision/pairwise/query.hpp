#pragma once
// The one interface of all pair algorithms: pure functions of a query, a cache that the caller owns, a result
// and an optional trace.

#include "collision/core/parameter.hpp"
#include "collision/core/trace.hpp"
#include "collision/exact/certificate.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/parts/scratch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace claybox::collision {

enum class Verdict : unsigned char { separated, colliding, undecided };
enum class Meaning : unsigned char { solid, surface };
enum class Exactness : unsigned char { exact, fast };

const char* to_string(Verdict verdict);
const char* to_string(Meaning meaning);
const char* to_string(Exactness exactness);

/// What a query can ask for beside the verdict, and what a descriptor gives; a set of bits.
using Wants = std::uint32_t;
inline constexpr Wants kWantVerdict = 0;
inline constexpr Wants kWantDistance = 1u << 0;  ///< distance and closest points of separated pairs
inline constexpr Wants kWantDepth = 1u << 1;     ///< penetration depth and direction of colliding pairs
inline constexpr Wants kWantAllHits = 1u << 2;   ///< every intersecting edge and polygon, into the hit sink
inline constexpr Wants kWantAxis = 1u << 3;      ///< a separating axis in the certificate
/// Solids, whatever the algorithm decides: where it decides surfaces and finds them apart, it is asked
/// whether one body lies in the other. A closed mesh has an inside by the even-odd rule, any other is its
/// surface. Not for bodies without polygons; PairResult::meaning tells.
inline constexpr Wants kWantSolid = 1u << 4;

/// One edge that meets one polygon.
struct Hit {
    std::uint32_t edge =
        kNoIndex;  ///< of B when edge_of_b, else of A; kNoIndex for an inner diagonal of a bent polygon
    std::uint32_t polygon = kNoIndex;   ///< of the other body
    std::uint32_t triangle = kNoIndex;  ///< of that polygon, counted within the whole topology
    bool edge_of_b = false;
    Vec3f point_w;                      ///< where they meet, rounded
    std::uint32_t inner_of = kNoIndex;  ///< the polygon whose inner diagonal it is, when `edge` names none

    friend bool operator==(const Hit&, const Hit&) = default;
};

/// A fixed block of hits that the caller owns. When it is full the query says so and the caller comes again
/// with more room.
class HitSink {
  public:
    HitSink() = default;
    explicit HitSink(std::span<Hit> room) : room_(room) {}
    bool push(const Hit& hit) {
        if (count_ == room_.size()) return false;
        room_[count_++] = hit;
        return true;
    }
    std::span<const Hit> hits() const { return room_.first(count_); }
    std::span<Hit> written() { return room_.first(count_); }  ///< for putting them in order
    void keep(std::size_t count) { count_ = count; }          ///< the first of those written
    std::size_t capacity() const { return room_.size(); }
    void clear() { count_ = 0; }

  private:
    std::span<Hit> room_;
    std::size_t count_ = 0;
};

/// What an algorithm prepared for one shape; immutable while queries run, except through `update`.
struct Prepared {
    virtual ~Prepared() = default;
    virtual std::size_t memory_bytes() const = 0;
};

/// One body of a query. `shape` tells class and hull, `geometry` where the vertices are now (the shape's own
/// unless the body was deformed; a deformed body has no hull to rely on).
struct PairBody {
    const Shape* shape = nullptr;
    const Geometry* geometry = nullptr;
    const Prepared* prepared = nullptr;  ///< null when the algorithm has no `prepare`, or nobody called it
    /// The definition of where the body is; aligned so that a copied row is read as it was written.
    alignas(16) Matrix34f world_from_body;

    bool deformed() const { return geometry != &shape->geometry(); }
};

/// Everything a query depends on. Build with make_pair_query, then set what is wanted.
struct PairQuery {
    PairBody a, b;
    Wants wants = kWantVerdict;
    float margin = 0;  ///< metres; bodies closer than this count as colliding where the descriptor says so
    Exactness exactness = Exactness::exact;
    std::uint64_t seed = 0;
    /// Of the algorithm, in the order of its table; left as they are, its defaults.
    ParameterValues parameters = ParameterValues::unset();
    HitSink* hits = nullptr;     ///< needed for kWantAllHits
    Scratch* scratch = nullptr;  ///< the worker's own; never null
    StopToken stop;
    /// Part k of m, for algorithms that can be split. Where edges are tested against polygons and m is even,
    /// the first half of the parts takes the edges of A, the other half those of B.
    std::uint32_t part = 0, part_count = 1;
};

enum class QueryStatus : unsigned char {
    done,
    hits_full,       ///< the sink has no more room; verdict is right, hits are not complete
    stopped,         ///< the stop token was set; no verdict
    not_applicable,  ///< outside the algorithm's domain (fits() is false)
};

inline constexpr std::size_t kMaxCounters = 8;

struct PairResult {
    Verdict verdict = Verdict::undecided;
    Meaning meaning = Meaning::solid;
    QueryStatus status = QueryStatus::done;
    std::uint8_t rung = 1;  ///< of the ladder: 1 float kernel, 2 double certificate, 3 exact arithmetic
    std::uint32_t iterations = 0;  ///< of the kernel's main loop
    Certificate certificate;
    double distance = 0;             ///< metres, when wanted and separated
    Vec3d closest_a_w, closest_b_w;  ///< when distance is wanted
    double depth = 0;                ///< metres, when wanted and colliding
    Vec3d depth_direction_w;         ///< moving B by depth * direction makes them just touch
    std::array<std::uint32_t, kMaxCounters> counters{};  ///< named by the descriptor
};

/// What one pair remembers between queries: trivially copyable bytes that belong to one algorithm and two
/// geometries as they are, cleared when another takes over, so that algorithms can be switched while
/// everything runs and a cache handed from pair to pair does no harm. Three cache lines; the owner's tags and
/// the block's first 24 bytes share the first one.
class alignas(64) PairCache {
  public:
    static constexpr std::size_t kBytes = 152;

    /// The block as a T, value-initialised when the owner or one of the contents (Geometry::content) is not
    /// that of the last call. `owner` is the address of the algorithm's descriptor.
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
    void clear() { owner_ = nullptr; }
    /// Room that an algorithm asked for with cache_bytes; zeroed when it is given. Empty when it asked for
    /// none.
    std::span<std::byte> pool() const { return pool_; }
    void set_pool(std::span<std::byte> pool) { pool_ = pool; }

  private:
    const void* owner_ = nullptr;
    std::uint64_t content_a_ = 0, content_b_ = 0;
    std::span<std::byte> pool_;
    alignas(8) std::byte bytes_[kBytes] = {};
};

/// A query about two shapes under two matrices. A kernel that works in A's frame calls relative_matrix().
PairQuery make_pair_query(const Shape& a, const Matrix34f& world_from_a, const Shape& b,
                          const Matrix34f& world_from_b, Scratch& scratch);

}  // namespace claybox::collision
