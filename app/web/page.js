// Loads the program, shows how far that is, and connects it with the browser: its files, its settings and its keys.
// A query such as ?scene=potter&dark becomes the command line --scene potter --dark.
"use strict";

const kHome = "/home/web_user", kFiles = "/files";  // settings and autosave; what the program saves for the user
const kSaveEvery = 5000;  // ms

const words = document.getElementById("words"), bar = document.getElementById("bar");
const canvas = document.getElementById("canvas");

function fail(sentence) {
  document.getElementById("loading").hidden = false;
  bar.hidden = true;
  words.textContent = sentence;
}

/// Command line of the page's address.
function commandLine() {
  const out = [];
  for (const [name, value] of new URLSearchParams(location.search)) {
    out.push("--" + name);
    if (value !== "") out.push(value);
  }
  return out;
}

/// Loads files and adds up their progress.
async function load(names) {
  const parts = await Promise.all(names.map((name) => fetch(name)));
  for (const part of parts) if (!part.ok) throw new Error(`${part.url}: ${part.status} ${part.statusText}`);
  const total = parts.reduce((sum, part) => sum + Number(part.headers.get("Content-Length")), 0);
  let loaded = 0;
  return Promise.all(parts.map(async (part) => {
    const chunks = [];
    const reader = part.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      chunks.push(chunk.value);
      loaded += chunk.value.length;
      if (total > 0) bar.value = Math.min(1, loaded / total);  // packed files are longer than announced
    }
    return new Blob(chunks).arrayBuffer();
  }));
}

/// Offers a finished file as a download.
function deliver(path) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([FS.readFile(path)], {type: "application/octet-stream"}));
  link.download = path.split("/").pop();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  FS.unlink(path);
}

/// Every file of the program gets its name when it is complete. Those of its working folder are for the user.
function watchFiles() {
  FS.mkdir(kFiles);
  FS.chdir(kFiles);
  const rename = FS.rename;
  FS.rename = (from, to) => {
    rename(from, to);
    const folder = to.slice(0, to.lastIndexOf("/"));
    if (folder === kFiles) setTimeout(() => deliver(to), 0);
  };
}

/// Settings and the autosaved pot live in the browser's database.
async function openHome() {
  FS.mount(IDBFS, {}, kHome);
  await new Promise((done) => FS.syncfs(true, done));
  let saving = false;
  const save = () => {
    if (saving) return;
    saving = true;
    FS.syncfs(false, () => { saving = false; });
  };
  setInterval(save, kSaveEvery);
  document.addEventListener("visibilitychange", save);
}

/// Keys that mean something to the program and would leave the page or cover it. The browser keeps reload, full screen and its tools.
function keepKeys() {
  const browser = new Set(["F5", "F11", "F12"]);
  window.addEventListener("keydown", (event) => {
    const letters = event.ctrlKey && ["p", "s", "d", "e", "k", "a", "z", "y"].includes(event.key.toLowerCase());
    const function_key = /^F\d+$/.test(event.key) && !browser.has(event.key);
    if (letters || function_key || event.key === "Tab" || event.key === "/") event.preventDefault();
    if (event.key === "/") canvas.dispatchEvent(new KeyboardEvent("keypress", {charCode: 47, bubbles: true}));
  }, true);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}

async function start() {
  if (!document.createElement("canvas").getContext("webgl2"))
    return fail("This browser has no WebGL 2. Use a recent one, and switch on hardware acceleration in its settings.");
  const [program, data] = await load(["claybox.wasm", "claybox.data"]);
  window.Module = {
    canvas, wasmBinary: program, getPreloadedPackage: () => data,
    preRun: [() => { ENV.CLAYBOX_ASSETS = "/assets"; }],
    onAbort: (why) => fail(`The program has ended: ${why}`),
    onRuntimeInitialized: async () => {
      watchFiles();
      await openHome();
      keepKeys();
      listenToTouches(canvas);
      document.getElementById("loading").hidden = true;
      const problems = [];
      Module.printErr = (text) => { problems.push(text); console.warn(text); };
      if (Module.callMain(commandLine()) !== 0) fail(problems.join("\n"));
      canvas.focus();
    },
  };
  const script = document.createElement("script");
  script.src = "claybox.js";
  script.onerror = () => fail("The file claybox.js cannot be loaded.");
  document.body.append(script);
}

start().catch((error) => fail(location.protocol === "file:"
  ? "A browser loads programs from a server only: ./scripts/web serve starts one."
  : `Claybox cannot be loaded: ${error.message}`));
