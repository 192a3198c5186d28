#pragma once
// What a library's module shows, with C linkage: claybox_entries when it is compared about convex bodies,
// claybox_mesh_entries when about meshes, claybox_broad_entries when about broad phases. A module is built
// with the program that loads it and refers to nothing in it but these headers' inline code.

#include "bench/contestants/contestant.hpp"

extern "C" void claybox_entries(std::vector<claybox::bench::Entry>& out);
extern "C" void claybox_mesh_entries(claybox::bench::Library& out);
extern "C" void claybox_broad_entries(claybox::bench::Library& out);

namespace claybox::bench {

/// A class derived from Contestant as an entry.
template <class T>
Entry entry(const char* id, const char* title, bool our_support = false) {
    return {id, title, nullptr, [] { return std::make_unique<T>(); }, our_support};
}

/// A class derived from DeformingContestant as an entry.
template <class T>
DeformingEntry deforming_entry(const char* id, const char* title) {
    return {id, title, false, [] { return std::make_unique<T>(); }};
}

/// A class derived from BroadContestant as an entry.
template <class T>
BroadEntry broad_entry(const char* id, const char* title, std::uint32_t most_bodies = 0xffffffffu) {
    return {id, title, false, most_bodies, [] { return std::make_unique<T>(); }};
}

}  // namespace claybox::bench
