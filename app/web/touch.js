// Touches as a mouse. One finger is the left button: the hand, and the panels. Two fingers turn the view, which is the middle
// button; drawing them apart or together zooms, which is Ctrl and the wheel. Also turns the wheel into notches for GLFW.
"use strict";

function listenToTouches(canvas) {
  const kWait = 70;        // ms in which a second finger may follow before the first one presses
  const kStill = 8;        // pixels that a waiting finger may move
  const kPerNotch = 30;    // pixels between the fingers for one notch of the wheel
  let pressed = -1;        // mouse button that is down, or -1
  let waiting = 0;         // timer of the first finger
  let start = null, gap = 0;

  const send = (type, at, button) => canvas.dispatchEvent(new MouseEvent(type, {
    clientX: at.x, clientY: at.y, button: Math.max(button, 0), bubbles: true, cancelable: true}));
  const control = (type) => canvas.dispatchEvent(new KeyboardEvent(type, {
    key: "Control", code: "ControlLeft", keyCode: 17, which: 17, bubbles: true, cancelable: true}));
  const wheel = (notches) => canvas.dispatchEvent(new WheelEvent("wheel", {
    deltaX: 0, deltaY: notches, bubbles: true, cancelable: true}));

  const press = (button, at) => {
    clearTimeout(waiting);
    waiting = 0;
    send("mousemove", at, button);
    send("mousedown", at, button);
    pressed = button;
  };
  const release = (at) => {
    if (pressed >= 0) send("mouseup", at, pressed);
    pressed = -1;
  };
  const middle = (touches) => {
    const sum = {x: 0, y: 0};
    for (const t of touches) { sum.x += t.clientX / touches.length; sum.y += t.clientY / touches.length; }
    return sum;
  };
  const distance = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);

  const down = (event) => {
    const touches = event.targetTouches, at = middle(touches);
    if (touches.length === 1) {
      start = at;
      send("mousemove", at, 0);
      waiting = setTimeout(() => press(0, start), kWait);
    } else if (touches.length === 2) {
      clearTimeout(waiting);
      waiting = 0;
      release(at);
      press(1, at);
      gap = distance(touches);
    }
  };
  const move = (event) => {
    const touches = event.targetTouches, at = middle(touches);
    if (waiting !== 0 && Math.hypot(at.x - start.x, at.y - start.y) > kStill) press(0, start);
    if (waiting !== 0) start = at;
    if (touches.length === 2) zoom(touches);
    send("mousemove", at, pressed);
  };
  const zoom = (touches) => {
    const notches = Math.trunc((distance(touches) - gap) / kPerNotch);
    if (notches === 0) return;
    gap += notches * kPerNotch;
    control("keydown");
    wheel(notches);
    requestAnimationFrame(() => requestAnimationFrame(() => control("keyup")));  // a frame must see the key
  };
  const up = (event) => {
    const at = middle(event.changedTouches);
    if (waiting !== 0) press(0, start);  // a tap
    if (event.targetTouches.length === 0 || pressed === 1) release(at);
  };

  const take = (handler) => (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    handler(event);
  };
  canvas.addEventListener("touchstart", take(down), {passive: false, capture: true});
  canvas.addEventListener("touchmove", take(move), {passive: false, capture: true});
  canvas.addEventListener("touchend", take(up), {passive: false, capture: true});
  canvas.addEventListener("touchcancel", take(up), {passive: false, capture: true});

  // GLFW passes the browser's pixels on as notches, and with the other sign.
  const pixelsPerNotch = 100, linesPerNotch = 3;
  window.addEventListener("wheel", (event) => {
    if (!event.isTrusted || event.target !== canvas) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    wheel(-event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? pixelsPerNotch : linesPerNotch));
  }, {passive: false, capture: true});
  window.addEventListener("mousewheel", (event) => event.stopImmediatePropagation(), true);  // the same under its old name
}
