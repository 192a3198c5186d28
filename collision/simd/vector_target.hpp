#pragma once
// The vector instructions that the library uses: the best ones of the processor, unless a caller chooses
// others, for example to see that the results are the same.

#include <span>
#include <string>
#include <string_view>

namespace claybox::collision {

/// The names of what this build contains and this processor supports, the best one first: "avx3", "avx2",
/// "sse4" ...
std::span<const std::string> vector_targets();

/// Restricts the library to one of vector_targets(), or to none if the name is empty. Returns whether the
/// name is known. For the start of a program and for tests: no other thread may use the library meanwhile.
bool choose_vector_target(std::string_view name);

}  // namespace claybox::collision
