#pragma once
// Asks the chosen algorithm about the selected pair, apart from the passes, for the Inspect card.

#include "app/bridge/bridge.hpp"
#include "app/bridge/trace_view.hpp"
#include "collision/pairwise/contacts.hpp"

#include <map>

namespace claybox::app {

class Inspector {
  public:
    void forget();
    /// Fills `out`; without a partner the nearest other body is taken, which may be a part of a hand.
    void inspect(const Session& session, const Bridge& bridge, std::uint32_t selected, std::uint32_t partner,
                 const TraceWish& wish, Inspection& out);
    /// The step of the algorithm that was wished, to be drawn over the scene.
    const SceneView& marks() const { return marks_; }

  private:
    struct Kept;
    /// The shape of a drawable's mesh and what algorithms prepared for it, kept until the mesh changes.
    Kept* kept_for(const Bridge& bridge, const Drawable& drawable);
    /// Null when the shape can be asked about.
    static const char* why_not(const Kept* kept);
    static const collision::Prepared* prepared_for(Kept& kept, const collision::PairAlgorithm& algorithm);
    void describe_pair(const Session& session, const Bridge& bridge, const Drawable& a, const Drawable& b,
                       const TraceWish& wish, Inspection& out);
    void show_steps(const collision::PairAlgorithm& algorithm, const collision::PairQuery& query,
                    const TraceWish& wish, Inspection& out);
    void add_contacts(const collision::PairAlgorithm& algorithm, collision::PairQuery query, Inspection& out);

    struct Kept {
        std::uint64_t version = 0;
        const void* topology = nullptr;
        std::uint64_t rested = 0;  ///< frames since it changed
        enum class State : unsigned char { waits, made, too_fine, broken } state = State::waits;
        collision::ShapePtr shape;
        const collision::PairAlgorithm* prepared_for = nullptr;
        std::shared_ptr<const collision::Prepared> prepared;
    };
    std::map<std::uint64_t, Kept> shapes_;
    collision::Scratch scratch_;
    std::vector<collision::Hit> hits_;
    std::vector<collision::Contact> contacts_;
    static constexpr std::size_t kMostSteps = 1000, kMostItems = 50000;  // more are no help to look at
    collision::TraceRecord trace_{kMostSteps, kMostItems};
    SceneView marks_;
};

}  // namespace claybox::app
