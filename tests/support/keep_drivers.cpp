// Linked into the program and the graphics tests of sanitizer builds only. A driver that is unloaded takes
// the names of its functions with it, and what it keeps for the life of the process then looks like a leak of
// nobody's: so nothing is unloaded.

extern "C" int dlclose(void*);

extern "C" int dlclose(void*) {
    return 0;
}

// What xrCreateInstance of the Khronos loader (1.0.20) allocates for an instance is still there, and pointed
// to by nobody, after xrDestroyInstance; ten lines of C show the same.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() {
    return "leak:libopenxr_loader\n";
}

// Mesa's software renderer (22.3) counts who holds a fence with instructions that ThreadSanitizer does not see,
// for the driver is not built with it: each fence's end then looks like a race with the thread that signalled it.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
    return "race:swrast_dri.so\n";
}
