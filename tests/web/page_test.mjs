#!/usr/bin/env node
// Opens the page in a headless Chromium, presses a button and dents a pot with the mouse and with a finger, and compares the
// recordings with the program of the desktop: its replay must have the same hash in every frame. Then other ways of input, and
// all scenes.
//   page_test.mjs PAGE_FOLDER PROGRAM [--pictures FOLDER]
// The environment variable CLAYBOX_CHROMIUM names another browser than `chromium`.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {serve} from "./browser.mjs";
import {Page, centre, expect, pause} from "./page.mjs";
import {dropFiles, keepSettings, padScript, twoFingers, useGamepad} from "./page_input.mjs";

const kMostBytes = 10e6;     // of the page's folder
const kFewestColours = 300;  // of a picture that shows more than its background
const [pageFolder, program, , pictures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "claybox-web-"));

/// The desktop program repeats the recording and compares the hash of every frame.
function replay(recording, name) {
  const file = join(folder, name);
  writeFileSync(file, recording);
  const out = execFileSync(program, ["replay", file, "--headless", "--hash"], {encoding: "utf8"});
  return out.trim().split(/\s+/).pop();
}

async function withPage(url, query, body, options = {}) {
  const page = await Page.open(url, query, {...options, pictures});
  try {
    return await body(page);
  } finally {
    await page.browser.close();
  }
}

/// One poke on a key's label presses it once and switches the algorithm.
async function pressButton(page) {
  const [x, y] = centre(await page.widget((w) => w.label === "algorithm" && w.kind === "label", "the button 'Next algorithm'"));
  const before = await page.report();
  await page.browser.mouse("mouseMoved", x, y);
  await page.frames(6);
  await page.browser.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
  await page.state((s) => s.figures.presses > 0, "a press");
  await page.picture("buttons.png");
  await page.browser.mouse("mouseReleased", x, y, {button: "left", clickCount: 1});
  const after = await page.state((s) => s.figures.releases > 0, "the release");
  expect(after.figures.presses === 1, "one poke caused more than one press");
  expect(after.pair !== before.pair, "the button did not switch the algorithm");
  return replay(await page.close(), "buttons.rec");
}

/// A drag on the pot, by `press`, `move` and `release`, dents it.
async function dentPot(page, {press, move, release}, picture) {
  const mouth = await page.widget((w) => w.kind === "label" && w.label.startsWith("Mouth"), "the label of the mouth");
  const height = await page.widget((w) => w.kind === "label" && w.label.startsWith("Height"), "the label of the height");
  const x = centre(mouth)[0], y = centre(height)[1];
  expect((await page.report()).figures.polygons_moved === 0, "the pot was dented before anyone touched it");
  await press(x, y);
  for (let i = 0; i < 8; ++i) {
    await move(x - 4 * i, y + 3 * i);
    await page.frames(6);
  }
  await page.state((s) => s.figures.polygons_moved > 0 || s.figures.strokes > 0, "a dent");
  await page.picture(picture);
  await release(x - 28, y + 21);
  await page.frames(10);
}

function byMouse(browser) {
  return {
    press: async (x, y) => {
      await browser.mouse("mouseMoved", x, y);
      await pause(0.3);
      await browser.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
    },
    move: (x, y) => browser.mouse("mouseMoved", x, y, {button: "left", buttons: 1}),
    release: (x, y) => browser.mouse("mouseReleased", x, y, {button: "left", clickCount: 1}),
  };
}

function byFinger(browser) {
  return {
    press: async (x, y) => {
      await browser.send("Emulation.setTouchEmulationEnabled", {enabled: true});
      await browser.touch("touchStart", [x, y]);
    },
    move: (x, y) => browser.touch("touchMove", [x, y]),
    release: () => browser.touch("touchEnd"),
  };
}

/// A control of the right column, scrolled into view with the wheel.
async function scrolledTo(page, label) {
  const [x, y] = centre(await page.widget((w) => w.kind === "card", "a card to scroll over"));
  for (let turn = 0; turn < 40; ++turn) {
    const found = (await page.report()).widgets.find((w) => w.visible && w.label === label);
    if (found) return found;
    await page.browser.mouse("mouseWheel", x, y, {deltaX: 0, deltaY: 100});
    await page.frames(3);
  }
  throw new Error(`the column has no visible '${label}'`);
}

/// The STL file of the pot arrives as a download.
async function exportStl(page) {
  await page.browser.value(`window.delivered = []; const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { blob.arrayBuffer().then((b) => delivered.push(b)); return make.call(URL, blob); }; 0`);
  await page.click(await scrolledTo(page, "STL"));
  const end = Date.now() + 30000;
  while ((await page.browser.value("delivered.length")) === 0) {
    expect(Date.now() < end, "no file was delivered");
    await pause(0.1);
  }
  // A binary file has 84 bytes before its triangles, then 50 for each: a normal, three corners in millimetres, two bytes.
  const [bytes, triangles, height] = await page.browser.value(`(() => {
    const view = new DataView(delivered[0]), zs = [];
    for (let at = 84; at + 50 <= view.byteLength; at += 50) for (const corner of [20, 32, 44]) zs.push(view.getFloat32(at + corner, true));
    return [view.byteLength, view.getUint32(80, true), zs.reduce((a, z) => Math.max(a, z), -Infinity) - zs.reduce((a, z) => Math.min(a, z), Infinity)];
  })()`);
  expect(triangles > 1000 && bytes === 84 + 50 * triangles, `${bytes} bytes cannot be ${triangles} triangles of a binary STL file`);
  expect(height > 50 && height < 1000, `the pot is ${height} mm high`);
}

/// The hand of a headset arrives in the scene, and both eyes show a picture. The recording has the hand's way.
async function useHeadset(page) {
  await page.browser.send("Input.dispatchKeyEvent", {type: "keyDown", key: "v", code: "KeyV", windowsVirtualKeyCode: 86});
  await page.frames(3);
  await page.browser.send("Input.dispatchKeyEvent", {type: "keyUp", key: "v", code: "KeyV", windowsVirtualKeyCode: 86});
  await page.state((s) => s.headset.running && s.headset.frames > 10, "frames in the headset");
  await page.frames(10);
  for (let i = 0; i <= 20; ++i) {
    await page.browser.value(`fakeHeadset.hand = [0.2, 1.2, ${-0.3 - 0.005 * i}]; 0`);
    await page.frames(2);
  }
  await page.frames(10);
  const colours = await page.browser.value("fakeHeadset.colours()");
  expect(colours.every((count) => count > 20), `the eyes show pictures of ${colours} different bytes`);
  await page.picture("headset.png");
  await page.browser.value("fakeHeadset.end(); 0");
  await page.state((s) => !s.headset.running, "the end of the headset's session");
  const from = (await page.report()).frame;
  await page.state((s) => s.frame > from + 10, "frames of the window after the headset's");
  const recording = await page.close();
  const lines = recording.split("\n").slice(1).filter((line) => line.includes('"parts"')).map((line) => JSON.parse(line));
  const tips = lines.filter((line) => line.hands[0] !== null).map(partZ);
  const way = Math.max(...tips) - Math.min(...tips);
  expect(way > 0.05, `the recorded hand moved by ${way} m`);
  return replay(recording, "headset.rec");
}

/// Each scene draws itself beside its panels, the browser complains about nothing, and it runs as on the desktop.
async function showEveryScene(url) {
  const scenes = JSON.parse(execFileSync(program, ["list", "scene", "--json"], {encoding: "utf8"}));
  for (const {id} of scenes) {
    const hash = await withPage(url, `scene=${id}&no-hint`, async (page) => {
      await page.state((s) => s.frame >= 20, `20 frames of ${id}`, 120);
      const cards = (await page.report()).widgets.filter((w) => w.kind === "card" && w.visible);
      expect(cards.length > 0, `${id} shows no card`);
      const colours = await page.coloursInTheMiddle();
      expect(colours > kFewestColours, `the picture of ${id} has ${colours} colours in its middle`);
      await page.picture(`scene-${id}.png`);
      const complaints = page.browser.console.filter((line) => !line.startsWith("claybox: "));
      expect(complaints.length === 0, `${id}: the browser complains: ${complaints.join("\n")}`);
      return replay(await page.close(), `${id}.rec`);
    });
    console.log(`${id}: hash`, hash);
  }
}

/// Place of the right hand's palm along the view, in a line of a recording.
function partZ(line) {
  return line.hands[0].parts[0][6];
}

function sizeOf(path) {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

async function main() {
  const bytes = sizeOf(pageFolder);
  expect(bytes < kMostBytes, `the page has ${bytes} bytes, expected less than ${kMostBytes}`);
  console.log(`page: ${(bytes / 1e6).toFixed(2)} MB`);
  const server = await serve(pageFolder);
  try {
    console.log("button: hash", await withPage(server.url, "scene=buttons&no-hint", pressButton));
    const pot = "scene=potter&set=polygons%3D1000&no-hint";
    console.log("pot, mouse: hash", await withPage(server.url, pot, async (page) => {
      await dentPot(page, byMouse(page.browser), "pot.png");
      await exportStl(page);
      return replay(await page.close(), "pot.rec");
    }));
    console.log("pot, finger: hash", await withPage(server.url, pot, async (page) => {
      await dentPot(page, byFinger(page.browser), "pot-finger.png");
      return replay(await page.close(), "finger.rec");
    }));
    const headset = readFileSync(new URL("fake_headset.js", import.meta.url), "utf8");
    await withPage(server.url, pot, twoFingers);
    await withPage(server.url, pot, useGamepad, {script: padScript});
    await withPage(server.url, "scene=workbench&no-hint", dropFiles, {records: false});
    await withPage(server.url, "scene=cage&no-hint", (page) => keepSettings(page, server.url), {records: false});
    console.log("two fingers, gamepad, dropped files, kept settings: as expected");
    console.log("headset: hash", await withPage(server.url, "scene=solids&no-hint", useHeadset, {script: headset}));
    await showEveryScene(server.url);
    console.log("passed: the desktop's replay has the same hash in every frame");
  } finally {
    server.close();
    rmSync(folder, {recursive: true});
  }
}

main().catch((error) => {
  console.error(`FAILED: ${error.message}${error.stderr ? "\n" + error.stderr : ""}`);
  process.exit(1);
});
