// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields on their way into a Spec: attributes, classes, names, files and the
// folders that they are looked for in, attached models, and the JSON spelling.
#include "host/load/load_support.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

const std::string points = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'";

Spec load_assets(const std::string& assets, const std::string& before = "") {
  return load_sections(before + "<asset>" + assets + "</asset>");
}

TEST(MeshAsset, EveryAttributeArrives) {
  const Spec spec = load_assets(
      "<mesh name='m' " + points +
      " face='0 2 1 0 1 3' normal='0 0 1' texcoord='.5 1' scale='1 2 3' inertia='exact' "
      "maxhullvert='9' smoothnormal='true' refpos='4 5 6' refquat='1 2 3 4' material='k'/>"
      "<mesh name='b' builtin='supertorus' params='5 .3 1 2'/><material name='k'/>");
  ASSERT_EQ(spec.meshes.size(), 2u);
  const Mesh& m = spec.meshes[0];
  EXPECT_EQ(m.vertex.size(), 12u);
  EXPECT_EQ(m.face, (std::vector<int>{0, 2, 1, 0, 1, 3}));
  EXPECT_EQ(m.normal, (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(m.texcoord, (std::vector<float>{.5F, 1}));
  EXPECT_EQ(m.scale, (Vec3{1, 2, 3}));
  EXPECT_EQ(m.inertia, MeshInertia::exact);
  EXPECT_EQ(m.maxhullvert, 9);
  EXPECT_TRUE(m.smoothnormal);
  EXPECT_EQ(m.refpos, (Vec3{4, 5, 6}));
  EXPECT_EQ(m.refquat, (Quat{1, 2, 3, 4}));
  EXPECT_EQ(m.material, "k");
  EXPECT_EQ(spec.meshes[1].builtin, MeshBuiltin::supertorus);
  EXPECT_EQ(spec.meshes[1].params, (std::vector<double>{5, .3, 1, 2}));
}

TEST(MeshAsset, CoordinatesAreRoundedOnceToSinglePrecision) {
  // halfway between two floats in double precision, above it in the text
  const Spec spec = load_assets(
      "<mesh name='m' vertex='1.00000005960464477540 -1e-50 +3e-45 0 0 0 0 0 0 0 0 1'/>");
  EXPECT_EQ(spec.meshes[0].vertex[0], std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(spec.meshes[0].vertex[1], 0.0F);
  EXPECT_EQ(spec.meshes[0].vertex[2], 3e-45F);
}

TEST(MeshAsset, ClassesGiveScaleInertiaAndHullLimit) {
  const Spec spec = load_assets(
      "<mesh name='m' " + points + "/><mesh name='n' class='q' inertia='shell' " + points + "/>",
      "<default><mesh scale='2 2 2' inertia='convex'/><default class='q'>"
      "<mesh maxhullvert='7'/></default></default>");
  EXPECT_EQ(spec.meshes[0].scale, (Vec3{2, 2, 2}));
  EXPECT_EQ(spec.meshes[0].inertia, MeshInertia::convex);
  EXPECT_EQ(spec.meshes[0].maxhullvert, -1);
  EXPECT_EQ(spec.meshes[1].scale, (Vec3{2, 2, 2}));
  EXPECT_EQ(spec.meshes[1].inertia, MeshInertia::shell);
  EXPECT_EQ(spec.meshes[1].maxhullvert, 7);
}

TEST(HFieldAsset, RowsAreStoredFromTheLowestUp) {
  const Spec spec = load_assets(
      "<hfield name='h' nrow='3' ncol='2' size='1 2 3 4' elevation='1 2 3 4 5 6'/>"
      "<hfield name='flat' nrow='2' ncol='2' size='1 2 3 4'/>");
  EXPECT_EQ(spec.hfields[0].elevation, (std::vector<float>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(spec.hfields[0].size, (std::array<double, 4>{1, 2, 3, 4}));
  EXPECT_TRUE(spec.hfields[1].elevation.empty());
}

TEST(MeshAsset, GeomsNameTheirAssets) {
  const std::string asset = "<asset><mesh name='m' " + points +
                            "/><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>";
  const Spec spec =
      load_sections(asset +
                    "<worldbody><geom type='mesh' mesh='m'/><geom type='hfield' "
                    "hfield='h'/><geom type='box' mesh='m' fitscale='2'/></worldbody>");
  EXPECT_EQ(spec.worldbody.geoms[0].mesh, "m");
  EXPECT_EQ(spec.worldbody.geoms[1].hfield, "h");
  EXPECT_EQ(spec.worldbody.geoms[2].fitscale, 2);
  EXPECT_EQ(
      error_of_sections(asset + "<worldbody><geom type='mesh' mesh='mm'/></worldbody>").problem(),
      "there is no mesh 'mm'");
  EXPECT_EQ(error_of_sections(asset + "<worldbody><geom type='hfield' hfield='k'/></worldbody>")
                .problem(),
            "there is no hfield 'k'");
}

class AssetFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "swept_asset_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  /// Where the first mesh of a scene is looked for, relative to the folder.
  std::string file(const std::string& sections) {
    write("scene.xml", "<mujoco>" + sections + "</mujoco>");
    const Spec spec = load(folder_ / "scene.xml");
    return fs::path(spec.meshes.at(0).file).lexically_relative(folder_).string();
  }

  fs::path folder_;
};

TEST_F(AssetFolder, FoldersOfTheCompilerApplyAsOfficially) {
  const std::string mesh = "<asset><mesh file='a/b.obj'/></asset>";
  EXPECT_EQ(file(mesh), "a/b.obj");
  EXPECT_EQ(file("<compiler meshdir='m'/>" + mesh), "m/a/b.obj");
  EXPECT_EQ(file("<compiler assetdir='d'/>" + mesh), "d/a/b.obj");
  EXPECT_EQ(file("<compiler meshdir='m' assetdir='d'/>" + mesh), "m/a/b.obj");
  EXPECT_EQ(file("<compiler meshdir='m'/><compiler assetdir='d'/>" + mesh), "d/a/b.obj");
  EXPECT_EQ(file("<compiler strippath='true' meshdir='m'/>" + mesh), "m/b.obj");
  EXPECT_EQ(file("<compiler texturedir='t'/>" + mesh), "a/b.obj");
  EXPECT_EQ(file("<compiler meshdir='" + (folder_ / "z").string() + "'/>" + mesh), "z/a/b.obj");
}

TEST_F(AssetFolder, AnUnnamedAssetIsCalledAfterItsFile) {
  const Spec spec =
      load_assets("<mesh file='x/y.tail.obj'/><hfield file='q/hill.png' size='1 1 1 1'/>");
  EXPECT_EQ(spec.meshes[0].name, "y.tail");
  EXPECT_EQ(spec.hfields[0].name, "hill");
  EXPECT_EQ(error_of_sections("<asset><mesh " + points + "/></asset>").problem(),
            "the mesh has no name");
}

TEST_F(AssetFolder, WhatAnIncludedFileNamesMayStandBesideIt) {
  write("part/inc.xml", "<mujoco><asset><mesh file='k.obj'/></asset></mujoco>");
  const std::string include = "<compiler meshdir='m'/><include file='part/inc.xml'/>";
  EXPECT_EQ(file(include), "m/k.obj");
  write("part/k.obj", "");
  EXPECT_EQ(file(include), "part/k.obj");
  write("m/k.obj", "");
  EXPECT_EQ(file(include), "m/k.obj");
}

TEST_F(AssetFolder, AttachedModelsBringTheirAssetsFromTheirOwnFolder) {
  write("kid/kid.xml",
        "<mujoco model='kid'><compiler meshdir='m'/><asset><mesh file='a.obj'/>"
        "<mesh name='u' material='k' " +
            points +
            "/><material name='k'/>"
            "<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody>"
            "<body name='b'><geom type='mesh' mesh='a'/><geom type='hfield' hfield='h'/>"
            "</body></worldbody></mujoco>");
  write("scene.xml",
        "<mujoco><asset><model name='kid' file='kid/kid.xml'/><mesh file='a.obj'/>"
        "</asset><worldbody><attach model='kid' body='b' prefix='p_'/></worldbody>"
        "</mujoco>");
  const Spec spec = load(folder_ / "scene.xml");
  ASSERT_EQ(spec.meshes.size(), 3u);
  EXPECT_EQ(spec.meshes[0].name, "a");
  EXPECT_EQ(spec.meshes[1].name, "p_a");
  EXPECT_EQ(fs::path(spec.meshes[1].file).lexically_relative(fs::canonical(folder_)),
            "kid/m/a.obj");
  EXPECT_EQ(spec.meshes[2].name, "p_u");
  EXPECT_EQ(spec.meshes[2].material, "p_k");
  EXPECT_EQ(spec.hfields[0].name, "p_h");
  const Body& body = spec.worldbody.bodies[0];
  EXPECT_EQ(body.geoms[0].mesh, "p_a");
  EXPECT_EQ(body.geoms[1].hfield, "p_h");
}

TEST(MeshAsset, TheJsonSpellingGivesTheSameSpec) {
  const std::string xml =
      "<mujoco><compiler meshdir='d' strippath='true' fitaabb='true'/><default><mesh "
      "scale='.1 .2 .3'/></default><asset><mesh file='a/b.obj' maxhullvert='8'/><mesh name='m' " +
      points +
      " face='0 1 2' refquat='1 2 3 4'/><mesh name='s' builtin='sphere' params='2'/><hfield "
      "name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='.1 .2 .3 .4'/></asset><worldbody><geom "
      "type='mesh' mesh='m'/><geom type='hfield' hfield='h'/></worldbody></mujoco>";
  const Spec from_xml = load_string(xml, Format::xml);
  const Spec from_json = load_string(to_json(xml, Format::xml), Format::json);
  EXPECT_EQ(SpecText(from_xml).text(), SpecText(from_json).text());
}

}  // namespace
}  // namespace swept::test
