#pragma once
// Tests the selected pair with the chosen algorithm, independently of the passes, for the Inspect card.

#include "app/bridge/inspect/motion_steps.hpp"
#include "app/bridge/inspect/trace_view.hpp"
#include "app/bridge/view/bridge.hpp"
#include "app/session/compare/pair_check.hpp"
#include "collision/pairwise/contacts.hpp"

#include <map>
#include <optional>

namespace claybox::app {

/// The algorithm of the settings that supports this pair, with its parameters and the settings in the query;
/// null without one.
const collision::PairAlgorithm* choose_algorithm(const collision::WorldSettings& settings,
                                                 collision::PairQuery& query);

/// Where a body was in the picture before.
struct BodyTrack {
    std::uint32_t pick = collision::kNoIndex;
    std::uint64_t mesh = 0, frame = 0;
    collision::Pose pose, before;
    /// Call it once per picture; `frame`: of the picture.
    void follow(const Drawable& drawable, std::uint64_t frame);
};

class Inspector {
  public:
    void forget();
    /// The pictures of the next calls are of this past frame; empty: of now.
    void look_at(std::optional<std::uint64_t> frame) { past_ = frame; }
    /// The next inspect() also draws what a step looks like outside the scene, seen like the scene.
    void look_from(const engine::CameraData& camera);
    /// Fills `out`. Without a partner it tests the nearest other body, which may be a part of a hand.
    void inspect(const Session& session, const Bridge& bridge, std::uint32_t selected, std::uint32_t partner,
                 const TraceRequest& request, Inspection& out);
    /// The requested step of the algorithm, to be drawn over the scene.
    const SceneView& marks() const { return marks_; }
    /// The inspected pair, with its motion since the picture before; incomplete without one.
    const PairSubject& subject() const { return subject_; }
    /// All bodies of the picture whose shapes can be tested, each hand as one set.
    std::vector<CheckBody> bodies(const Bridge& bridge);
    /// The shape of a drawable of the picture; null if it cannot be tested.
    collision::ShapePtr shape_of(const Bridge& bridge, const Drawable& drawable);

  private:
    struct CachedShape;
    /// The shape of a drawable's mesh and its prepared data, cached until the mesh changes.
    CachedShape* cached_shape(const Bridge& bridge, const Drawable& drawable);
    /// Why the shape cannot be tested; null when it can.
    static const char* obstacle(const CachedShape* cached);
    static const collision::Prepared* prepared_for(CachedShape& cached,
                                                   const collision::PairAlgorithm& algorithm);
    void describe_pair(const Session& session, const Bridge& bridge, const Drawable& a, const Drawable& b,
                       const TraceRequest& request, Inspection& out);
    void show_steps(const collision::PairAlgorithm& algorithm, const collision::PairQuery& query,
                    const TraceRequest& request, Inspection& out);
    void show_motion(const collision::WorldSettings& settings, const TraceRequest& request, Inspection& out);
    bool choose_step(const TraceRequest& request, Inspection& out) const;
    void add_contacts(const collision::PairAlgorithm& algorithm, collision::PairQuery query, Inspection& out);

    struct CachedShape {
        std::uint64_t version = 0;
        const void* topology = nullptr;
        std::uint64_t rested = 0;  ///< frames since the mesh changed
        enum class State : unsigned char { waits, made, too_fine, broken } state = State::waits;
        collision::ShapePtr shape;
        const collision::PairAlgorithm* prepared_for = nullptr;
        std::shared_ptr<const collision::Prepared> prepared;
    };
    std::map<std::uint64_t, CachedShape> shapes_;
    collision::Scratch scratch_;
    std::vector<collision::Hit> hits_;
    std::vector<collision::Contact> contacts_;
    static constexpr std::size_t kMaxSteps = 1000, kMaxItems = 50000;  // nobody looks at more
    collision::TraceRecord trace_{kMaxSteps, kMaxItems};
    SceneView marks_;
    DifferenceBody difference_;
    MotionSteps motion_;
    std::optional<ViewAxes> axes_;
    PairSubject subject_;
    std::optional<std::uint64_t> past_;
    std::array<BodyTrack, 2> tracks_;  ///< of the pair
};

}  // namespace claybox::app
