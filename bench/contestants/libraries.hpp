#pragma once
// One function per library, in a file that is compiled when the library is installed.

#include "bench/contestants/contestant.hpp"

namespace claybox::bench {

std::vector<Entry> bullet_entries();
std::vector<Entry> libccd_entries();
std::vector<Entry> fcl_entries();

/// A class derived from Contestant as an entry.
template <class T>
Entry entry(const char* id, const char* title, bool our_support = false) {
    return {id, title, nullptr, [] { return std::make_unique<T>(); }, our_support};
}

}  // namespace claybox::bench
