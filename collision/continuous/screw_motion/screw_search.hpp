#pragma once
// The whole algorithm for one query, without the interface of continuous algorithms.

#include "collision/continuous/screw_motion/contact/contacts.hpp"
#include "collision/continuous/screw_motion/motion/screw_pieces.hpp"
#include "collision/continuous/screw_motion/screen/draw.hpp"
#include "collision/continuous/screw_motion/screen/facing.hpp"
#include "collision/continuous/screw_motion/screen/select.hpp"

namespace claybox::collision {

/// What to do about features whose pixels are near each other but not the same.
enum class NearPixels : unsigned char {
    ignore,  ///< the paper: only features on the same pixel
    solve,   ///< curves are drawn wider by the error of drawing, so no contact is lost between pixels
    report,  ///< the outlook: approaches within about a pixel are reported, too
};

struct ScrewOptions {
    double pixels = 12;  ///< per short edge
    double time_resolution = 0.05;
    double threshold = -0.1;
    bool refine = true;
    NearPixels near_pixels = NearPixels::solve;
    bool single_screw = false;  ///< the paper: one screw from the start to the end
    bool cull = true;
    bool hash_pixels = false, time_sort = false, single_precision = false, hierarchy = true;
    bool whole_screen = false;   ///< draw also where the other body is not, for a picture
    bool stop_at_first = false;  ///< later pieces are not searched after a contact
};

/// One body of a search.
struct ScrewBody {
    const ScrewMesh* mesh = nullptr;
    RigidMap world_from_body;  ///< at t = 0; need not be rigid
};

struct ScrewHit {
    double time = 0;
    Vec3d point_w, normal_w;
    Feature a, b;  ///< of the topology
    double properness = 1;
    ContactType type = ContactType::edge_edge;
    bool approach = false;
};

struct ScrewCounts {
    std::size_t pieces = 0, edges = 0, runs = 0, comparisons = 0, doppelled = 0, discarded = 0,
                virtual_edges = 0;
    ContactCounts contacts;
};

/// Memory of a worker. Everything keeps its capacity between queries.
struct ScrewMemory {
    std::vector<ScrewPiece> pieces;
    SideScreen a, b;
    ClipMemory clip;
    SelectMemory select;
    DrawMemory draw;
    ScanMemory scan;
    ContactMemory contact;
    std::vector<PieceContact> found;
    IndexPairTable seen;
    std::vector<ScrewHit> hits;  ///< the result, sorted by time
    ScrewCounts counts;
};

/// Pixel size of a query, metres.
double pixel_size(const ScrewBody& a, const ScrewBody& b, double pixels);

/// The bounding sphere of a body in the world.
WorldSphere world_sphere(const ScrewBody& body);

/// True only if the bodies are apart at t = 0: by their spheres, or by a plane between these.
bool separated(const ScrewBody& a, const ScrewBody& b);

/// Prepares both sides and the settings for one piece. False if the bodies cannot touch during it.
bool set_up_screen(const ScrewPiece& piece, const ScrewOptions& options, const ScrewBody& a,
                   const ScrewBody& b, double pixel, ScrewMemory& memory, ScreenSettings& settings);

/// Draws and scans: fills runs, vertices and pairs of `memory`.
void draw_screen(const ScrewPiece& piece, const ScreenSettings& settings, ScrewMemory& memory,
                 CurveSink* curves_a = nullptr, CurveSink* curves_b = nullptr);

enum class SearchEnd : unsigned char {
    done,
    stopped,
    too_many_turns,  ///< the path turns more often than cut_into_pieces accepts
};

/// All contacts during `path`, into memory.hits. `stop` is asked between pieces.
SearchEnd search_screw_motion(const RelativePath& path, const ScrewOptions& options, const ScrewBody& a,
                              const ScrewBody& b, const StopToken& stop, ScrewMemory& memory);

/// The first hit that is no mere approach; null if there is none. Hits must be sorted by time.
const ScrewHit* first_contact(std::span<const ScrewHit> hits);

/// Section 3: the contacts that count as simultaneous with the first: those at most `window` later. Hits must
/// be sorted by time. With a window of 0: the first only, for responses that back up to it.
std::span<const ScrewHit> simultaneous_hits(std::span<const ScrewHit> hits, double window);
std::span<const MotionHit> simultaneous_hits(std::span<const MotionHit> hits, double window);

}  // namespace claybox::collision
