#pragma once

#include "engine/gl/objects.hpp"

#include <span>
#include <string>
#include <string_view>

namespace claybox::engine {

/// The text of a file in shaders/, built into the program; empty when there is none of that name.
std::string_view shader_source(std::string_view name);

/// The text of a shader with its `#include "x.glsl"` lines replaced and `defines` set after the version line.
/// False with a sentence in `error` for an unknown name.
bool expand_shader(std::string_view name, std::span<const char* const> defines, std::string& text,
                   std::string& error);

struct ProgramKind {
    static GLuint create();
    static void destroy(GLuint id);
};

class Program {
  public:
    Program() = default;
    /// Compiles and links. An empty program with a readable message (file, line, text of the line) in `error`
    /// if not.
    static Program load(std::string_view vertex, std::string_view fragment,
                        std::span<const char* const> defines, std::string& error);

    GLuint id() const { return object_.id(); }
    explicit operator bool() const { return static_cast<bool>(object_); }
    GLint uniform(const char* name) const;
    /// Ties a sampler to a texture unit and a uniform block to a binding point; names that are not there are
    /// skipped.
    void set_sampler(const char* name, GLint unit) const;
    void set_block(const char* name, GLuint binding) const;

  private:
    GlObject<ProgramKind> object_;
};

}  // namespace claybox::engine
