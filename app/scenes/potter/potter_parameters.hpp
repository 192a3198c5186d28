#pragma once
// Settings of the scene Potter.

#include "app/potter/clay.hpp"
#include "app/potter/shapes/clay_shapes.hpp"
#include "app/scenes/hands/hand_bodies.hpp"
#include "app/scenes/scene.hpp"

namespace claybox::app {

/// Indices into potter_parameters().
enum PotterParameter : std::size_t {
    kEffect,
    kTool,
    kRadius,
    kStrength,
    kFalloff,
    kToolSize,
    kMirror,
    kRadial,
    kKeepVolume,
    kCutKeeps,
    kSpeed,
    kSpinTouched,
    kHands,
    kFinish,
    kWire,
    kThinWalls,
    kMinWall,
    kShape,
    kFaces,
    kPolygons,
    kDetail,
    kDetailEdge,
    kBudget,
    kWall,
    kFloor
};

std::span<const collision::Parameter> potter_parameters();
std::span<const ParameterSection> potter_sections();
ParameterPalette potter_palette();
/// A change of these builds the clay anew.
inline constexpr std::uint32_t kPotterRebuild = 1u << kShape | 1u << kPolygons | 1u << kFaces;

/// What the parameters say to the clay and to the hand.
ClayBrush potter_brush(const collision::ParameterValues& values);
DetailSettings potter_detail(const collision::ParameterValues& values);
HollowSize potter_hollow(const collision::ParameterValues& values);
HandTool potter_tool(const collision::ParameterValues& values);
/// Whether a part of the hand shapes the clay that it touches. Of a whole hand, each part pushes, but only
/// the tip of the index finger is a brush: a palm that also adds clay hides where it does.
bool potter_part_works(const collision::ParameterValues& values, std::size_t part);
/// Half the diameter of a tool that is an object, metres; 0 for parts of the hand.
double potter_object_radius(const collision::ParameterValues& values);
bool potter_tool_is_ball(const collision::ParameterValues& values);

}  // namespace claybox::app
