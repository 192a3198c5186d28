#include "collision/pairwise/bvh/ray_shape.hpp"

#include "collision/exact/contained.hpp"
#include "collision/exact/ray_triangle.hpp"
#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

double largest(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

double reach_of(const Aabb& box) {
    return std::max(largest(cast<double>(box.min)), largest(cast<double>(box.max)));
}

ExactTriangle exact_triangle(const RayBody& body, std::uint32_t triangle) {
    const Geometry& g = *body.geometry;
    const std::uint32_t(&v)[3] = g.topology->triangles[triangle].vertices;
    return {body.world_from_body, g.positions[v[0]], g.positions[v[1]], g.positions[v[2]]};
}

/// The ray in the frame of the body, in double.
struct LocalRay {
    NearRay near;
    double pad = 0;  ///< error of a point of it within reach of the body
    bool usable = false;

    LocalRay(const Ray& ray, const RayBody& body) {
        const SolidLocator frame(*body.geometry, *body.world_from_body);
        if (!frame.is_invertible()) return;
        const SolidLocator::LocalPoint o = frame.to_local({nullptr, ray.origin});
        const SolidLocator::LocalPoint d = frame.direction_to_local(ray.direction);
        near = {{o.q, d.q}, largest(o.error), largest(d.error)};
        const double size = largest(d.q), reach = reach_of(body.geometry->box) + largest(o.q);
        if (!(size > 0x1p-100 && size < 0x1p100 && near.direction_error < 0x1p-20 * size)) return;
        // Within reach, t is at most 2 reach / size; the tests of boxes lose some digits.
        pad = near.origin_error + near.direction_error * (2 * reach / size) + 0x1p-48 * reach;
        usable = std::isfinite(pad);
    }
};

/// The first hit so far, and the range that can still contain an earlier one.
class Search {
  public:
    Search(const Ray& ray, const RayBody& body, double end, RayWant want, RayCounts& counts)
        : ray_(ray),
          body_(body),
          end_(end),
          limit_(std::min(end, std::numeric_limits<double>::max())),
          want_(want),
          counts_(counts),
          local_(ray, body) {}

    bool run(SurfaceHit& out) {
        if (!local_.usable) {
            test_all_exactly();
        } else {
            const RayBoxTest test(local_.near.ray, local_.pad);
            const double enter = test.enter(body_.geometry->box, 0, limit_);
            ++counts_.boxes;
            if (enter > limit_) return false;
            if (body_.tree == nullptr || !walk_tree(enter)) test_boxes(test);
        }
        out = best_;
        return found();
    }

  private:
    bool found() const { return best_.triangle != kNoIndex; }
    bool is_done() const { return want_ == RayWant::any && found(); }

    // A rigid pose has a local frame. For other poses a faster method is not needed.
    void test_all_exactly() {
        const auto count = static_cast<std::uint32_t>(body_.geometry->topology->triangles.size());
        for (std::uint32_t i = 0; i < count && !is_done(); ++i) test_triangle_exactly(i);
    }

    void test_boxes(const RayBoxTest& test) {
        const Geometry& g = *body_.geometry;
        const std::uint32_t count = g.topology->polygon_count();
        for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
            ++counts_.boxes;
            if (test.enter(g.run_boxes[run], 0, limit_) > limit_) continue;
            const std::uint32_t last = std::min((run + 1) * kBoxRun, count);
            for (std::uint32_t p = run * kBoxRun; p < last; ++p) {
                ++counts_.boxes;
                if (test.enter(g.polygon_boxes[p], 0, limit_) > limit_) continue;
                for (std::uint32_t t = g.topology->triangle_begin[p]; t < g.topology->triangle_begin[p + 1];
                     ++t) {
                    test_triangle(g.topology->triangles[t].vertices, t);
                    if (is_done()) return;
                }
            }
        }
    }

    void test_triangle(const std::uint32_t (&v)[3], std::uint32_t triangle) {
        const auto& p = body_.geometry->positions;
        ++counts_.triangles;
        const RayTriangleFilter f = filter_ray_triangle(local_.near, p[v[0]], p[v[1]], p[v[2]]);
        if (f.sign == EdgeTriangleSign::hit) accept({f.t, f.t_error, triangle});
        if (f.sign == EdgeTriangleSign::unknown) test_triangle_exactly(triangle);
    }

    void test_triangle_exactly(std::uint32_t triangle) {
        ++counts_.exact;
        const RayIntersection m = intersect_exact(ray_, exact_triangle(body_, triangle));
        if (!m.hit) return;
        const double t = to_double(m);
        accept({t, kRayIntersectionError * t, triangle});
    }

    void accept(const SurfaceHit& hit) {
        if (!within_end(hit) || (found() && !comes_before(hit))) return;
        best_ = hit;
        limit_ = std::min(limit_, hit.t + hit.t_error);
    }

    bool within_end(const SurfaceHit& hit) {
        if (hit.t + hit.t_error <= end_) return true;
        if (hit.t - hit.t_error > end_) return false;
        ++counts_.exact;
        return compare(intersect_exact(ray_, exact_triangle(body_, hit.triangle)),
                       ray_intersection_at(end_)) <= 0;
    }

    bool comes_before(const SurfaceHit& hit) {
        if (hit.t + hit.t_error < best_.t - best_.t_error) return true;
        if (hit.t - hit.t_error > best_.t + best_.t_error) return false;
        ++counts_.exact;
        const int sign = compare_hits(ray_, body_, hit, body_, best_);
        return sign < 0 || (sign == 0 && hit.triangle < best_.triangle);
    }

    bool walk_tree(double enter);

    const Ray& ray_;
    const RayBody& body_;
    double end_;    ///< as requested; may be infinite
    double limit_;  ///< nothing beyond it can be the answer; finite
    RayWant want_;
    RayCounts& counts_;
    LocalRay local_;
    SurfaceHit best_;
};

/// The ray in the frame of a tree, in float, starting where it enters the body's box: origin + t' direction
/// with t = enter + t' * unit. The largest component of the direction is between 1 and 2.
struct TreeRay {
    Float4 origin[3], inverse[3], pad;
    double enter = 0, unit = 1;
    bool usable = false;

    // Let R be the largest coordinate of the mesh, about 1; t' is below 4 R inside the box. Rounding the
    // origin, the direction (per position: 2^-24 * 2 * 4 R), corners of boxes and their differences moves
    // sides by less than 20 * 2^-24 R; the inverse and the product by 3 * 2^-24 of a difference of at most 4
    // R: together less than 2^-18 R. An axis along which the ray moves by less than the same amount again
    // counts as parallel, with a slab that is 2^-18 R thicker.
    TreeRay(const NearRay& near, const MeshBvh& tree, double reach, double from) : enter(from) {
        const double scale = static_cast<double>(tree.scale()), r = reach * scale;
        if (!(r > 0x1p-10 && r < 0x1p10)) return;
        const Vec3d o = (near.ray.origin + from * near.ray.direction) * scale, d = near.ray.direction * scale;
        int exponent = 0;
        std::frexp(largest(d), &exponent);
        unit = std::ldexp(1.0, 1 - exponent);
        const double lost = 0x1p-50 * (largest(near.ray.origin) + from * largest(near.ray.direction));
        const double off =
            (near.origin_error + from * near.direction_error + lost + 4 * r * unit * near.direction_error) *
            scale;
        if (!(off < 0x1p-8 * r)) return;
        pad = splat4(static_cast<float>((2 * 0x1p-18 * r + off) * (1 + 0x1p-20)));
        for (std::size_t k = 0; k < 3; ++k) {
            const double along = d[k] * unit;
            const bool still = std::abs(along) * 4 <= 0x1p-19;
            origin[k] = splat4(static_cast<float>(o[k]));
            inverse[k] = splat4(still ? 0x1p100f : static_cast<float>(1 / along));
        }
        usable = true;
    }

    /// Parameters t' at which the ray enters and leaves the children's boxes.
    void cross(const BvhNode& node, Float4& in, Float4& out) const {
        in = splat4(0);
        out = splat4(std::numeric_limits<float>::max());
        const float *centre[3] = {node.cx, node.cy, node.cz}, *half[3] = {node.ex, node.ey, node.ez};
        for (std::size_t k = 0; k < 3; ++k) {
            const Float4 c = load4(centre[k]) - origin[k], h = load4(half[k]) + pad;
            const Float4 a = (c - h) * inverse[k], b = (c + h) * inverse[k];
            in = max4(in, min4(a, b));
            out = min4(out, max4(a, b));
        }
    }
    /// The parameter t' of a limit, rounded up.
    float until(double limit) const {
        const double t = (limit - enter) / unit;
        return t < 0x1p100 ? static_cast<float>(t * (1 + 0x1p-20)) + 0x1p-100f : 0x1p100f;
    }
};

/// Nearer children first. False if nothing is proven about the tree's boxes.
bool Search::walk_tree(double enter) {
    const MeshBvh& tree = *body_.tree;
    const TreeRay ray(local_.near, tree, reach_of(body_.geometry->box), enter);
    if (!ray.usable) return false;
    struct Item {
        float in;
        std::uint32_t child;
    };
    Item stack[3 * kMaxBvhLevels + 4];
    int count = 0;
    stack[count++] = {0, 0};
    float until = ray.until(limit_);
    while (count > 0 && !is_done()) {
        const Item item = stack[--count];
        if (item.in > until) continue;
        if (is_bvh_leaf(item.child)) {
            const std::uint32_t first = bvh_leaf_first(item.child), leaf_size = bvh_leaf_count(item.child);
            for (const BvhTriangle& t : tree.triangles().subspan(first, leaf_size))
                test_triangle(t.vertices, t.triangle);
            until = ray.until(limit_);
            continue;
        }
        const BvhNode& node = tree.nodes()[item.child];
        Float4 in, out;
        ray.cross(node, in, out);
        counts_.boxes += 4;
        const unsigned overlaps = mask_bits4(in <= out) & mask_bits4(in <= splat4(until));
        const int before = count;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if ((overlaps >> lane & 1u) == 0 || node.child[lane] == kNoIndex) continue;
            int at = count++;
            for (; at > before && stack[at - 1].in < in[lane]; --at) stack[at] = stack[at - 1];
            stack[at] = {in[lane], node.child[lane]};
        }
    }
    return true;
}

}  // namespace

bool find_surface_hit(const Ray& ray, const RayBody& body, double end, RayWant want, SurfaceHit& out,
                      RayCounts& counts) {
    return Search(ray, body, end, want, counts).run(out);
}

int compare_hits(const Ray& ray, const RayBody& body_a, const SurfaceHit& a, const RayBody& body_b,
                 const SurfaceHit& b) {
    return compare(intersect_exact(ray, exact_triangle(body_a, a.triangle)),
                   intersect_exact(ray, exact_triangle(body_b, b.triangle)));
}

}  // namespace claybox::collision
