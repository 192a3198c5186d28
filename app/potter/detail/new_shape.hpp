#pragma once
// What an application makes of a new shape of the clay beside its frames.

#include <functional>
#include <memory>

namespace claybox::app {

class ClaySurface;

struct NewShapeExtras {
    virtual ~NewShapeExtras() = default;
};

/// Called on the thread of a job, with the surface that the clay will take.
using MakeExtras = std::function<std::unique_ptr<NewShapeExtras>(const ClaySurface&)>;

}  // namespace claybox::app
