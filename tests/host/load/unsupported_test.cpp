// SPDX-License-Identifier: Apache-2.0
// What is MJCF and not supported is known by name, refused, and listed all at once.
#include "host/load/load_support.h"

namespace swept::test {
namespace {

TEST(UnsupportedList, OneErrorNamesEveryPlace) {
  const std::string xml =
      "<mujoco>\n<option noslip_iterations='3'><flag sleep='enable'/></option>\n"
      "<worldbody>\n<geom type='sdf' adhesion='2'/>\n"
      "<body><joint name='j' springyield='1'/></body></worldbody>\n"
      "<sensor>\n<clock/>\n<gyro site='s'/></sensor></mujoco>";
  const std::string what = error_of(xml).what();
  for (const char* const part :
       {"7 things are not supported", ":2: mujoco/option: attribute noslip_iterations=\"3\"",
        ":2: mujoco/option/flag: attribute sleep=\"enable\"",
        ":4: mujoco/worldbody/geom: attribute type=\"sdf\"",
        ":4: mujoco/worldbody/geom: attribute adhesion=\"2\"",
        ":5: mujoco/worldbody/body/joint[j]: attribute springyield=\"1\"",
        ":7: mujoco/sensor/clock: element 'sensor/clock'",
        ":8: mujoco/sensor/gyro: element 'sensor/gyro'"}) {
    EXPECT_NE(what.find(part), std::string::npos) << part << "\nin\n" << what;
  }
}

TEST(UnsupportedList, EachFeatureIsRefusedByName) {
  const std::string world =
      "<worldbody><geom name='g' size='1'/><site name='s'/><body name='b'><joint name='j'/></body>"
      "</worldbody>";
  const std::pair<const char*, const char*> features[] = {
      {"<option noslip_iterations='3'/>", "noslip_iterations"},
      {"<option integrator='discrete'/>", "discrete"},
      {"<option><flag override='enable'/></option>", "override"},
      {"<option><flag fwdinv='enable'/></option>", "fwdinv"},
      {"<option><flag invdiscrete='enable'/></option>", "invdiscrete"},
      {"<option><flag sleep='enable'/></option>", "sleep"},
      {"<option><flag diagexact='enable'/></option>", "diagexact"},
      {"<option><flag ipc='enable'/></option>", "ipc"},
      {"<compiler coordinate='global'/>", "coordinate"},
      {"<asset><skin/></asset>", "skin"},
      {"<worldbody><flexcomp name='f'/></worldbody>", "flexcomp"},
      {"<worldbody><frame scale='2'/></worldbody>", "scale"},
      {"<worldbody><geom adhesion='1'/></worldbody>", "adhesion"},
      {"<contact><pair geom1='g' geom2='g' adhesion='1'/></contact>", "adhesion"},
      {"<worldbody><geom type='sdf' mesh='m'/></worldbody>", "sdf"},
      {"<worldbody><geom><plugin plugin='p'/></geom></worldbody>", "plugin"},
      {"<worldbody><site type='mesh' mesh='m'/></worldbody>", "mesh"},
      {"<worldbody><body><joint springyield='1'/></body></worldbody>", "springyield"},
      {"<extension><plugin plugin='p'/></extension>", "plugin"},
      {"<deformable><flex body='b' element='0 1 2'/></deformable>", "flex"},
      {"<equality><connect body1='b' anchor='0 0 0'/></equality>", "connect"},
      {"<equality><weld body1='b'/></equality>", "weld"},
      {"<equality><joint joint1='j'/></equality>", "joint"},
      {"<tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>", "spatial"},
      {"<actuator><motor cranksite='s' slidersite='s'/></actuator>", "slidersite"},
      {"<actuator><general body='b'/></actuator>", "body"},
      {"<actuator><motor joint='j' delay='0.1' nsample='2'/></actuator>", "delay"},
      {"<actuator><general joint='j' dyntype='muscle'/></actuator>", "muscle"},
      {"<actuator><muscle joint='j'/></actuator>", "muscle"},
      {"<actuator><adhesion body='b'/></actuator>", "adhesion"},
      {"<actuator><pid joint='j'/></actuator>", "pid"},
      {"<actuator><dcmotor joint='j'/></actuator>", "dcmotor"},
      {"<actuator><orientation joint='j'/></actuator>", "orientation"},
      {"<sensor><framepos objtype='body' objname='b'/></sensor>", "framepos"},
      {"<sensor><user dim='1'/></sensor>", "user"},
      {"<keyframe><key plastic='1'/></keyframe>", "plastic"},
  };
  for (const auto& [sections, name] : features) {
    const std::string what = error_of_sections(world + sections).what();
    EXPECT_NE(what.find("not supported"), std::string::npos) << sections << "\n" << what;
    EXPECT_NE(what.find(name), std::string::npos) << sections << "\n" << what;
  }
}

TEST(UnsupportedList, NeutralValuesAreAccepted) {
  load_sections(
      "<option density='0' viscosity='0.0' noslip_iterations='0' integrator='Euler'>"
      "<flag override='disable' sleep='disable' energy='enable'/></option>"
      "<default><mesh scale='2 2 2'/><equality solref='0.1 1'/></default>"
      "<worldbody><frame scale='1'><geom surfacevel='0 0 0' adhesion='0' size='1'/></frame>"
      "<body mocap='false' sleep='never'><joint name='j' springyield='0'/></body></worldbody>"
      "<actuator><motor joint='j' delay='0' nsample='0'/></actuator>"
      "<sensor/><equality/><extension/><deformable/>");
}

TEST(UnsupportedList, MistakesInUnsupportedElementsAreStillMistakes) {
  EXPECT_EQ(error_of_sections("<sensor><gyro sit='s'/></sensor>").problem(),
            "unknown attribute 'sit'");
  EXPECT_EQ(error_of_sections("<sensor><gyro/></sensor>").problem(), "attribute 'site' is missing");
  EXPECT_NE(
      error_of_sections("<equality><flexvert flex='f'/></equality>").problem().find("unknown"),
      std::string::npos);
}

}  // namespace
}  // namespace swept::test
