#pragma once
// Functions that a comparison module exports, with C linkage; each library implements those of its
// comparisons: claybox_entries (convex bodies), claybox_mesh_entries (meshes), claybox_broad_entries (broad
// phases), claybox_continuous_entries (moving bodies), claybox_surface_entries (normals and smoothing). A
// module is built together with the program that loads it and uses only inline code of these headers.

#include "bench/contestants/contestant.hpp"

extern "C" void claybox_entries(std::vector<claybox::bench::Entry>& out);
extern "C" void claybox_mesh_entries(claybox::bench::Library& out);
extern "C" void claybox_broad_entries(claybox::bench::Library& out);
extern "C" void claybox_continuous_entries(claybox::bench::Library& out);
extern "C" void claybox_surface_entries(claybox::bench::Library& out);

namespace claybox::bench {

/// Entry for a class derived from Contestant.
template <class T>
Entry entry(const char* id, const char* title, bool our_support = false) {
    return {id, title, nullptr, [] { return std::make_unique<T>(); }, our_support};
}

/// Entry for a class derived from DeformingContestant.
template <class T>
DeformingEntry deforming_entry(const char* id, const char* title) {
    return {id, title, false, [] { return std::make_unique<T>(); }};
}

/// Entry for a class derived from BroadContestant.
template <class T>
BroadEntry broad_entry(const char* id, const char* title, std::uint32_t max_bodies = 0xffffffffu) {
    return {id, title, false, max_bodies, [] { return std::make_unique<T>(); }};
}

/// Entry for a class derived from ContinuousContestant.
template <class T>
ContinuousEntry continuous_entry(const char* id, const char* title) {
    return {id, title, false, [] { return std::make_unique<T>(); }};
}

}  // namespace claybox::bench
