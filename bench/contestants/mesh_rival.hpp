#pragma once
// A mesh as libraries take it, and queries that a library answers one by one and remembers nothing of.

#include "bench/contestants/rival.hpp"

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

/// `Asked` is a query in the library's own form.
template <class Asked>
class OneByOne : public Contestant {
  public:
    void set_pairs(std::uint32_t) override {}
    void forget(const streams::JudgedQuery&) override {}
    void load(std::span<const streams::JudgedQuery> queries) override {
        asked_.clear();
        for (const streams::JudgedQuery& q : queries) asked_.push_back(in_own_form(q));
    }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i)
            (out++)->verdict =
                meet(asked_[i]) ? collision::Verdict::colliding : collision::Verdict::separated;
    }

  private:
    virtual Asked in_own_form(const streams::JudgedQuery& q) const = 0;
    virtual bool meet(const Asked& q) = 0;

    std::vector<Asked> asked_;
};

}  // namespace claybox::bench
