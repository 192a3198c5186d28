#include "collision/core/result.hpp"

namespace claybox::collision {

std::string Error::text() const {
    std::string out = file;
    if (line != 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
    return out.empty() ? message : out + ": " + message;
}

}  // namespace claybox::collision
