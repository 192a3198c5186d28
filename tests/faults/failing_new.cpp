// The operator new of C++ code, under the name `new`. Only calls of the program itself count, because drivers
// of graphics end the process when theirs fail. A window makes very many of them, so each place counts once:
// a place is a list of the innermost callers.
#include "tests/faults/failing.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <new>
#include <unwind.h>

namespace {

struct Library {
    std::uintptr_t begin = 0, end = 0;
    bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

// `standard`: the library of C++, which calls operator new for strings and streams.
Library program, standard, own;
std::array<Library, 128> libraries;  // all that are there when main() begins: drivers come later
std::size_t library_count = 0;

Library extent(const dl_phdr_info& info) {
    Library out{UINTPTR_MAX, 0};
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& part = info.dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info.dlpi_addr + part.p_vaddr;
        out.begin = begin < out.begin ? begin : out.begin;
        out.end = begin + part.p_memsz > out.end ? begin + part.p_memsz : out.end;
    }
    return out;
}

/// The program itself comes first.
int remember(dl_phdr_info* info, std::size_t, void*) {
    const Library library = extent(*info);
    if (library_count == 0) program = library;
    if (library_count < libraries.size()) libraries[library_count++] = library;
    if (std::strstr(info->dlpi_name, "/libstdc++.so") != nullptr) standard = library;
    if (library.contains(reinterpret_cast<std::uintptr_t>(&remember))) own = library;
    return 0;
}

bool is_of_driver(std::uintptr_t address) {
    for (std::size_t i = 0; i < library_count; ++i)
        if (libraries[i].contains(address)) return false;
    return true;
}

constexpr int kCallers = 8;

/// The callers of operator new, as one number.
struct Place {
    std::uint64_t hash = 1469598103934665603u;
    int callers = 0;
    bool of_program = false;
};

/// A driver may use the program's copies of functions of the standard library, so the first caller does not
/// tell whose call it is.
_Unwind_Reason_Code add_caller(_Unwind_Context* context, void* data) {
    Place& place = *static_cast<Place*>(data);
    const std::uintptr_t address = _Unwind_GetIP(context);
    if (place.callers == 0 && (own.contains(address) || standard.contains(address))) return _URC_NO_REASON;
    if (place.callers == 0) place.of_program = program.contains(address);
    place.of_program = place.of_program && !is_of_driver(address);
    place.hash = (place.hash ^ (address - program.begin)) * 1099511628211u;
    return ++place.callers == kCallers || !place.of_program ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Whether this place has not been seen before. A full table sees nothing new.
bool is_new(std::uint64_t hash) {
    static std::array<std::atomic<std::uint64_t>, 1u << 17> seen;
    if (hash == 0) hash = 1;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        std::atomic<std::uint64_t>& entry = seen[(hash + i) % seen.size()];
        std::uint64_t empty = 0;
        if (entry.compare_exchange_strong(empty, hash)) return true;
        if (empty == hash) return false;
    }
    return false;
}

bool new_fails() {
    using namespace claybox::faults;
    thread_local bool inside = false;  // unwinding may allocate
    if (inside || !counts("new")) return false;
    Place place;
    inside = true;
    _Unwind_Backtrace(add_caller, &place);
    inside = false;
    return place.of_program && (waits_for_signal() || is_new(place.hash)) && fails("new", ENOMEM);
}

}  // namespace

void claybox::faults::remember_libraries() {
    dl_iterate_phdr(remember, nullptr);
}

void* operator new(std::size_t bytes) {
    void* const block = new_fails() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
// These never fail here: whoever calls them goes on without the memory.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto size = static_cast<std::size_t>(alignment);
    void* const block = new_fails() ? nullptr : std::aligned_alloc(size, (bytes + size - 1) / size * size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return operator new(bytes, alignment);
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete[](void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
    std::free(block);
}
