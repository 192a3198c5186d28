#pragma once
// A plot as an SVG picture. Curves differ in colour, dash pattern and marker, so that colour is not the only
// sign. The picture follows the light or dark theme of the page.

#include "bench/papers/findings.hpp"

namespace claybox::bench {

/// Points that are not finite, or not positive on a logarithmic axis, are left out.
std::string svg_of(const Plot& plot);

/// The text with <, >, & and " replaced.
std::string escaped(const std::string& text);

}  // namespace claybox::bench
