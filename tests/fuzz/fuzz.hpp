#pragma once
// Shared by all fuzz targets. A target is the function LLVMFuzzerTestOneInput, linked with libFuzzer or with
// driver.cpp.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace claybox::fuzz {

/// Ends the process with a message if the condition does not hold: this is a finding. `subject` is printed
/// before it.
inline void require(bool condition, const char* message, const char* subject = "") {
    if (condition) return;
    std::fprintf(stderr, "finding: %s%s%s\n", subject, *subject != '\0' ? ": " : "", message);
    std::abort();
}

}  // namespace claybox::fuzz
