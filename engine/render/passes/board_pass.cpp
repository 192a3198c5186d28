#include "engine/render/passes/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace claybox::engine {

namespace {

constexpr int kSegments = 24;  // columns of a board; the widest spans 80 degrees, about 3 per column

struct BoardCorner {
    glm::vec3 position;
    glm::vec2 at;
};

/// Appends a triangle strip from left to right, two corners per column.
void append_board(const Board& board, std::vector<BoardCorner>& out) {
    for (int i = 0; i <= kSegments; ++i) {
        const float share = static_cast<float>(i) / kSegments;
        const float along = (share - 0.5f) * board.width;
        const float angle = board.radius > 0 ? along / board.radius : 0;
        const glm::vec3 on = board.radius > 0 ? glm::vec3(board.radius * std::sin(angle), 0,
                                                          board.radius * (1 - std::cos(angle)))
                                              : glm::vec3(along, 0, 0);
        const float u = board.uv.x + share * (board.uv.z - board.uv.x);
        for (const float up : {-0.5f, 0.5f}) {
            const glm::vec3 p = on + glm::vec3(0, up * board.height, 0);
            out.push_back(
                {glm::vec3(board.world_from_board * glm::vec4(p, 1)), {u, up < 0 ? board.uv.y : board.uv.w}});
        }
    }
}

}  // namespace

bool BoardPass::create(std::string& error) {
    program_ = load_program("board.vert", "board.frag", {}, error);
    array_ = VertexArray::make();
    return static_cast<bool>(program_);
}

void BoardPass::draw(const RenderList& list, RenderStats& stats) {
    if (list.boards.empty()) return;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glUseProgram(program_.id());
    glBindVertexArray(array_.id());
    glActiveTexture(GL_TEXTURE0 + kBoardUnit);
    std::vector<BoardCorner> corners;
    for (const Board& board : list.boards) {
        corners.clear();
        append_board(board, corners);
        glBindTexture(GL_TEXTURE_2D, board.texture);
        buffer_.upload(GL_ARRAY_BUFFER, corners.data(), corners.size() * sizeof(BoardCorner));
        set_attribute(0, 3, sizeof(BoardCorner), offsetof(BoardCorner, position));
        set_attribute(1, 2, sizeof(BoardCorner), offsetof(BoardCorner, at));
        glDrawArrays(GL_TRIANGLE_STRIP, 0, static_cast<GLsizei>(corners.size()));
        ++stats.draw_calls;
        stats.triangles += 2 * kSegments;
    }
    glActiveTexture(GL_TEXTURE0);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace claybox::engine
