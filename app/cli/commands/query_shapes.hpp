#pragma once
// The shapes of `claybox query`: each is built once while it stays in a cache, and prepared once for each
// algorithm.

#include "collision/continuous/query.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace claybox::app {

/// A shape and the data that algorithms prepared for it.
struct PreparedShape {
    using Prepare = std::shared_ptr<const collision::Prepared> (*)(const collision::Shape&,
                                                                   const collision::Geometry&);
    collision::ShapePtr shape;
    std::map<Prepare, std::shared_ptr<const collision::Prepared>> prepared;
    std::size_t bytes = 0;  ///< of the shape and the prepared data
    bool often = false;     ///< many lines may ask about it

    /// Runs the function once. Null if it is null.
    const collision::Prepared* prepare(Prepare function);
};

/// Meshes by name. While a mesh is in the cache, its file is read once; an unreadable mesh keeps its error.
class MeshCache {
  public:
    static constexpr std::size_t kMaxMeshes = 1000, kMaxBytes = std::size_t{1} << 30;

    /// Meshes are in `folder` or in its subfolder meshes/.
    explicit MeshCache(std::filesystem::path folder, std::size_t max_bytes = kMaxBytes)
        : folder_(std::move(folder)), max_bytes_(max_bytes) {}

    collision::Result<PreparedShape*> find(const std::string& name);
    /// Empties the cache if it has become too large: a stream of queries can name any number of meshes. The
    /// results of find() become invalid.
    void limit();
    std::size_t count() const { return shapes_.size(); }

  private:
    collision::Result<PreparedShape> load(const std::string& name) const;

    std::filesystem::path folder_;
    std::size_t max_bytes_;
    std::map<std::string, collision::Result<PreparedShape>> shapes_;
};

/// Hulls by their points. A stream often asks about the same bodies in many places.
class HullCache {
  public:
    static constexpr std::size_t kMaxHulls = 32768, kMaxBytes = std::size_t{256} << 20;

    explicit HullCache(std::size_t max_hulls = kMaxHulls) : max_hulls_(max_hulls) {}

    collision::Result<PreparedShape*> find(std::span<const collision::Vec3f> points);
    /// Builds the hull of points that were read from this text, and remembers the text.
    collision::Result<PreparedShape*> find(std::span<const collision::Vec3f> points, std::string_view text);
    /// The hull that was built from the same text, or null. Several times faster than reading it again.
    PreparedShape* find(std::string_view text);
    /// Empties the cache if it has become too large. The results of find() become invalid.
    void limit();
    std::size_t count() const { return hulls_.size(); }
    std::size_t bytes() const { return bytes_; }

  private:
    using Points = std::vector<collision::Vec3f>;
    using View = std::span<const collision::Vec3f>;
    /// Bit by bit: two zeros of different sign are different points. A lookup makes no copy of the points.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(View points) const;
    };
    struct Same {
        using is_transparent = void;
        bool operator()(View a, View b) const;
    };

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    struct Entry {
        PreparedShape hull;
        std::size_t counted = 0;  ///< bytes of it in `bytes_`
    };

    collision::Result<Entry*> entry_of(View points);

    std::size_t max_hulls_;  ///< and texts
    std::unordered_map<Points, Entry, Hash, Same> hulls_;
    std::unordered_map<std::string, Entry*, TextHash, std::equal_to<>> by_text_;
    std::vector<Entry*> used_;  ///< since the last limit(): they may have more prepared data now
    std::size_t bytes_ = 0;
};

}  // namespace claybox::app
