// Ways of input that the recordings of page_test.mjs do not contain: two fingers, a gamepad, dropped files, kept settings.
import {centre, expect, pause} from "./page.mjs";

/// Places of the labels of the pot that are visible; they move with the camera.
async function labels(page) {
  await page.widget((w) => w.kind === "label" && w.label.startsWith("Mouth"), "the label of the mouth");
  const shown = (await page.report()).widgets.filter((w) => w.visible && w.kind === "label" && /^(Mouth|Height)/.test(w.label));
  return Object.fromEntries(shown.map((w) => [w.label, centre(w)]));
}

/// How far the labels moved, in pixels.
function way(now, before) {
  const ways = Object.keys(before).filter((k) => now[k]).map((k) => Math.hypot(now[k][0] - before[k][0], now[k][1] - before[k][1]));
  return Math.max(0, ...ways);
}

async function labelsMove(page, before, what) {
  for (const end = Date.now() + 30000; ; await page.frames(2)) {
    const now = await labels(page);
    if (way(now, before) > 4) return now;
    expect(Date.now() < end, `${what}: the labels stay at ${JSON.stringify(now)}`);
  }
}

/// Two fingers on the pot, moved in steps; `at`: their places after a step.
async function drag(page, at, steps) {
  await page.browser.touch("touchStart", ...at(0));
  for (let i = 1; i <= steps; ++i) {
    await page.browser.touch("touchMove", ...at(i));
    await page.frames(2);
  }
  await page.browser.touch("touchEnd");
  await page.frames(2);
}

/// Two fingers turn the view; drawn apart, they zoom. They leave the clay alone.
export async function twoFingers(page) {
  const before = await labels(page), x = 480, y = 330;
  await page.browser.send("Emulation.setTouchEmulationEnabled", {enabled: true, maxTouchPoints: 2});
  await drag(page, (i) => [[x - 40, y + 8 * i], [x + 40, y + 8 * i]], 6);
  const turned = await labelsMove(page, before, "two fingers that move down");
  await drag(page, (i) => [[x - 40 - 10 * i, y], [x + 40 + 10 * i, y]], 5);
  await labelsMove(page, turned, "two fingers drawn apart");
  expect((await page.report()).figures.polygons_moved === 0, "two fingers have dented the pot");
  await page.picture("two-fingers.png");
}

/// A gamepad as the browser shows it, under the control of the test: `fakePad`.
export const padScript = `
  window.fakePad = {id: "test pad", index: 0, connected: true, mapping: "standard", timestamp: 1, axes: [0, 0, 0, 0],
    buttons: Array.from({length: 17}, () => ({pressed: false, touched: false, value: 0}))};
  navigator.getGamepads = () => [window.fakePad];`;

/// The start button pauses, the right stick turns the view.
export async function useGamepad(page) {
  const kStart = 9, kRightY = 3;
  const press = async (down) => {
    await page.browser.value(`fakePad.buttons[${kStart}] = {pressed: ${down}, touched: ${down}, value: ${down ? 1 : 0}}; 0`);
    await pause(0.3);
  };
  await press(true);
  await page.state((s) => s.paused, "the pause by the start button");
  await press(false);
  await press(true);
  await page.state((s) => !s.paused, "the end of the pause");
  await press(false);
  const before = await labels(page);
  await page.browser.value(`fakePad.axes[${kRightY}] = 0.2; 0`);
  await labelsMove(page, before, "the right stick");
  await page.browser.value(`fakePad.axes[${kRightY}] = 0; 0`);
}

const kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

async function drop(page, name, text) {
  await page.browser.value(`(() => {
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    canvas.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
  })()`);
}

/// A dropped mesh becomes a body, a broken one a message, and a dropped scene opens.
export async function dropFiles(page) {
  const bodies = (await page.report()).bodies;
  await drop(page, "Stück 壺.obj", kTetrahedron);
  await page.state((s) => s.bodies === bodies + 1, "the body of the dropped mesh");
  await drop(page, "broken.obj", "v 1 2\nf 1 2 3\n");
  await page.widget((w) => w.label.includes("broken.obj"), "a message about the broken mesh");
  await page.picture("dropped.png");
  await drop(page, "six.scene", "claybox_scene = 1\nscene = cage\nbodies = 6\n");
  await page.state((s) => s.scene === "cage" && s.bodies >= 6 && s.bodies < 20, "the dropped scene");
}

/// The browser keeps the settings of this address.
export async function keepSettings(page, url) {
  const dark = (await page.report()).dark;
  await page.click(await page.widget((w) => w.label === (dark ? "Light" : "Dark"), "the switch of the colours"));
  await page.state((s) => s.dark !== dark, "other colours");
  await pause(12);  // the program saves its settings, then the page its files
  await page.reload(url, "scene=cage&no-hint");
  expect((await page.report()).dark !== dark, "the page has forgotten the colours");
}
