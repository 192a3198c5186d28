#pragma once
// Asks the chosen algorithm about the selected pair, apart from the passes, for the Inspect card.

#include "app/bridge/bridge.hpp"

#include <map>

namespace claybox::app {

class Inspector {
  public:
    void forget();
    /// Fills `out`; without a partner the nearest other drawable that can be picked is taken.
    void inspect(const Session& session, const Bridge& bridge, std::uint32_t selected, std::uint32_t partner,
                 Inspection& out);

  private:
    /// The shape of a drawable's mesh; null when it cannot be made. Kept until the mesh changes.
    collision::ShapePtr shape_of(const Bridge& bridge, const Drawable& drawable);
    void describe_pair(const Session& session, const Bridge& bridge, const Drawable& a, const Drawable& b,
                       Inspection& out);

    struct Kept {
        std::uint64_t version = 0;
        const void* topology = nullptr;
        collision::ShapePtr shape;
    };
    std::map<std::uint64_t, Kept> shapes_;
    collision::Scratch scratch_;
};

}  // namespace claybox::app
