// SPDX-License-Identifier: Apache-2.0
// The text of the scenes, and its two readers.
#include "parity/query_scenes.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <cmath>
#include <sstream>

namespace swept::test {

const char* const geom_type_names[8] = {"plane",     "hfield",   "sphere", "capsule",
                                        "ellipsoid", "cylinder", "box",    "mesh"};

namespace {

double uniform(std::mt19937* random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(*random);
}
int integer(std::mt19937* random, int n) {
  return std::uniform_int_distribution<int>(0, n - 1)(*random);
}

Scene scene_of(const std::string& name, const std::string& xml) {
  return {name, compile(load_string(xml, Format::xml, name)), Oracle::from_text(xml)};
}

}  // namespace

std::string query_assets() {
  std::mt19937 random(7);
  // a ring of three circles, the middle one drawn in
  std::ostringstream vertices, faces, heights;
  constexpr int n = 12;
  for (int ring = 0; ring < 3; ++ring) {
    for (int i = 0; i < n; ++i) {
      const double angle = 6.283185307179586 * (i + 0.5 * ring) / n;
      const double radius = (ring == 1 ? 0.15 : 0.35) * uniform(&random, 0.9, 1.1);
      vertices << radius * std::cos(angle) << ' ' << radius * std::sin(angle) << ' '
               << 0.3 * (ring - 1) << "  ";
    }
  }
  for (int ring = 0; ring < 2; ++ring) {
    for (int i = 0; i < n; ++i) {
      const int a = ring * n + i, b = ring * n + (i + 1) % n;
      faces << a << ' ' << b << ' ' << b + n << "  " << a << ' ' << b + n << ' ' << a + n << "  ";
    }
  }
  for (int i = 1; i + 1 < n; ++i) {
    faces << 0 << ' ' << i + 1 << ' ' << i << "  " << 2 * n << ' ' << 2 * n + i << ' '
          << 2 * n + i + 1 << "  ";
  }
  for (int i = 0; i < 30; ++i) {
    heights << (integer(&random, 5) == 0 ? 0.0 : uniform(&random, 0, 1)) << ' ';
  }
  return "<asset><mesh name=\"stone\" inertia=\"shell\" vertex=\"" + vertices.str() + "\" face=\"" +
         faces.str() +
         "\"/><hfield name=\"hills\" nrow=\"5\" ncol=\"6\" size=\"0.8 0.6 0.4 0.2\" elevation=\"" +
         heights.str() + "\"/></asset>";
}

std::string random_geom(int type, std::mt19937* random) {
  std::ostringstream text;
  const auto size = [&] { return uniform(random, 0.1, 0.5); };
  text << "type=\"" << geom_type_names[type] << "\" ";
  if (type == mjGEOM_MESH) {
    text << "mesh=\"stone\" ";
  } else if (type == mjGEOM_HFIELD) {
    text << "hfield=\"hills\" ";
  } else if (type == mjGEOM_PLANE) {
    text << "size=\"" << (integer(random, 2) == 0 ? 0.0 : 1.5) << " 1 0.1\" ";
  } else {
    text << "size=\"" << size() << ' ' << size() << ' ' << size() << "\" ";
  }
  return text.str();
}

Scene crowd(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::ostringstream text;
  text << "<mujoco>" << query_assets() << "<asset><material name=\"glass\" rgba=\"1 1 1 0\"/>"
       << "<material name=\"stone\" rgba=\"1 1 1 1\"/></asset><worldbody>";
  for (int type = mjGEOM_PLANE; type <= mjGEOM_MESH; ++type) {
    for (int i = 0; i < n; ++i) {
      const bool fixed = type <= mjGEOM_HFIELD || integer(&random, 4) == 0;
      std::ostringstream place;
      place << "pos=\"" << uniform(&random, -3, 3) << ' ' << uniform(&random, -3, 3) << ' '
            << (type == mjGEOM_PLANE ? -3.0 - i : uniform(&random, -3, 3)) << "\" euler=\""
            << uniform(&random, -40, 40) << ' ' << uniform(&random, -40, 40) << ' '
            << uniform(&random, -40, 40) << "\" ";
      const char* const looks[] = {"",
                                   "",
                                   "",
                                   "rgba=\"1 0 0 0\" ",
                                   "rgba=\"1 0 0 0.1\" ",
                                   "material=\"glass\" ",
                                   "material=\"stone\" rgba=\"1 1 1 0\" "};
      std::ostringstream geom;
      geom << random_geom(type, &random) << "group=\"" << integer(&random, 8) - 1 << "\" "
           << looks[integer(&random, 7)];
      if (fixed) {
        text << "<geom " << geom.str() << place.str() << "/>";
      } else {
        text << "<body " << place.str() << "><joint type=\""
             << (integer(&random, 2) == 0 ? "free" : "ball")
             << "\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom " << geom.str()
             << "/></body>";
      }
    }
  }
  text << "</worldbody></mujoco>";
  return scene_of("crowd " + std::to_string(seed), text.str());
}

Scene couple(int type1, int type2, unsigned seed) {
  std::mt19937 random(seed);
  const bool fixed = type1 == mjGEOM_PLANE || type1 == mjGEOM_HFIELD;
  std::ostringstream text;
  text << "<mujoco>" << query_assets() << "<worldbody>";
  if (fixed) {
    text << "<geom " << random_geom(type1, &random) << "euler=\"10 20 30\"/>";
  } else {
    text << "<body><freejoint/><geom mass=\"1\" " << random_geom(type1, &random) << "/></body>";
  }
  text << "<body><freejoint/><geom mass=\"1\" " << random_geom(type2, &random)
       << "/></body></worldbody></mujoco>";
  return scene_of(std::string(geom_type_names[type1]) + " - " + geom_type_names[type2], text.str());
}

}  // namespace swept::test
