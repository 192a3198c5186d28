#pragma once
// One writer per format. Each writes its bytes to a sink; write_mesh() has checked the mesh before.

#include "engine/assets/mesh_file.hpp"
#include "engine/files/write_file.hpp"

#include <bit>
#include <string>
#include <string_view>

namespace claybox::engine {

/// Collects bytes and passes them on to a file in large pieces.
class ByteSink {
  public:
    explicit ByteSink(FileWriter& file) : file_(file) { bytes_.reserve(kPiece + kPiece / 16); }
    ~ByteSink() { pass_on(); }
    ByteSink(const ByteSink&) = delete;
    ByteSink& operator=(const ByteSink&) = delete;

    void text(std::string_view text) {
        bytes_ += text;
        if (bytes_.size() >= kPiece) pass_on();
    }
    void u8(std::uint32_t value) {
        const char byte = static_cast<char>(value & 0xff);
        text({&byte, 1});
    }
    /// Little-endian.
    void u32(std::uint32_t value) {
        const char bytes[] = {static_cast<char>(value & 0xff), static_cast<char>(value >> 8 & 0xff),
                              static_cast<char>(value >> 16 & 0xff), static_cast<char>(value >> 24)};
        text({bytes, sizeof bytes});
    }
    void f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }

  private:
    static constexpr std::size_t kPiece = 1 << 20;
    void pass_on() {
        file_.append(bytes_);
        bytes_.clear();
    }
    FileWriter& file_;
    std::string bytes_;
};

void write_obj(const MeshView& mesh, ByteSink& sink);
void write_ply(const MeshView& mesh, ByteSink& sink);
void write_stl(const MeshView& mesh, ByteSink& sink);
void write_glb(const MeshView& mesh, ByteSink& sink);

}  // namespace claybox::engine
