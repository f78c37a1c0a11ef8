// SPDX-License-Identifier: Apache-2.0
// Meshes that collide as they are: which geoms a tuple names, what is known of their
// surfaces, and what is refused.
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/explain.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace swept {
namespace {

constexpr const char* vertices = "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1";
constexpr const char* sides =
    "0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7  0 2 1  0 3 2";
constexpr const char* lid = "  4 5 6  4 6 7";

std::string tuple_of(const std::string& names) {
  std::string text = "<tuple name='nonconvex'>";
  std::istringstream stream(names);
  for (std::string name; stream >> name;) {
    text += "<element objtype='geom' objname='" + name + "'/>";
  }
  return text + "</tuple>";
}

std::string scene_of(const std::string& faces, const std::string& names,
                     const std::string& more = "", const std::string& inertia = "convex") {
  return "<mujoco><asset><mesh name='box' inertia='" + inertia + "' vertex='" + vertices +
         "' face='" + faces + "'/></asset><custom>" + tuple_of(names) +
         "</custom><worldbody><body><freejoint/><geom name='a' type='mesh' mesh='box'/></body>"
         "<body><freejoint/><geom name='b' type='mesh' mesh='box'/></body>"
         "<body><freejoint/><geom name='ball' size='1'/></body>" +
         more + "</worldbody></mujoco>";
}

Model model_of(const std::string& xml) {
  return compile(load_string(xml, Format::xml));
}

std::string refusal_of(const std::string& xml) {
  try {
    model_of(xml);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Surfaces, AreTheGeomsThatATupleNames) {
  const Model m = model_of(scene_of(std::string(sides) + lid, "b"));
  EXPECT_EQ(m.geom_surface, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(m.mesh_closed, std::vector<int>{1});
  // only pairs with that geom are collided face by face
  std::map<std::array<int, 2>, int> kinds;
  for (int c = 0; c < m.ncandidate; ++c) {
    const auto i = static_cast<std::size_t>(c);
    kinds[{m.candidate_geom1[i], m.candidate_geom2[i]}] = m.candidate_kind[i];
  }
  EXPECT_EQ((kinds[{0, 1}]), collide_surface);
  EXPECT_EQ((kinds[{2, 1}]), collide_surface);
  EXPECT_EQ((kinds[{2, 0}]), collide_convex);
}

TEST(Surfaces, ChangeNothingWhereNobodyNamesThem) {
  std::string xml = scene_of(std::string(sides) + lid, "b");
  const std::string text = tuple_of("b");
  xml.erase(xml.find(text), text.size());
  const Model m = model_of(xml);
  EXPECT_EQ(m.geom_surface, (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(m.nmeshfacemap, 0);
  EXPECT_EQ(std::count(m.candidate_kind.begin(), m.candidate_kind.end(), collide_surface), 0);
}

TEST(Surfaces, KnowTheFacesAroundTheirCorners) {
  const Model m = model_of(scene_of(std::string(sides) + lid, "a b"));
  ASSERT_EQ(m.nmeshface, 12);
  EXPECT_EQ(m.nmeshfacemap, 36);  // each face stands around three corners
  for (std::size_t v = 0; v < 8; ++v) {
    for (int i = 0; i < m.mesh_facemapnum[v]; ++i) {
      const auto f = static_cast<std::size_t>(
          m.mesh_facemap[static_cast<std::size_t>(m.mesh_facemapadr[v] + i)]);
      const auto first = m.mesh_face.begin() + static_cast<std::ptrdiff_t>(3 * f);
      EXPECT_NE(std::find(first, first + 3, static_cast<int>(v)), first + 3) << v;
    }
  }
}

TEST(Surfaces, TakeVerticesAtOnePlaceForOneCorner) {
  // the lid has vertices of its own, as in files that list the corners of every face
  const std::string twice = std::string(vertices) + "  0 0 1  1 0 1  1 1 1  0 1 1";
  std::string xml = scene_of(std::string(sides) + "  8 9 10  8 10 11", "a");
  xml.replace(xml.find(vertices), std::string(vertices).size(), twice);
  const Model m = model_of(xml);
  EXPECT_EQ(m.mesh_closed, std::vector<int>{1});
  EXPECT_EQ(m.nmeshfacemap, 36);
}

TEST(Surfaces, WithAHoleAreSheetsAndSayIt) {
  const Model m = model_of(scene_of(sides, "a", "", "shell"));
  EXPECT_EQ(m.mesh_closed, std::vector<int>{0});
  EXPECT_TRUE(std::any_of(m.notices.begin(), m.notices.end(), [](const std::string& notice) {
    return notice.find("geom 'a' collides as a sheet with two sides") != std::string::npos;
  }));
  // a face that runs the other way leaves edges that are run through twice
  const Model turned = model_of(scene_of(std::string(sides) + "  4 6 5  4 6 7", "a", "", "shell"));
  EXPECT_EQ(turned.mesh_closed, std::vector<int>{0});
}

TEST(Surfaces, HaveATreeThatCanBeWalkedWithoutAStack) {
  const Model m = model_of(scene_of(std::string(sides) + lid, "a"));
  // passing by nothing leads through all nodes; passing by a node leads past what is below it
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int node = 0; node < m.nmeshbvh; ++node) {
    const int next = m.meshbvh_next[at(node)];
    if (m.meshbvh_face[at(node)] >= 0) {
      EXPECT_EQ(next, node + 1);
    } else {
      EXPECT_EQ(next, m.meshbvh_next[at(m.meshbvh_child[at(2 * node + 1)])]);
      EXPECT_EQ(m.meshbvh_next[at(m.meshbvh_child[at(2 * node)])],
                m.meshbvh_child[at(2 * node + 1)]);
    }
  }
  EXPECT_EQ(m.meshbvh_next[0], m.nmeshbvh);
}

TEST(Surfaces, ThatCannotBeAreRefused) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' lacks " << part;
  };
  const std::string closed = std::string(sides) + lid;
  has(refusal_of(scene_of(closed, "c")), "there is no geom 'c'");
  has(refusal_of(scene_of(closed, "a ball")), "geom 'ball' is no mesh");
  std::string body = scene_of(closed, "a");
  body.replace(body.find("objtype='geom'"), 14, "objtype='body'");
  has(refusal_of(body), "names the body 'a'");
  has(refusal_of(scene_of(closed, "a",
                          "<geom name='field' type='hfield' hfield='field'/></worldbody><asset>"
                          "<hfield name='field' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
                          "<worldbody>")),
      "it may meet geom 'field', a height field");
  // from inside
  has(refusal_of(scene_of("0 5 1  0 4 5  1 6 2  1 5 6  2 7 3  2 6 7  3 4 0  3 7 4  0 1 2  0 2 3  "
                          "4 6 5  4 7 6",
                          "a")),
      "inside out");
  std::string parity = scene_of(closed, "a");
  parity.replace(parity.find("<custom>"), 8,
                 "<option><flag speculative='enable'/></option><custom>"
                 "<text name='speculative_mode' data='parity'/>");
  has(refusal_of(parity), "do not go with speculative_mode");
}

TEST(Surfaces, StaySoInCopies) {
  const auto replaced = [](std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
  };
  std::string xml = scene_of(std::string(sides) + lid, "b");
  xml = replaced(xml, "<body><freejoint/><geom name='b' type='mesh' mesh='box'/></body>",
                 "<replicate count='3' offset='3 0 0'><body><freejoint/><geom name='b' type='mesh' "
                 "mesh='box'/></body></replicate>");
  EXPECT_EQ(model_of(xml).geom_surface, (std::vector<int>{0, 1, 1, 1, 0}));
}

TEST(Surfaces, AreReadFromJson) {
  const Model m = compile(load_string(R"({"mujoco": {
    "asset": {"mesh": {"name": "pyramid", "vertex": [0,0,0, 1,0,0, 0,1,0, 0,0,1],
                       "face": [0,2,1, 0,1,3, 1,2,3, 2,0,3]}},
    "custom": {"tuple": {"name": "nonconvex", "element": {"objtype": "geom", "objname": "a"}}},
    "worldbody": {"geom": {"name": "a", "type": "mesh", "mesh": "pyramid"}}}})",
                                      Format::json));
  EXPECT_EQ(m.geom_surface, std::vector<int>{1});
  EXPECT_EQ(m.mesh_closed, std::vector<int>{1});
}

TEST(Surfaces, AreNamedWhereAPairIsExplained) {
  const Spec spec = load_string(scene_of(std::string(sides) + lid, "b"), Format::xml);
  EXPECT_EQ(collider_name(explain_collision(spec, "a", "b").collider), "surface");
}

}  // namespace
}  // namespace swept
