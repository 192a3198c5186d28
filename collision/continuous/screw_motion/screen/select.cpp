// Two parts can meet only if their boxes on the screen overlap and their times differ by what the motion takes.
// Every part of A is compared with the parts of B, in groups of sixteen.

#include "collision/continuous/screw_motion/screen/select.hpp"

#include "collision/continuous/screw_motion/screen/projector.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

namespace {

using Lanes = BoxTable::Lanes;

struct FloatBox {
    float r_low, r_high, h_low, h_high, t_low, t_high;
};

/// Rounded outward, also where a double is beyond the range of float.
FloatBox rounded(const ScreenBox& b) {
    const auto down = [](double x) { return static_cast<float>(x - std::fabs(x) * 2e-7 - 1e-30); };
    const auto up = [](double x) { return static_cast<float>(x + std::fabs(x) * 2e-7 + 1e-30); };
    return {down(b.r_low), up(b.r_high), down(b.h_low), up(b.h_high), down(b.t_low), up(b.t_high)};
}

/// The box in every lane.
Lanes splat(const FloatBox& b) {
    return {splat4(b.r_low),  splat4(b.r_high), splat4(b.h_low),
            splat4(b.h_high), splat4(b.t_low),  splat4(b.t_high)};
}

/// Bit i: lane i of both meets.
inline unsigned meet(const Lanes& x, const Lanes& y) {
    const auto all = (x.r_low <= y.r_high) & (x.r_high >= y.r_low) & (x.h_low <= y.h_high) &
                     (x.h_high >= y.h_low) & (x.t_low <= y.t_high) & (x.t_high >= y.t_low);
    return mask_bits4(Int4(all));
}

bool overlap(const ScreenBox& x, const ScreenBox& y) {
    return x.r_low <= y.r_high && x.r_high >= y.r_low && x.h_low <= y.h_high && x.h_high >= y.h_low &&
           x.t_low <= y.t_high && x.t_high >= y.t_low;
}

void clear(BoxTable& table) {
    table.parts.clear(), table.groups.clear(), table.index.clear();
}

void add(BoxTable& table, std::uint32_t index, const ScreenBox& box) {
    const std::size_t lane = table.index.size() % 4;
    if (lane == 0) {
        const Float4 none = splat4(std::numeric_limits<float>::quiet_NaN());  // meets nothing
        table.parts.push_back({none, none, none, none, none, none});
    }
    const FloatBox b = rounded(box);
    Lanes& to = table.parts.back();
    to.r_low[lane] = b.r_low, to.r_high[lane] = b.r_high;
    to.h_low[lane] = b.h_low, to.h_high[lane] = b.h_high;
    to.t_low[lane] = b.t_low, to.t_high[lane] = b.t_high;
    table.index.push_back(index);
}

void finish(BoxTable& table) {
    const Float4 none = splat4(std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < table.parts.size(); ++i) {
        if (i % 4 == 0) table.groups.push_back({none, none, none, none, none, none});
        const Lanes& from = table.parts[i];
        Lanes& to = table.groups.back();
        const auto least = [](Float4 v) {
            const Float4 known = v == v ? v : splat4(std::numeric_limits<float>::infinity());
            return smallest4(known)[0];
        };
        const auto most = [](Float4 v) {
            const Float4 known = v == v ? v : splat4(-std::numeric_limits<float>::infinity());
            return largest4(known)[0];
        };
        to.r_low[i % 4] = least(from.r_low), to.r_high[i % 4] = most(from.r_high);
        to.h_low[i % 4] = least(from.h_low), to.h_high[i % 4] = most(from.h_high);
        to.t_low[i % 4] = least(from.t_low), to.t_high[i % 4] = most(from.t_high);
    }
}

/// Calls visit(index, lanes, lane) for each part of the table that meets the box.
template <class Visit>
void for_partners(const BoxTable& table, const ScreenBox& wide, Visit&& visit) {
    const Lanes box = splat(rounded(wide));
    const auto in_part = [&](std::size_t i) {
        for (unsigned found = meet(table.parts[i], box); found != 0; found &= found - 1) {
            const auto lane = static_cast<std::size_t>(__builtin_ctz(found));
            visit(table.index[4 * i + lane], table.parts[i], lane);
        }
    };
    if (table.parts.size() <= 4) {
        for (std::size_t i = 0; i < table.parts.size(); ++i) in_part(i);
        return;
    }
    for (std::size_t g = 0; g < table.groups.size(); ++g)
        for (unsigned found = meet(table.groups[g], box); found != 0; found &= found - 1)
            in_part(4 * g + static_cast<std::size_t>(__builtin_ctz(found)));
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
        for (std::uint32_t f = 0; f < side.face_boxes.size(); ++f)
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
        match(edges_of(a_), edges_of(b_), memory_.edges);
        match(vertices_of(a_), faces_of(b_), memory_.a_in_b);
        match(faces_of(a_), vertices_of(b_), memory_.b_in_a);
        return earliest_;
    }

  private:
    using Listed = SelectMemory::Listed;

    /// Where parts of B must be to meet a part of A.
    ScreenBox widened(const ScreenBox& box) const {
        return {box.r_low - wider_,  box.r_high + wider_,    box.h_low - wider_,
                box.h_high + wider_, box.t_low - 1 - error_, box.t_high + error_};
    }
    void keep(std::vector<BoxPair>& out, const Listed& a, std::uint32_t b, double r_low, double r_high,
              double t_low, double t_high) {
        constexpr double kRounding = 2e-7;  // of a time as float
        const double gap = std::max(0.0, a.box.t_low + 1 - t_high - kRounding);
        earliest_ = std::min(earliest_, gap);
        out.push_back({a.index, b, static_cast<float>(std::max(a.box.r_low, r_low)),
                       static_cast<float>(std::min(a.box.r_high, r_high)), static_cast<float>(gap),
                       static_cast<float>(std::min(1.0, a.box.t_high - t_low + kRounding))});
    }

    template <class VisitA, class VisitB>
    void match(VisitA&& parts_a, VisitB&& parts_b, std::vector<BoxPair>& out) {
        constexpr std::size_t kFew = 1000;
        out.clear();
        auto &of_a = memory_.parts_a, &of_b = memory_.parts_b;
        of_a.clear(), of_b.clear();
        ScreenBox all_a, all_b;
        parts_b([&](std::uint32_t, const ScreenBox& box) { all_b.add(box); });
        parts_a([&](std::uint32_t i, const ScreenBox& box) {
            const ScreenBox wide = widened(box);
            if (!overlap(wide, all_b)) return;
            of_a.push_back({wide, i});
            all_a.add(wide);
        });
        parts_b([&](std::uint32_t i, const ScreenBox& box) {
            if (overlap(box, all_a)) of_b.push_back({box, i});
        });
        if (of_a.size() * of_b.size() > kFew) return match_lists(out);
        for (const Listed& a : of_a)
            for (const Listed& b : of_b)
                if (overlap(b.box, a.box)) keep(out, a, b.index, b.box.r_low, b.box.r_high, b.box.t_low, b.box.t_high);
    }
    void match_lists(std::vector<BoxPair>& out) {
        clear(memory_.table);
        for (const Listed& b : memory_.parts_b) add(memory_.table, b.index, b.box);
        finish(memory_.table);
        for (const Listed& a : memory_.parts_a)
            for_partners(memory_.table, a.box, [&](std::uint32_t b, const Lanes& lanes, std::size_t lane) {
                keep(out, a, b, static_cast<double>(lanes.r_low[lane]),
                     static_cast<double>(lanes.r_high[lane]), static_cast<double>(lanes.t_low[lane]),
                     static_cast<double>(lanes.t_high[lane]));
            });
    }

    const SideScreen &a_, &b_;
    SelectMemory& memory_;
    double wider_, error_, earliest_ = 2;
};

class Selector {
  public:
    Selector(const ScreenSettings& settings, double latest, SelectMemory& memory)
        : settings_(settings),
          latest_(static_cast<float>(latest) * (1 + 1e-6f)),
          memory_(memory),
          per_pixel_(1 / settings.pixel) {}

    void run(SideScreen& a, SideScreen& b) {
        const auto of_a = [](const BoxPair& pair) { return pair.a; };
        const auto of_b = [](const BoxPair& pair) { return pair.b; };
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
    void select(SideScreen& side, Own&& own, const std::vector<BoxPair>& in_faces,
                const std::vector<BoxPair>& in_others) {
        memory_.edge_reach.assign(side.edges.size(), Reach{});
        memory_.faces.assign(side.face_boxes.size(), Reach{});
        for (const BoxPair& pair : memory_.edges)
            if (pair.gap <= latest_) widen(memory_.edge_reach[own(pair)], pair.r_low, pair.r_high);
        for (const BoxPair& pair : in_faces)
            if (pair.gap <= latest_) widen(memory_.faces[own(pair)], pair.r_low, pair.r_high);
        for (VertexPixel& v : side.vertices) v.wanted = false;
        for (const BoxPair& pair : in_others)
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
    const auto take = [&](const std::vector<BoxPair>& pairs, auto&& put) {
        for (const BoxPair& pair : pairs)
            if (pair.gap <= by && pair.gap > after) put(pair);
    };
    scan.edge_pairs.clear(), scan.a_in_b.clear(), scan.b_in_a.clear();
    take(memory.edges, [&](const BoxPair& pair) { scan.edge_pairs.push_back({pair.a, pair.b}); });
    take(memory.a_in_b, [&](const BoxPair& pair) { scan.a_in_b.push_back({pair.a, pair.b, pair.gap, pair.last}); });
    take(memory.b_in_a, [&](const BoxPair& pair) { scan.b_in_a.push_back({pair.b, pair.a, pair.gap, pair.last}); });
    scan.comparisons = scan.edge_pairs.size();
}

void select_parts(const ScreenSettings& settings, double latest, SideScreen& a, SideScreen& b,
                  SelectMemory& memory) {
    Selector(settings, latest, memory).run(a, b);
}

}  // namespace claybox::collision
