// SPDX-License-Identifier: Apache-2.0
// Actuators in general form. With kp, kv, … the parameters of a shortcut:
//
//   tag           gain          bias                 dynamics
//   motor         fixed 1       none                 none
//   position      fixed kp      affine 0 -kp -kv     none, or filterexact(timeconst)
//   velocity      fixed kv      affine 0 0 -kv       none
//   intvelocity   fixed kp      affine 0 -kp -kv     integrator
//   damper        affine 0 0 -kv  none               none
//   cylinder      fixed area    affine bias          filter(timeconst)
//
// All actuator records of a default class are one record. An element takes its mechanical
// attributes (ranges, gear, group …) from it whichever tag wrote it, and its own parameters from
// the nearest class, outwards, whose record was written by the same tag or by `general` with the
// shortcut's gain type. A damping ratio is kept as a positive biasprm[2].
#include "host/load/build.h"

#include <algorithm>
#include <numbers>

namespace swept::load_detail {
namespace {

/// The gain type that the shortcut's records have.
GainType gain_of(std::string_view tag) {
  return tag == "damper" ? GainType::affine : GainType::fixed;
}

/// Puts back what a shortcut decides itself.
void reset_parameters(ActuatorDraft* draft) {
  const Actuator fresh;
  draft->gaintype = fresh.gaintype;
  draft->gainprm = fresh.gainprm;
  draft->biastype = fresh.biastype;
  draft->biasprm = fresh.biasprm;
  draft->dyntype = fresh.dyntype;
  draft->dynprm = fresh.dynprm;
  draft->actdim = fresh.actdim;
  draft->actearly = fresh.actearly;
  draft->actlimited = fresh.actlimited;
  draft->inheritrange = fresh.inheritrange;
  draft->ctrlspec = 0;
}

/// The nearest record that a shortcut takes its parameters from, or null.
const ActuatorDraft* parameter_record(std::string_view tag, const Classes& classes, int index) {
  for (int at = index; at >= 0; at = classes.at(at).parent) {
    const ActuatorDraft& record = classes.at(at).actuator;
    if (record.tag == tag || (record.tag == "general" && record.gaintype == gain_of(tag))) {
      return &record;
    }
  }
  return nullptr;
}

/// Starts a shortcut from the parameters of its record, or from the documented defaults. Only the
/// numbers that are parameters of the shortcut are taken from the record's arrays.
void inherit_parameters(std::string_view tag, const ActuatorDraft* record, ActuatorDraft* draft) {
  reset_parameters(draft);
  if (tag == "damper") {
    draft->gainprm = {};
  }
  if (record == nullptr || tag == "motor") {
    return;
  }
  draft->gainprm[0] = tag == "damper" ? 0.0 : record->gainprm[0];
  if (tag == "damper") {
    draft->gainprm[2] = record->gainprm[2];
  }
  const bool servo = tag == "position" || tag == "intvelocity";
  if (servo) {
    draft->biasprm[2] = record->biasprm[2];
    draft->inheritrange = record->inheritrange;
  }
  if (servo && record->dyntype == DynType::filterexact) {
    draft->dyntype = DynType::filterexact;
    draft->dynprm[0] = record->dynprm[0];
  }
  if (tag == "cylinder") {
    std::copy_n(record->biasprm.begin(), 3, draft->biasprm.begin());
    draft->dynprm[0] = record->dynprm[0];
  }
}

void shape_servo(const Trail& element, ActuatorDraft* draft) {
  const ActuatorParameters& given = draft->given;
  draft->gaintype = GainType::fixed;
  draft->gainprm[0] = given.kp.value_or(draft->gainprm[0]);
  draft->biastype = BiasType::affine;
  draft->biasprm[1] = -draft->gainprm[0];
  if (given.kv.value_or(0.0) < 0.0) {
    element.fail("kv is negative");
  }
  if (given.dampratio.value_or(0.0) < 0.0) {
    element.fail("dampratio is negative");
  }
  if (given.kv) {
    draft->biasprm[2] = -*given.kv;
  }
  if (given.dampratio) {
    draft->biasprm[2] = *given.dampratio;
  }
}

void shape_position(const Trail& element, ActuatorDraft* draft) {
  shape_servo(element, draft);
  if (const std::optional<double> timeconst = draft->given.timeconst) {
    if (*timeconst < 0.0) {
      element.fail("timeconst is negative");
    }
    draft->dynprm[0] = *timeconst;
    draft->dyntype = *timeconst == 0.0 ? DynType::none : DynType::filterexact;
  }
  draft->ctrlspec = control_position;
}

void shape_cylinder(ActuatorDraft* draft) {
  const ActuatorParameters& given = draft->given;
  draft->gaintype = GainType::fixed;
  draft->biastype = BiasType::affine;
  draft->dyntype = DynType::filter;
  draft->dynprm[0] = given.timeconst.value_or(draft->dynprm[0]);
  draft->gainprm[0] = given.area.value_or(draft->gainprm[0]);
  if (given.diameter && *given.diameter >= 0.0) {
    draft->gainprm[0] = std::numbers::pi / 4.0 * *given.diameter * *given.diameter;
  }
  if (given.bias) {
    std::copy(given.bias->begin(), given.bias->end(), draft->biasprm.begin());
  }
  draft->ctrlspec = control_pressure;
}

void shape_shortcut(const Trail& element, ActuatorDraft* draft) {
  const std::string& tag = element.element.tag;
  const ActuatorParameters& given = draft->given;
  if (tag == "position") {
    shape_position(element, draft);
  } else if (tag == "velocity") {
    draft->gaintype = GainType::fixed;
    draft->gainprm[0] = given.kv.value_or(draft->gainprm[0]);
    draft->biastype = BiasType::affine;
    draft->biasprm = {0.0, 0.0, -draft->gainprm[0]};
    draft->ctrlspec = control_velocity;
  } else if (tag == "intvelocity") {
    shape_servo(element, draft);
    draft->dyntype = DynType::integrator;
    // limited whenever there is a range, whatever actlimited says
    draft->actlimited = Tristate::automatic;
    draft->ctrlspec = control_velocity;
  } else if (tag == "damper") {
    const double kv = given.kv.value_or(-draft->gainprm[2]);
    if (kv < 0.0) {
      element.fail("kv is negative");
    }
    draft->gaintype = GainType::affine;
    draft->gainprm = {0.0, 0.0, -kv};
    draft->ctrllimited = Tristate::yes;
  } else if (tag == "cylinder") {
    shape_cylinder(draft);
  }
}

/// A range on the element beats an inherited inheritrange, and the other way round.
void settle_ranges(const Trail& element, ActuatorDraft* draft) {
  const bool inherits = draft->given_inheritrange.value_or(0.0) > 0.0;
  const bool integrates = draft->dyntype == DynType::integrator;
  const bool range_given =
      integrates ? draft->given_actrange.has_value() : draft->given_ctrlrange.has_value();
  if (inherits && range_given && element.element.tag != "general") {
    element.fail(
        std::string(integrates ? "actrange" : "ctrlrange") + " and inheritrange exclude each other",
        "give one of them");
  }
  if (draft->given_ctrlrange) {
    draft->ctrlrange = *draft->given_ctrlrange;
  }
  if (draft->given_actrange) {
    draft->actrange = *draft->given_actrange;
  }
  if (draft->given_inheritrange) {
    draft->inheritrange = std::max(0.0, *draft->given_inheritrange);
  } else if (range_given) {
    draft->inheritrange = 0.0;
  }
}

}  // namespace

void shape_actuator(const Trail& element, const ElementRule& rule, const Classes& classes,
                    int index, ActuatorDraft* draft) {
  const std::string& tag = element.element.tag;
  draft->given = {};
  draft->given_inheritrange.reset();
  draft->given_ctrlrange.reset();
  draft->given_actrange.reset();
  const GainType gaintype = draft->gaintype;
  if (tag != "general") {
    const ActuatorDraft* const record = parameter_record(tag, classes, index);
    inherit_parameters(tag, record, draft);
  }
  store_attributes(element.element, rule, draft);
  if (tag != "general") {
    shape_shortcut(element, draft);
  } else if (draft->gaintype != gaintype) {
    // another kind of gain is another kind of actuator
    draft->ctrlspec = 0;
  }
  settle_ranges(element, draft);
  draft->tag = tag;
}

}  // namespace swept::load_detail
