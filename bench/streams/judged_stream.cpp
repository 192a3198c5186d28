#include "bench/streams/judged_stream.hpp"

#include "bench/streams/referee.hpp"

#include <algorithm>
#include <map>

namespace claybox::streams {

using namespace collision;

const char* to_string(QueryKind kind) {
    switch (kind) {
        case QueryKind::separated:
            return "separated";
        case QueryKind::near:
            return "near";
        case QueryKind::colliding:
            return "colliding";
    }
    return "";
}

namespace {

class ConvexJudge {
  public:
    explicit ConvexJudge(double radius) : near_(kNearContact * radius) {}

    /// Sets the exact answer and the kind; false if the algorithms disagree.
    bool decide(const JudgedStream& stream, JudgedQuery& out) {
        PairQuery q = make_pair_query(*stream.shapes[out.shape_a], out.world_from_a,
                                      *stream.shapes[out.shape_b], out.world_from_b, scratch_);
        q.wants = kWantDistance | kWantDepth;
        q.parameters = default_values(gjk_.parameters);
        PairCache cache, other_cache;
        const PairResult r = run_query(gjk_, q, cache);
        out.collides = r.verdict == Verdict::colliding;
        const double gap = out.collides ? r.depth : r.distance;
        out.kind =
            gap <= near_ ? QueryKind::near : (out.collides ? QueryKind::colliding : QueryKind::separated);
        const bool proven = certify(q, r);
        q.wants = kWantVerdict;
        q.parameters = default_values(program_.parameters);
        return proven && run_query(program_, q, other_cache).verdict == r.verdict;
    }

  private:
    const PairAlgorithm& gjk_ = *find_pair_algorithm("gjk");
    const PairAlgorithm& program_ = *find_pair_algorithm("lp_exact");
    double near_;
    Scratch scratch_;
};

class MeshJudge {
  public:
    explicit MeshJudge(std::span<const ShapePtr> shapes)
        : first_(*find_pair_algorithm(kMeshReferee), shapes),
          second_(*find_pair_algorithm(kSecondMeshReferee), shapes) {}

    bool decide(const JudgedStream&, JudgedQuery& out) {
        out.collides = first_.collide(out.shape_a, out.world_from_a, out.shape_b, out.world_from_b);
        out.kind = out.collides ? QueryKind::colliding : QueryKind::separated;
        return second_.collide(out.shape_a, out.world_from_a, out.shape_b, out.world_from_b) == out.collides;
    }

  private:
    Referee first_, second_;
};

/// Numbers keys in the order of their first use.
template <class Key>
class Numbering {
  public:
    std::uint32_t of(const Key& key) {
        return numbers_.emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }

  private:
    std::map<Key, std::uint32_t> numbers_;
};

/// Sorts the queries of one frame, from `first` to the end, by kind and adds their batches.
void close_frame(JudgedStream& out, std::size_t first, std::uint32_t frame) {
    const auto by_kind = [](const JudgedQuery& x, const JudgedQuery& y) { return x.kind < y.kind; };
    std::stable_sort(out.queries.begin() + static_cast<std::ptrdiff_t>(first), out.queries.end(), by_kind);
    for (std::size_t i = first; i < out.queries.size(); ++i) {
        const QueryKind kind = out.queries[i].kind;
        if (i == first || out.batches.back().kind != kind)
            out.batches.push_back({static_cast<std::uint32_t>(i), 0, frame, kind});
        ++out.batches.back().count;
    }
}

/// Decides all queries in order.
template <class Judge>
Result<JudgedStream> judge_all(const QueryStream& stream, JudgedStream out,
                               const std::vector<std::uint32_t>& shape_of, Judge&& judge) {
    Numbering<std::size_t> pairs;
    std::vector<std::uint32_t> last_frame;
    std::size_t frame_begin = 0;
    for (std::size_t i = 0; i < stream.queries.size(); ++i) {
        const StreamQuery& s = stream.queries[i];
        JudgedQuery q{s.world_from_a, s.world_from_b, shape_of[s.a], shape_of[s.b], pairs.of(stream.pair(s))};
        q.fresh = q.pair == last_frame.size() || last_frame[q.pair] + 1 != s.frame;
        last_frame.resize(pairs.size());
        last_frame[q.pair] = s.frame;
        if (!judge.decide(out, q))
            return Error{"query " + std::to_string(i) +
                             " of a recorded stream: the exact algorithms disagree, expected equal answers",
                         {},
                         0};
        out.queries.push_back(q);
        if (i + 1 < stream.queries.size() && stream.queries[i + 1].frame == s.frame) continue;
        close_frame(out, frame_begin, s.frame);
        frame_begin = out.queries.size();
        out.frames = s.frame + 1;
    }
    out.pairs = pairs.size();
    return out;
}

}  // namespace

Result<JudgedStream> judge(const QueryStream& stream, double radius) {
    JudgedStream out;
    std::vector<std::uint32_t> shape_of;  // of each body
    std::map<const Shape*, std::uint32_t> numbers;
    for (const ShapePtr& shape : stream.shapes) {
        const auto [at, added] = numbers.emplace(shape.get(), static_cast<std::uint32_t>(out.shapes.size()));
        if (added) out.shapes.push_back(shape);
        shape_of.push_back(at->second);
    }
    if (all_convex(out.shapes)) return judge_all(stream, std::move(out), shape_of, ConvexJudge(radius));
    MeshJudge judge(out.shapes);
    return judge_all(stream, std::move(out), shape_of, judge);
}

}  // namespace claybox::streams
