#pragma once
// Meshes in the format of libraries, and a base class of contestants without memory of earlier queries.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <array>

namespace claybox::bench {

struct TriangleMesh {
    std::vector<collision::Vec3f> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    TriangleMesh() = default;
    explicit TriangleMesh(const collision::Shape& shape) : positions(shape.geometry().positions) {
        for (const collision::Triangle& t : shape.topology().triangles)
            triangles.push_back({t.vertices[0], t.vertices[1], t.vertices[2]});
    }
};

/// `Query` is a query in the library's own format.
template <class Query>
class StatelessContestant : public Contestant {
  public:
    void set_pairs(std::uint32_t) override {}
    void reset_pair(const streams::JudgedQuery&) override {}
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries) queries_.push_back(convert(q));
    }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i)
            (out++)->verdict =
                intersects(queries_[i]) ? collision::Verdict::colliding : collision::Verdict::separated;
    }

  private:
    virtual Query convert(const streams::JudgedQuery& q) const = 0;
    virtual bool intersects(const Query& q) = 0;

    std::vector<Query> queries_;
};

}  // namespace claybox::bench
