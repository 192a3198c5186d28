#pragma once
// The recorded streams by name, for programs that read them from files.

#include "bench/streams/judged_stream.hpp"

namespace claybox::bench {

struct NamedStream {
    const char* name;  ///< also the name of a folder
    const char* title;
    bool convex;  ///< solids; else surfaces
    collision::Result<streams::JudgedStream> (*record)(std::uint64_t seed);
};

std::span<const NamedStream> named_streams();

}  // namespace claybox::bench
