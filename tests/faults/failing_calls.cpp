// A library for LD_PRELOAD that makes one call of a program fail: CLAYBOX_FAIL=malloc:17 the 17th allocation
// after main() began, CLAYBOX_FAIL=rename:1 the first rename. Names: malloc (every kind of allocation),
// fwrite, fflush, fclose, fsync, rename, link, open, pthread_create, and those of failing_new.cpp and
// failing_graphics.cpp. clock:3: from the third reading on, the clock of the day is ten years behind.
// CLAYBOX_FAIL=new:signal makes the next call of the main thread fail after SIGUSR1.
// With CLAYBOX_FAIL_HOW=kill the process is killed at that call instead, as by `kill -9`. At a regular end it
// appends "malloc 17 failed" or "malloc 12 passed" (the number of calls) to the file CLAYBOX_FAIL_REPORT.
#include "tests/faults/failing.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

// Allocations under internal names, because dlsym() itself allocates: those of LeakSanitizer in the library
// failing_calls_and_leaks, else those of glibc.
#ifdef CLAYBOX_FINDS_LEAKS
#define CLAYBOX_ALLOCATION(name) __interceptor_##name
#define CLAYBOX_ALIGNED_ALLOCATION __interceptor_aligned_alloc
#else
#define CLAYBOX_ALLOCATION(name) __libc_##name
#define CLAYBOX_ALIGNED_ALLOCATION __libc_memalign
#endif
extern "C" {
void* CLAYBOX_ALLOCATION(malloc)(std::size_t);
void* CLAYBOX_ALLOCATION(calloc)(std::size_t, std::size_t);
void* CLAYBOX_ALLOCATION(realloc)(void*, std::size_t);
void* CLAYBOX_ALIGNED_ALLOCATION(std::size_t, std::size_t);
}

namespace {

constexpr std::size_t kNameSize = 32;
char wanted[kNameSize];
long fail_at = 0;
bool kills = false, on_signal = false;
std::atomic<bool> signalled{false};
std::atomic<long> calls{0};
std::atomic<bool> armed{false};  // from the beginning of main() to the end of exit()

}  // namespace

bool claybox::faults::counts(const char* name) {
    return armed.load(std::memory_order_relaxed) && std::strcmp(name, wanted) == 0;
}

bool claybox::faults::waits_for_signal() {
    return on_signal;
}

bool claybox::faults::fails(const char* name, int code) {
    if (!counts(name)) return false;
    const bool now = on_signal ? gettid() == getpid() && signalled.exchange(false)
                               : calls.fetch_add(1, std::memory_order_relaxed) + 1 == fail_at;
    if (!now) return false;
    if (kills) kill(getpid(), SIGKILL);
    errno = code;
    return true;
}

using claybox::faults::fails;
using claybox::faults::next;

namespace {

void read_order() {
    const char* text = std::getenv("CLAYBOX_FAIL");
    const char* colon = text != nullptr ? std::strchr(text, ':') : nullptr;
    if (colon == nullptr || static_cast<std::size_t>(colon - text) >= kNameSize) return;
    std::memcpy(wanted, text, static_cast<std::size_t>(colon - text));
    fail_at = std::strtol(colon + 1, nullptr, 10);
    on_signal = std::strcmp(colon + 1, "signal") == 0;
    if (on_signal) std::signal(SIGUSR1, [](int) { signalled = true; });
    const char* how = std::getenv("CLAYBOX_FAIL_HOW");
    kills = how != nullptr && std::strcmp(how, "kill") == 0;
}

/// Without streams, which would allocate.
void report() {
    armed = false;
    const char* path = std::getenv("CLAYBOX_FAIL_REPORT");
    if (path == nullptr) return;
    char line[128];
    const int size = std::snprintf(line, sizeof line, "%s %ld %s\n", wanted, calls.load(),
                                   calls.load() >= fail_at ? "failed" : "passed");
    const int file = next<int (*)(const char*, int, ...)>("open")(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    [[maybe_unused]] const ssize_t written = write(file, line, static_cast<std::size_t>(size));
    close(file);
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int armed_main(int argc, char** argv, char** environment) {
    read_order();
    claybox::faults::remember_libraries();
    std::atexit(report);
    armed = true;
    return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack) {
    real_main = main;
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, loader_fini, stack);
}

void* malloc(std::size_t bytes) {
    return fails("malloc", ENOMEM) ? nullptr : CLAYBOX_ALLOCATION(malloc)(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    return fails("malloc", ENOMEM) ? nullptr : CLAYBOX_ALLOCATION(calloc)(count, bytes);
}
void* realloc(void* block, std::size_t bytes) {
    return fails("malloc", ENOMEM) ? nullptr : CLAYBOX_ALLOCATION(realloc)(block, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return fails("malloc", ENOMEM) ? nullptr : CLAYBOX_ALIGNED_ALLOCATION(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
    return fails("malloc", ENOMEM) ? nullptr : CLAYBOX_ALIGNED_ALLOCATION(alignment, bytes);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    if (fails("malloc", ENOMEM)) return ENOMEM;
    *block = CLAYBOX_ALIGNED_ALLOCATION(alignment, bytes);
    return *block == nullptr ? ENOMEM : 0;
}

std::size_t fwrite(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
    using Write = std::size_t (*)(const void*, std::size_t, std::size_t, std::FILE*);
    if (!fails("fwrite", ENOSPC)) return next<Write>("fwrite")(data, size, count, file);
    file->_flags |= 0x20;  // what glibc's ferror() reads
    return 0;
}
int fflush(std::FILE* file) {
    return fails("fflush", ENOSPC) ? EOF : next<int (*)(std::FILE*)>("fflush")(file);
}
int fclose(std::FILE* file) {
    const bool failed = fails("fclose", EIO);
    const int result = next<int (*)(std::FILE*)>("fclose")(file);
    if (failed) errno = EIO;
    return failed ? EOF : result;
}
int fsync(int file) {
    return fails("fsync", EIO) ? -1 : next<int (*)(int)>("fsync")(file);
}
int rename(const char* from, const char* to) {
    return fails("rename", EACCES) ? -1 : next<int (*)(const char*, const char*)>("rename")(from, to);
}
int link(const char* from, const char* to) {
    return fails("link", EACCES) ? -1 : next<int (*)(const char*, const char*)>("link")(from, to);
}
int open(const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const auto mode = static_cast<mode_t>(va_arg(rest, int));
    va_end(rest);
    return fails("open", EMFILE) ? -1 : next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}
int clock_gettime(clockid_t clock, timespec* now) {
    static std::atomic<bool> set_back{false};
    if (clock == CLOCK_REALTIME && fails("clock", errno)) set_back = true;
    const int result = next<int (*)(clockid_t, timespec*)>("clock_gettime")(clock, now);
    if (clock == CLOCK_REALTIME && set_back) now->tv_sec -= 10 * 365 * 24 * 3600;
    return result;
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    return fails("pthread_create", EAGAIN)
               ? EAGAIN
               : next<Create>("pthread_create")(thread, attributes, start, argument);
}

}  // extern "C"
