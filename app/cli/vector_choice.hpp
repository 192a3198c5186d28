#pragma once

#include "collision/core/result.hpp"

#include <string>

namespace claybox::app {

/// Restricts the collision library to the vector instructions called `name`. An unknown name is an error that
/// lists those that this processor has.
collision::Status choose_vectors(const std::string& name);

}  // namespace claybox::app
