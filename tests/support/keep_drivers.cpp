// Linked only into the program and the graphics tests of sanitizer builds. After a driver is unloaded, the
// sanitizer no longer finds its function names, and memory that the driver keeps until the process ends is
// reported as a leak without a known source. So dlclose does nothing.

extern "C" int dlclose(void*);

extern "C" int dlclose(void*) {
    return 0;
}

// xrDestroyInstance of the Khronos loader (1.0.20) does not free all memory of xrCreateInstance. Ten lines of
// C reproduce the leak.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() {
    return "leak:libopenxr_loader\n";
}

// Mesa's software renderer (22.3) is not built with ThreadSanitizer. If one of its threads signals a fence
// that is then destroyed, ThreadSanitizer reports a race. In all such reports both accesses were in that
// library.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
    return "race:swrast_dri.so\n";
}
