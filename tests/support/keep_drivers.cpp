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

// Mesa's software renderer (22.3) is not built with ThreadSanitizer: a fence that a thread of its own has
// signalled and that is then destroyed looks like a race. Both sides of all such reports were in that
// library.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
    return "race:swrast_dri.so\n";
}
