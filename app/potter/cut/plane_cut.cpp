#include "app/potter/cut/plane_cut.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
#include <map>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kTouch = 1e-5;  // metres: nearer vertices are moved off the plane, so that edges cross it in
                                 // one point each

class PartCutter {
  public:
    PartCutter(const ClayMesh& mesh, const CutPlane& plane, bool above) : mesh_(mesh), above_(above) {
        height_.reserve(mesh.positions.size());
        for (const Vec3f& p : mesh.positions) {
            const double h = dot(plane.normal, collision::cast<double>(p)) - plane.offset;
            height_.push_back(std::abs(h) < kTouch ? kTouch : h);
        }
        new_id_.assign(mesh.positions.size(), kNoIndex);
    }

    CutPart run() {
        for (const auto& t : mesh_.triangles) cut(t);
        out_.loops = join_loops(from_, to_);
        return std::move(out_);
    }

  private:
    bool keeps(std::uint32_t v) const { return (height_[v] > 0) == above_; }

    std::uint32_t kept(std::uint32_t v) {
        if (new_id_[v] == kNoIndex) new_id_[v] = add(mesh_.positions[v], mesh_.mask[v]);
        return new_id_[v];
    }
    std::uint32_t add(const Vec3f& p, float mask) {
        out_.mesh.positions.push_back(p);
        out_.mesh.mask.push_back(mask);
        return static_cast<std::uint32_t>(out_.mesh.positions.size() - 1);
    }
    /// The vertex where an edge crosses the plane; the same for both of its triangles.
    std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
        if (a > b) std::swap(a, b);
        const auto [it, is_new] = crossings_.try_emplace({a, b}, 0);
        if (is_new) {
            const double s = height_[a] / (height_[a] - height_[b]);
            const Vec3d pa = collision::cast<double>(mesh_.positions[a]),
                        pb = collision::cast<double>(mesh_.positions[b]);
            it->second = add(collision::cast<float>(pa + (pb - pa) * s), (mesh_.mask[a] + mesh_.mask[b]) / 2);
        }
        return it->second;
    }

    void cut(const std::array<std::uint32_t, 3>& t) {
        const auto count = std::count_if(t.begin(), t.end(), [&](std::uint32_t v) { return keeps(v); });
        auto& triangles = out_.mesh.triangles;
        if (count == 0) return;
        if (count == 3) {
            triangles.push_back({kept(t[0]), kept(t[1]), kept(t[2])});
            return;
        }
        // Rotated so that the corner that is alone on its side comes first.
        std::size_t first = 0;
        while (keeps(t[first]) != (count == 1)) ++first;
        const std::uint32_t alone = t[first], b = t[(first + 1) % 3], c = t[(first + 2) % 3];
        const std::uint32_t ab = crossing(alone, b), ac = crossing(alone, c);
        if (count == 1) {
            triangles.push_back({kept(alone), ab, ac});
            add_border(ac, ab);
            return;
        }
        const std::uint32_t kb = kept(b), kc = kept(c);
        triangles.push_back({ab, kb, kc});
        triangles.push_back({ab, kc, ac});
        add_border(ab, ac);
    }
    /// An edge of the opening, as the cap has it: against the direction of the triangle beside it.
    void add_border(std::uint32_t a, std::uint32_t b) {
        from_.push_back(a);
        to_.push_back(b);
    }

    const ClayMesh& mesh_;
    bool above_;
    std::vector<double> height_;
    std::vector<std::uint32_t> new_id_, from_, to_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
    CutPart out_;
};

double volume_of(const ClayMesh& mesh) {
    double six = 0;
    const auto at = [&](std::uint32_t v) {
        return collision::cast<double>(mesh.positions[v] - mesh.positions[0]);
    };
    for (const auto& t : mesh.triangles) six += dot(at(t[0]), cross(at(t[1]), at(t[2])));
    return six / 6;
}

void append(ClayMesh& to, const ClayMesh& part) {
    const auto first = static_cast<std::uint32_t>(to.positions.size());
    to.positions.insert(to.positions.end(), part.positions.begin(), part.positions.end());
    to.mask.insert(to.mask.end(), part.mask.begin(), part.mask.end());
    for (const auto& t : part.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

void collect_rim(const CutPart& part, std::uint32_t first, std::vector<std::uint32_t>& rim) {
    for (const VertexLoop& loop : part.loops)
        for (const std::uint32_t v : loop) rim.push_back(first + v);
}

}  // namespace

CutPart cut_part(const ClayMesh& mesh, const CutPlane& plane, bool above) {
    return PartCutter(mesh, plane, above).run();
}

ClayMesh cut(const ClayMesh& mesh, const CutPlane& plane, CutKeep keep, std::vector<std::uint32_t>& rim) {
    rim.clear();
    CutPart below = cut_part(mesh, plane, false), above = cut_part(mesh, plane, true);
    if (below.mesh.triangles.empty() || above.mesh.triangles.empty() || below.loops.empty()) return mesh;
    add_cap(below.mesh, below.loops, plane.normal);
    add_cap(above.mesh, above.loops, -plane.normal);
    if (keep == CutKeep::larger)
        keep = volume_of(below.mesh) >= volume_of(above.mesh) ? CutKeep::below : CutKeep::above;
    if (keep == CutKeep::below) {
        collect_rim(below, 0, rim);
        return std::move(below.mesh);
    }
    if (keep == CutKeep::above) {
        collect_rim(above, 0, rim);
        return std::move(above.mesh);
    }
    const auto first = static_cast<std::uint32_t>(below.mesh.positions.size());
    for (Vec3f& p : above.mesh.positions) p += collision::cast<float>(plane.normal * kCutGap);
    collect_rim(below, 0, rim);
    collect_rim(above, first, rim);
    ClayMesh out = std::move(below.mesh);
    append(out, above.mesh);
    return out;
}

}  // namespace claybox::app
