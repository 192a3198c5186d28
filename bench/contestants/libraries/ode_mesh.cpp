// ODE for meshes: its trimesh geoms with a request for one contact of any quality.

#include "bench/contestants/libraries/mesh_contestant.hpp"

#include <ode/ode.h>

namespace claybox::bench {

using namespace collision;

namespace {

struct Placed {
    dGeomID geom;
    dMatrix3 rotation;
    dReal x, y, z;

    Placed(dGeomID g, const Matrix34f& m) : geom(g), x(m(0, 3)), y(m(1, 3)), z(m(2, 3)) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c) rotation[4 * r + c] = c < 3 ? static_cast<dReal>(m(r, c)) : dReal(0);
    }
};

struct OdeQuery {
    Placed a, b;
};

class OdeTrimesh final : public StatelessContestant<OdeQuery> {
  public:
    OdeTrimesh() {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
    }
    ~OdeTrimesh() override {
        clear();
        dCloseODE();
    }
    OdeTrimesh(const OdeTrimesh&) = delete;
    OdeTrimesh& operator=(const OdeTrimesh&) = delete;

    bool prepare(std::span<const ShapePtr> shapes) override {
        clear();
        for (const ShapePtr& shape : shapes) {
            meshes_.push_back(std::make_unique<TriangleMesh>(*shape));
            const TriangleMesh& mesh = *meshes_.back();
            const dTriMeshDataID data = dGeomTriMeshDataCreate();
            dGeomTriMeshDataBuildSingle(data, mesh.positions.data(), sizeof(Vec3f),
                                        static_cast<int>(mesh.positions.size()), mesh.triangles.data(),
                                        static_cast<int>(3 * mesh.triangles.size()),
                                        3 * sizeof(std::uint32_t));
            // Two geoms per mesh, because a query may test a mesh against itself.
            geoms_.push_back({data, dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr),
                              dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr)});
        }
        return true;
    }

  private:
    struct Geoms {
        dTriMeshDataID data;
        dGeomID as_a, as_b;
    };

    OdeQuery convert(const streams::JudgedQuery& q) const override {
        return {{geoms_[q.shape_a].as_a, q.world_from_a}, {geoms_[q.shape_b].as_b, q.world_from_b}};
    }
    bool intersects(const OdeQuery& q) override {
        place(q.a);
        place(q.b);
        dContactGeom contact;
        return dCollide(q.a.geom, q.b.geom, static_cast<int>(1u | CONTACTS_UNIMPORTANT), &contact,
                        sizeof contact) > 0;
    }

    static void place(const Placed& p) {
        dGeomSetPosition(p.geom, p.x, p.y, p.z);
        dGeomSetRotation(p.geom, p.rotation);
    }
    void clear() {
        for (const Geoms& g : geoms_) {
            dGeomDestroy(g.as_a);
            dGeomDestroy(g.as_b);
            dGeomTriMeshDataDestroy(g.data);
        }
        geoms_.clear();
        meshes_.clear();
    }

    std::vector<std::unique_ptr<TriangleMesh>> meshes_;
    std::vector<Geoms> geoms_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_mesh_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.entries = {entry<OdeTrimesh>("ode_trimesh", "ODE, trimesh against trimesh")};
}
