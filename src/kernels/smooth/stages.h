// SPDX-License-Identifier: Apache-2.0
// The stages of the smooth dynamics. Each runs over the first `nblocks` blocks of a tile and reads
// and writes its scratch; `t` is an address in the device's memory. All do nothing while the tile
// is halted.
#pragma once

#include "kernels/base/context.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// qpos to frames, centres of mass, lengths, M and its factor: the five stages below.
void position(const Context& ctx, const Tile* t, int nblocks);
/// Frames of bodies, joints, geoms, sites.
void kinematics(const Context& ctx, const Tile* t, int nblocks);
/// subtree_com, cinert, cdof.
void com_pos(const Context& ctx, const Tile* t, int nblocks);
/// ten_length, actuator_length.
void transmission(const Context& ctx, const Tile* t, int nblocks);
/// crb, M.
void make_m(const Context& ctx, const Tile* t, int nblocks);
/// qLD, qLDiagInv.
void factor_m(const Context& ctx, const Tile* t, int nblocks);

/// qvel to velocities, bias and passive forces: the three stages below.
void velocity(const Context& ctx, const Tile* t, int nblocks);
/// cvel, cdof_dot, cacc, cfrc_body, qfrc_bias.
void rne(const Context& ctx, const Tile* t, int nblocks);
/// qfrc_fluid, where there is a medium. (Apart from the next stage, which would need the registers.)
void fluid(const Context& ctx, const Tile* t, int nblocks);
/// ten_velocity, actuator_velocity, qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_passive.
void passive(const Context& ctx, const Tile* t, int nblocks);

/// ctrl and act to act_dot, actuator_force, qfrc_actuator.
void actuation(const Context& ctx, const Tile* t, int nblocks);

/// qfrc_smooth, qacc_smooth.
void acceleration(const Context& ctx, const Tile* t, int nblocks);

}  // namespace swept::SWEPT_NS
