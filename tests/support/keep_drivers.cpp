// Linked into the program and the graphics tests of sanitizer builds only. A driver that is unloaded takes
// the names of its functions with it, and what it keeps for the life of the process then looks like a leak of
// nobody's: so nothing is unloaded.

extern "C" int dlclose(void*);

extern "C" int dlclose(void*) {
    return 0;
}
