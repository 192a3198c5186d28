#pragma once

#include "engine/gl/objects.hpp"

#include <span>
#include <string>
#include <string_view>

namespace claybox::engine {

/// The text of a file in shaders/, built into the program; empty for an unknown name.
std::string_view shader_source(std::string_view name);

/// Expands the `#include "x.glsl"` lines of a shader and inserts `defines` after the version line. Returns
/// false with a sentence in `error` for an unknown name.
bool expand_shader(std::string_view name, std::span<const char* const> defines, std::string& text,
                   std::string& error);

struct ProgramKind {
    static GLuint create();
    static void destroy(GLuint id);
};

class Program {
  public:
    Program() = default;
    /// Compiles and links. On failure returns an empty program, with the file, the line and its text in
    /// `error`.
    static Program load(std::string_view vertex, std::string_view fragment,
                        std::span<const char* const> defines, std::string& error);

    GLuint id() const { return object_.id(); }
    explicit operator bool() const { return static_cast<bool>(object_); }
    GLint uniform(const char* name) const;
    /// Binds a sampler to a texture unit, or a uniform block to a binding point; unknown names are ignored.
    void set_sampler(const char* name, GLint unit) const;
    void set_block(const char* name, GLuint binding) const;

  private:
    GlObject<ProgramKind> object_;
};

}  // namespace claybox::engine
