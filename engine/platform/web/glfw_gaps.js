// What Emscripten's GLFW leaves out, as a library for its linker.
"use strict";

mergeInto(LibraryManager.library, {
  /// Only the cursor: it is hidden while the hand shows where the mouse is.
  glfwSetInputMode__sig: "viii",
  glfwSetInputMode: function(window, mode, value) {
    const kCursor = 0x00033001, kHidden = 0x00034002;
    if (mode === kCursor) Module["canvas"].style.cursor = value === kHidden ? "none" : "";
  },
  /// The browser may refuse; then nothing is copied.
  glfwSetClipboardString__sig: "vii",
  glfwSetClipboardString: function(window, text) {
    if (navigator.clipboard) navigator.clipboard.writeText(UTF8ToString(text)).catch(function() {});
  },
});
