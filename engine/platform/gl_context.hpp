#pragma once

#include <memory>
#include <string>

namespace claybox::engine {

/// A surfaceless OpenGL 3.3 core context through EGL; needs no display server. Current on the creating
/// thread.
class OffscreenContext {
  public:
    /// Null with a sentence in `error` that names what is missing.
    static std::unique_ptr<OffscreenContext> create(std::string& error);
    virtual ~OffscreenContext() = default;
};

}  // namespace claybox::engine
