#include "engine/gl/program.hpp"

#include "engine/gl/dialect.hpp"

#include <charconv>

namespace claybox::engine {

namespace {

constexpr int kMaxIncludeDepth = 8;

std::string_view next_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

/// The name in `#include "name"`, or empty.
std::string_view included_name(std::string_view line) {
    constexpr std::string_view kStart = "#include \"";
    if (line.substr(0, kStart.size()) != kStart) return {};
    line.remove_prefix(kStart.size());
    return line.substr(0, line.find('"'));
}

bool append_expanded(std::string_view name, std::span<const char* const> defines, int depth,
                     std::string& text, std::string& error) {
    std::string_view rest = shader_source(name);
    if (rest.empty() || depth > kMaxIncludeDepth) {
        error = "the shader '" + std::string(name) + "' is not built into the program or includes itself";
        return false;
    }
    while (!rest.empty()) {
        const std::string_view line = next_line(rest);
        const std::string_view inner = included_name(line);
        if (!inner.empty()) {
            if (!append_expanded(inner, {}, depth + 1, text, error)) return false;
            continue;
        }
        if (line.substr(0, 8) != "#version") {
            text.append(line).push_back('\n');
            continue;
        }
        text.append(shader_start());
        for (const char* define : defines) text.append("#define ").append(define).push_back('\n');
    }
    return true;
}

/// The line number in a driver's log. Drivers write "0:12(3): ..." or "0(12) : ...": it follows the leading
/// zero.
int named_line(std::string_view log) {
    for (std::size_t i = 0; i + 1 < log.size(); ++i) {
        if (log[i] != '0' || (log[i + 1] != ':' && log[i + 1] != '(')) continue;
        int line = 0;
        const auto parsed = std::from_chars(log.data() + i + 2, log.data() + log.size(), line);
        if (parsed.ec == std::errc()) return line;
    }
    return 0;
}

std::string line_of(std::string_view text, int number) {
    std::string_view line;
    for (int i = 0; i < number && !text.empty(); ++i) line = next_line(text);
    return number > 0 ? "\n  line " + std::to_string(number) + ": " + std::string(line) : std::string();
}

GLuint compile(GLenum stage, std::string_view name, std::span<const char* const> defines,
               std::string& error) {
    std::string text;
    if (!expand_shader(name, defines, text, error)) return 0;
    const GLuint shader = glCreateShader(stage);
    const char* data = text.c_str();
    glShaderSource(shader, 1, &data, nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    error =
        "the shader '" + std::string(name) + "' does not compile: " + log + line_of(text, named_line(log));
    return 0;
}

}  // namespace

bool expand_shader(std::string_view name, std::span<const char* const> defines, std::string& text,
                   std::string& error) {
    return append_expanded(name, defines, 0, text, error);
}

GLuint ProgramKind::create() {
    return glCreateProgram();
}

void ProgramKind::destroy(GLuint id) {
    glDeleteProgram(id);
}

Program Program::load(std::string_view vertex, std::string_view fragment,
                      std::span<const char* const> defines, std::string& error) {
    Program program;
    const GLuint vertex_shader = compile(GL_VERTEX_SHADER, vertex, defines, error);
    if (vertex_shader == 0) return program;
    const GLuint fragment_shader = compile(GL_FRAGMENT_SHADER, fragment, defines, error);
    if (fragment_shader == 0) {
        glDeleteShader(vertex_shader);
        return program;
    }
    auto object = GlObject<ProgramKind>::make();
    glAttachShader(object.id(), vertex_shader);
    glAttachShader(object.id(), fragment_shader);
    glLinkProgram(object.id());
    glDeleteShader(vertex_shader);
    glDeleteShader(fragment_shader);
    GLint ok = 0;
    glGetProgramiv(object.id(), GL_LINK_STATUS, &ok);
    if (ok == GL_TRUE) {
        program.object_ = std::move(object);
    } else {
        char log[2048] = "";
        glGetProgramInfoLog(object.id(), sizeof log, nullptr, log);
        error = "'" + std::string(vertex) + "' and '" + std::string(fragment) + "' do not link: " + log;
    }
    return program;
}

GLint Program::uniform(const char* name) const {
    return glGetUniformLocation(id(), name);
}

void Program::set_sampler(const char* name, GLint unit) const {
    glUseProgram(id());
    glUniform1i(uniform(name), unit);
}

void Program::set_block(const char* name, GLuint binding) const {
    const GLuint index = glGetUniformBlockIndex(id(), name);
    if (index != GL_INVALID_INDEX) glUniformBlockBinding(id(), index, binding);
}

}  // namespace claybox::engine
