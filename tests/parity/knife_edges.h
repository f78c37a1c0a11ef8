// SPDX-License-Identifier: Apache-2.0
// States in which rounding decides, so that two right answers differ: found from the official
// library alone, never from a difference.
#pragma once

#include "parity/scenes.h"
#include "support/near.h"

namespace swept::test {

/// Contacts of the official library's present state that rounding decides: their number changes if
/// all margins move by the width of a rounding, or a normal is the direction between two points
/// that all but coincide (axes of capsules that cross). Kinematics must be up to date; contacts and
/// rows are not afterwards.
bool contacts_on_edge(Scene* scene, Bar precision);

/// Does a row of the present state lack any inverse inertia, so that its regularisation is the
/// smallest that there is? Its force is 1e15 times a round-off then. Rows must be up to date.
bool rows_are_rigid(const Scene& scene);

}  // namespace swept::test
