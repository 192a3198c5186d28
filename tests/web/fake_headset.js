// A headset for tests: the part of WebXR that the program uses, before the page's own scripts. It shows one right hand, whose
// place a test sets by fakeHeadset.hand = [x, y, z], metres in the room.
"use strict";

window.fakeHeadset = {hand: [0.2, 1.2, -0.3], shown: 0, end: null};

(() => {
  const kEye = 256;  // pixels of a side
  const place = (x, y, z) => ({position: {x, y, z, w: 1}, orientation: {x: 0, y: 0, z: 0, w: 1}});
  /// Joints from the wrist, fingers along -z and the back of the hand up: metres.
  const joints = [[0, 0, 0], ...[-0.02, -0.05, -0.08, -0.1].map((z) => [-0.04, 0, z])];
  for (const x of [-0.02, 0, 0.02, 0.04]) joints.push(...[-0.03, -0.09, -0.13, -0.155, -0.175].map((z) => [x, 0, z]));
  const hand = new Map(joints.map((at, i) => [String(i), {at}]));

  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0];  // 90 degrees
  const frame = {
    getViewerPose: () => ({transform: place(0, 1.6, 0), views: [-0.03, 0.03].map((x, eye) => (
      {eye, transform: place(x, 1.6, 0), projectionMatrix: projection}))}),
    getJointPose: (joint) => ({transform: place(...joint.at.map((v, i) => v + fakeHeadset.hand[i])), radius: 0.009}),
    getPose: () => null,
  };

  class Session extends EventTarget {
    visibilityState = "visible";
    inputSources = [{handedness: "right", hand, targetRaySpace: {}}];
    requestAnimationFrame(draw) {
      return window.requestAnimationFrame((time) => {
        if (!this.ended) draw(time, frame);
        ++fakeHeadset.shown;
      });
    }
    updateRenderState(state) { this.layer = state.baseLayer; }
    async requestReferenceSpace() { return new EventTarget(); }
    async end() {
      this.ended = true;
      this.dispatchEvent(new Event("end"));
    }
  }

  window.XRWebGLLayer = class {
    constructor(session, gl) {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2 * kEye, kEye);
      this.framebuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      /// Number of different bytes in the middle row of both eyes.
      fakeHeadset.colours = () => {
        const row = new Uint8Array(4 * 2 * kEye);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
        gl.readPixels(0, kEye / 2, 2 * kEye, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return [new Set(row.subarray(0, 4 * kEye)).size, new Set(row.subarray(4 * kEye)).size];
      };
    }
    getViewport(view) { return {x: view.eye * kEye, y: 0, width: kEye, height: kEye}; }
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};
  Object.defineProperty(navigator, "xr", {value: {requestSession: async () => {
    const session = new Session();
    fakeHeadset.end = () => session.end();
    return session;
  }}});
})();
