// Two parts can meet only if their boxes on the screen overlap and their times differ by what the motion
// takes. Every part of A is compared with the parts of B, groups of which share a box.

#include "collision/continuous/screw_motion/screen/select.hpp"

#include "collision/continuous/screw_motion/screen/projector.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace claybox::collision {

namespace {

/// Parts of B that share one box.
constexpr std::size_t kGroup = 8;

LaneBox nothing() {
    return {splat4(std::numeric_limits<float>::infinity()), splat4(-std::numeric_limits<float>::infinity())};
}

/// Rounded outward, also where a double is beyond the range of float.
LaneBox rounded(const ScreenBox& b) {
    const Float4 low{static_cast<float>(b.r_low), static_cast<float>(b.h_low), static_cast<float>(b.t_low),
                     0},
        high{static_cast<float>(b.r_high), static_cast<float>(b.h_high), static_cast<float>(b.t_high), 0};
    const Float4 relative = splat4(2e-7f), least = splat4(1e-30f);
    return {low - abs4(low) * relative - least, high + abs4(high) * relative + least};
}

inline bool meet(const LaneBox& x, const LaneBox& y) {
    return mask_bits4(Int4((x.low <= y.high) & (y.low <= x.high))) == 15;
}

inline void add(LaneBox& to, const LaneBox& box) {
    to.low = min4(to.low, box.low), to.high = max4(to.high, box.high);
}

// Each calls visit(index, box) for the parts of one kind.
auto edges_of(const SideScreen& side) {
    return [&side](auto&& visit) {
        for (std::uint32_t i = 0; i < side.edges.size(); ++i)
            if (!side.edges[i].is_virtual()) visit(i, side.boxes[i]);
    };
}
auto faces_of(const SideScreen& side) {
    return [&side](auto&& visit) {
        for (const std::uint32_t f : side.mesh->block_faces)
            if (side.face_boxes[f].r_low <= side.face_boxes[f].r_high) visit(f, side.face_boxes[f]);
    };
}
auto vertices_of(const SideScreen& side) {
    return [&side](auto&& visit) {
        for (std::uint32_t v = 0; v < side.vertices.size(); ++v) {
            const ScreenPoint& p = side.vertices[v].at;
            visit(v, ScreenBox{p.r, p.r, p.h, p.h, p.t, p.t});
        }
    };
}

class Partners {
  public:
    Partners(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b, SelectMemory& memory)
        : a_(a),
          b_(b),
          memory_(memory),
          wider_(settings.margin + settings.screen_error + 1e-9 * settings.pixel),
          error_(settings.time_error) {}

    double run() {
        match_kinds(edges_of(a_), edges_of(b_), memory_.edges);
        match_kinds(vertices_of(a_), faces_of(b_), memory_.a_in_b);
        match_kinds(faces_of(a_), vertices_of(b_), memory_.b_in_a);
        return static_cast<double>(earliest_);
    }

  private:
    using Listed = SelectMemory::Listed;

    /// Where parts of B must be to meet a part of A.
    ScreenBox widened(const ScreenBox& box) const {
        return {box.r_low - wider_,  box.r_high + wider_,    box.h_low - wider_,
                box.h_high + wider_, box.t_low - 1 - error_, box.t_high + error_};
    }
    void keep(std::vector<PartnerPair>& out, const Listed& a, const Listed& b) {
        constexpr float kRounding = 2e-7f;  // of a time
        const float gap = std::max(0.0f, a.box.low[2] + (1 - kRounding) - b.box.high[2]);
        const float last = std::min(1.0f, a.box.high[2] - b.box.low[2] + kRounding);
        earliest_ = std::min(earliest_, gap);
        out.push_back({a.index, b.index, std::max(a.box.low[0], b.box.low[0]),
                       std::min(a.box.high[0], b.box.high[0]), gap, last});
    }

    template <class VisitA, class VisitB>
    void match_kinds(VisitA&& parts_a, VisitB&& parts_b, std::vector<PartnerPair>& out) {
        out.clear();
        LaneBox all_a = nothing(), all_b = nothing();
        std::size_t count_a = 0, count_b = 0;
        const auto put = [](std::vector<Listed>& list, std::size_t at, const LaneBox& box, std::uint32_t i) {
            if (at == list.size()) list.emplace_back();
            list[at].box = box, list[at].index = i;
        };
        parts_a([&](std::uint32_t i, const ScreenBox& box) {
            const LaneBox a = rounded(widened(box));
            put(memory_.parts_a, count_a++, a, i);
            add(all_a, a);
        });
        parts_b([&](std::uint32_t i, const ScreenBox& box) {
            const LaneBox b = rounded(box);
            if (!meet(b, all_a)) return;
            put(memory_.parts_b, count_b++, b, i);
            add(all_b, b);
        });
        const std::span of_a(memory_.parts_a.data(), count_a), of_b(memory_.parts_b.data(), count_b);
        const std::size_t levels = group(of_b);
        for (const Listed& a : of_a) {
            if (!meet(a.box, all_b)) continue;
            if (levels == 0)
                match(a, of_b, out);
            else
                match_groups(a, of_b, levels - 1, 0, memory_.groups[levels - 1].size(), out);
        }
    }
    /// Groups of kGroup parts, groups of kGroup such groups, and so on. Returns the number of levels.
    std::size_t group(std::span<const Listed> parts) {
        std::size_t levels = 0;
        for (std::size_t count = parts.size(); count > 2 * kGroup; ++levels) {
            if (levels == memory_.groups.size()) memory_.groups.emplace_back();
            auto& groups = memory_.groups[levels];
            groups.clear();
            for (std::size_t i = 0; i < count; ++i) {
                if (i % kGroup == 0) groups.push_back(nothing());
                add(groups.back(), levels == 0 ? parts[i].box : memory_.groups[levels - 1][i]);
            }
            count = groups.size();
        }
        return levels;
    }
    void match(const Listed& a, std::span<const Listed> parts, std::vector<PartnerPair>& out) {
        for (const Listed& b : parts)
            if (meet(b.box, a.box)) keep(out, a, b);
    }
    void match_groups(const Listed& a, std::span<const Listed> parts, std::size_t level, std::size_t begin,
                      std::size_t end, std::vector<PartnerPair>& out) {
        const auto& groups = memory_.groups[level];
        for (std::size_t g = begin; g < end; ++g) {
            if (!meet(groups[g], a.box)) continue;
            const std::size_t first = g * kGroup;
            if (level == 0)
                match(a, parts.subspan(first, std::min(kGroup, parts.size() - first)), out);
            else
                match_groups(a, parts, level - 1, first,
                             std::min(first + kGroup, memory_.groups[level - 1].size()), out);
        }
    }

    const SideScreen &a_, &b_;
    SelectMemory& memory_;
    double wider_, error_;
    float earliest_ = 2;
};

class Selector {
  public:
    Selector(const ScreenSettings& settings, double latest, SelectMemory& memory)
        : settings_(settings),
          latest_(static_cast<float>(latest) * (1 + 1e-6f)),
          memory_(memory),
          per_pixel_(1 / settings.pixel) {}

    void run(SideScreen& a, SideScreen& b) {
        const auto of_a = [](const PartnerPair& pair) { return pair.a; };
        const auto of_b = [](const PartnerPair& pair) { return pair.b; };
        select(a, of_a, memory_.b_in_a, memory_.a_in_b);
        select(b, of_b, memory_.a_in_b, memory_.b_in_a);
    }

  private:
    using Reach = SelectMemory::Reach;
    static void widen(Reach& reach, float low, float high) {
        reach.low = std::min(reach.low, low), reach.high = std::max(reach.high, high);
    }

    /// `own` names the part of `side` in a pair.
    template <class Own>
    void select(SideScreen& side, Own&& own, const std::vector<PartnerPair>& in_faces,
                const std::vector<PartnerPair>& in_others) {
        memory_.edge_reach.assign(side.edges.size(), Reach{});
        memory_.faces.assign(side.face_boxes.size(), Reach{});
        for (const PartnerPair& pair : memory_.edges)
            if (pair.gap <= latest_) widen(memory_.edge_reach[own(pair)], pair.r_low, pair.r_high);
        for (const PartnerPair& pair : in_faces)
            if (pair.gap <= latest_) widen(memory_.faces[own(pair)], pair.r_low, pair.r_high);
        for (VertexPixel& v : side.vertices) v.wanted = false;
        for (const PartnerPair& pair : in_others)
            if (pair.gap <= latest_) side.vertices[own(pair)].wanted = true;
        side.rows.resize(side.edges.size());
        for (std::size_t i = 0; i < side.edges.size(); ++i) {
            const SubEdge& e = side.edges[i];
            Reach reach = memory_.edge_reach[i];
            for (const std::uint32_t f : {e.left, e.right})
                if (f != kNoIndex) widen(reach, memory_.faces[f].low, memory_.faces[f].high);
            side.rows[i] = rows_of(reach);
        }
    }
    RowRange rows_of(const Reach& reach) const {
        const double low = (static_cast<double>(reach.low) - settings_.r_low) * per_pixel_,
                     high = (static_cast<double>(reach.high) - settings_.r_low) * per_pixel_;
        if (!(low <= high) || high < 0 || low >= settings_.rows) return {};
        return {cell(std::max(low, 0.0)), cell(std::min(high, settings_.rows - 1.0))};
    }

    const ScreenSettings& settings_;
    float latest_;
    SelectMemory& memory_;
    double per_pixel_;
};

}  // namespace

double find_partners(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b,
                     SelectMemory& memory) {
    return Partners(settings, a, b, memory).run();
}

void take_pairs(const SelectMemory& memory, double done, double latest, ScanMemory& scan) {
    const auto after = static_cast<float>(done), by = static_cast<float>(latest);
    // Without a branch per pair, which would be hard to predict.
    const auto take = [&](const std::vector<PartnerPair>& pairs, auto& out, auto&& make) {
        out.resize(pairs.size());
        std::size_t count = 0;
        for (const PartnerPair& pair : pairs) {
            out[count] = make(pair);
            count += static_cast<std::size_t>(pair.gap <= by) & static_cast<std::size_t>(pair.gap > after);
        }
        out.resize(count);
    };
    take(memory.edges, scan.edge_pairs, [](const PartnerPair& pair) { return EdgePair{pair.a, pair.b}; });
    take(memory.a_in_b, scan.a_in_b, [](const PartnerPair& pair) {
        return VertexFacePair{pair.a, pair.b, pair.gap, pair.last};
    });
    take(memory.b_in_a, scan.b_in_a, [](const PartnerPair& pair) {
        return VertexFacePair{pair.b, pair.a, pair.gap, pair.last};
    });
    scan.comparisons = scan.edge_pairs.size();
}

void select_parts(const ScreenSettings& settings, double latest, SideScreen& a, SideScreen& b,
                  SelectMemory& memory) {
    Selector(settings, latest, memory).run(a, b);
}

}  // namespace claybox::collision
