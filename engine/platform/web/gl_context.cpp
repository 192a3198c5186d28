#include "engine/platform/gl_context.hpp"

namespace claybox::engine {

std::unique_ptr<OffscreenContext> OffscreenContext::create(std::string& error) {
    error = "a browser draws into its page only: start the program without 'run --headless'";
    return nullptr;
}

}  // namespace claybox::engine
