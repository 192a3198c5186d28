// The part of XrSession that talks with WebXR: a library for Emscripten's linker. xr_session.cpp calls the functions without $ and
// reads the numbers of a frame in the order in which they are written here.
"use strict";

// Methods are written as properties, and nothing takes objects apart: the linker of Debian 12 breaks both.
mergeInto(LibraryManager.library, {
  $WebXr__deps: ["$GL", "$Browser"],
  $WebXr: {
    // Same numbers as Stage in xr_session.cpp.
    kOpening: 0, kRunning: 1, kEnded: 2, kRefused: 3,
    stage: 2, reason: "",
    session: null, layer: null, frame: null, floor: null, local: null, framebuffer: 0,
    moved: false,       // the reference space, since the last frame
    pageFrame: null,    // the page's own way to ask for the next picture

    open: async function(scale) {
      WebXr.stage = WebXr.kOpening;
      try {
        if (!navigator.xr) throw new Error("this browser has no WebXR, or the page does not come from https or this machine");
        const session = await navigator.xr.requestSession("immersive-vr", {optionalFeatures: ["local-floor", "hand-tracking"]});
        session.addEventListener("end", WebXr.onEnd);
        WebXr.session = session;
        await GLctx.makeXRCompatible();
        WebXr.layer = new XRWebGLLayer(session, GLctx, {antialias: false, framebufferScaleFactor: scale});
        session.updateRenderState({baseLayer: WebXr.layer});
        WebXr.local = await session.requestReferenceSpace("local");
        WebXr.floor = await session.requestReferenceSpace("local-floor").catch(() => null);
        for (const space of [WebXr.local, WebXr.floor]) if (space) space.addEventListener("reset", () => { WebXr.moved = true; });
        WebXr.framebuffer = GL.getNewId(GL.framebuffers);
        GL.framebuffers[WebXr.framebuffer] = WebXr.layer.framebuffer;
        WebXr.stage = WebXr.kRunning;
        WebXr.takeLoop((next) => session.requestAnimationFrame((time, frame) => {
          WebXr.frame = frame;
          next(time);
          WebXr.frame = null;
        }));
      } catch (error) {
        WebXr.reason = error.message;
        if (WebXr.session) WebXr.session.end().catch(() => {});
        WebXr.session = null;
        WebXr.stage = WebXr.kRefused;
      }
    },

    onEnd: function() {
      if (WebXr.stage !== WebXr.kRunning) return;
      WebXr.stage = WebXr.kEnded;
      WebXr.session = null;
      GL.framebuffers[WebXr.framebuffer] = null;
      WebXr.takeLoop(null);
    },

    /// The main loop asks `next` for its next picture, or the page again. Its pending request to the other one comes to nothing.
    takeLoop: function(next) {
      WebXr.pageFrame = WebXr.pageFrame ?? Browser.requestAnimationFrame;
      Browser.mainLoop.pause();
      Browser.requestAnimationFrame = next ?? WebXr.pageFrame;
      Browser.mainLoop.resume();
    },

    /// The numbers of this frame, or null without one.
    numbers: function(seated) {
      const frame = WebXr.frame, layer = WebXr.layer, session = WebXr.session;
      const space = seated || !WebXr.floor ? WebXr.local : WebXr.floor;
      const viewer = frame && frame.getViewerPose(space);
      if (!viewer || viewer.views.length !== 2) return null;
      const out = [frame.predictedDisplayTime ?? performance.now(), session.frameRate ?? 0,
        session.visibilityState === "hidden" ? 0 : 1, session.visibilityState === "visible" ? 1 : 0, WebXr.moved ? 1 : 0];
      WebXr.moved = false;
      WebXr.addPose(out, viewer);
      for (const view of viewer.views) WebXr.addView(out, view, layer.getViewport(view));
      for (const side of ["left", "right"]) {
        const sources = [...session.inputSources].filter((source) => source.handedness === side);
        WebXr.addHand(out, frame, space, sources.find((source) => source.hand));
        WebXr.addController(out, frame, space, sources.find((source) => source.gamepad && !source.hand));
      }
      return out;
    },

    /// 8 numbers. Without a pose: zeros.
    addPose: function(out, pose) {
      if (!pose) return out.push(0, 0, 0, 0, 0, 0, 0, 1);
      const p = pose.transform.position, q = pose.transform.orientation;
      out.push(1, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    },

    /// A pose, 4 tangents of the field of view, and the place in the framebuffer: 16 numbers.
    addView: function(out, view, port) {
      WebXr.addPose(out, view);
      const m = view.projectionMatrix;
      out.push((m[8] - 1) / m[0], (m[8] + 1) / m[0], (m[9] + 1) / m[5], (m[9] - 1) / m[5], port.x, port.y, port.width, port.height);
    },

    /// Whether there is a hand, then 25 joints of a pose and a radius, from the wrist on.
    addHand: function(out, frame, space, source) {
      out.push(source ? 1 : 0);
      const joints = source ? [...source.hand.values()] : Array(25).fill(null);
      for (const joint of joints) {
        const pose = joint && frame.getJointPose(joint, space);
        WebXr.addPose(out, pose);
        out.push(pose ? pose.radius : 0);
      }
    },

    /// Whether there is a controller, grip, aim, trigger, squeeze, stick right and away, three buttons: 24 numbers.
    addController: function(out, frame, space, source) {
      out.push(source ? 1 : 0);
      WebXr.addPose(out, source && source.gripSpace && frame.getPose(source.gripSpace, space));
      WebXr.addPose(out, source && frame.getPose(source.targetRaySpace, space));
      const button = (i) => source && source.gamepad.buttons[i] ? source.gamepad.buttons[i].value : 0;
      const axis = (i) => source && source.gamepad.axes[i] ? source.gamepad.axes[i] : 0;
      out.push(button(0), button(1), axis(2), -axis(3), button(4), button(5), 0);
    },
  },

  claybox_xr_open__deps: ["$WebXr"],
  claybox_xr_open: function(scale) { WebXr.open(scale); },
  claybox_xr_stage__deps: ["$WebXr"],
  claybox_xr_stage: function() { return WebXr.stage; },
  claybox_xr_reason__deps: ["$WebXr"],
  claybox_xr_reason: function(text, size) { stringToUTF8(WebXr.reason, text, size); },
  claybox_xr_end__deps: ["$WebXr"],
  claybox_xr_end: function() { if (WebXr.session) WebXr.session.end().catch(function() {}); },
  claybox_xr_has_floor__deps: ["$WebXr"],
  claybox_xr_has_floor: function() { return WebXr.floor ? 1 : 0; },
  claybox_xr_framebuffer__deps: ["$WebXr"],
  claybox_xr_framebuffer: function() { return WebXr.framebuffer; },
  /// Writes the numbers of this frame, `size` at most. 0: there is no frame.
  claybox_xr_frame__deps: ["$WebXr"],
  claybox_xr_frame: function(seated, numbers, size) {
    const found = WebXr.numbers(seated);
    if (!found || found.length !== size) return 0;
    HEAPF64.set(found, numbers >> 3);
    return 1;
  },
  claybox_xr_buzz__deps: ["$WebXr"],
  claybox_xr_buzz: function(left, seconds, amplitude) {
    if (!WebXr.session) return;
    for (const source of WebXr.session.inputSources) {
      const motors = source.gamepad && source.gamepad.hapticActuators;
      if (source.handedness === (left ? "left" : "right") && motors && motors[0]) motors[0].pulse(amplitude, 1000 * seconds);
    }
  },
});
