#pragma once
// What all fuzz targets share: a target is LLVMFuzzerTestOneInput, built either with libFuzzer or with the
// plain driver of driver.cpp.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace claybox::fuzz {

/// Ends the process with a message when what must hold does not: that is a finding.
inline void require(bool holds, const char* what, const char* of = "") {
    if (holds) return;
    std::fprintf(stderr, "finding: %s%s%s\n", of, *of != '\0' ? ": " : "", what);
    std::abort();
}

}  // namespace claybox::fuzz
