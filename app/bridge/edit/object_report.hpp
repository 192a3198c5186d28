#pragma once
// Describes the selected body for the Inspect card.

#include "app/bridge/inspect/inspector.hpp"
#include "app/panels/bodies/object_model.hpp"

namespace claybox::app {

class ObjectDescriber {
  public:
    void forget() { track_ = {}; }
    /// Fills `out`; empty without a selected body. `frame`: of the picture.
    void describe(const Session& session, const Bridge& bridge, Inspector& inspector, std::uint32_t selected,
                  std::uint64_t frame, ObjectReport& out);

  private:
    void add_motion(const Drawable& body, std::uint64_t frame, ObjectReport& out);
    void add_pairs(const Session& session, const Bridge& bridge, Inspector& inspector, const Drawable& body,
                   const collision::ShapePtr& shape, ObjectReport& out);

    BodyTrack track_;
    struct Volume {
        const collision::Shape* of = nullptr;
        double cubic_metres = 0;
    } volume_;
    collision::Scratch scratch_;
};

}  // namespace claybox::app
