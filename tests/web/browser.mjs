// A page in a headless Chromium, driven by the DevTools protocol through a pipe, and a server of static files. No packages.
import {spawn} from "node:child_process";
import {createReadStream, mkdtempSync, rmSync, statSync} from "node:fs";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import {extname, join, normalize} from "node:path";

const kTypes = {".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml"};

/// Serves a folder at a free port of this machine.
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    const file = join(folder, path === "/" ? "index.html" : path);
    try {
      response.writeHead(200, {"Content-Type": kTypes[extname(file)] ?? "application/octet-stream", "Content-Length": statSync(file).size});
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

export class Browser {
  /// `program`: chromium. Everything that it writes is in a folder of its own.
  constructor(program, size, script) {
    this.profile = mkdtempSync(join(tmpdir(), "claybox-page-"));
    const flags = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist", `--user-data-dir=${this.profile}`, `--window-size=${size.width},${size.height}`];
    if (process.getuid() === 0) flags.push("--no-sandbox");
    // A group of its own: close() ends all of its processes. If the test ends first, the closed pipe ends the browser.
    this.process = spawn(program, flags, {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true});
    this.size = size;
    this.script = script;
    this.waiting = new Map();
    this.listeners = [];
    this.number = 0;
    this.console = [];  // lines of the page
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
  }

  take(message) {
    if (message.id !== undefined) {
      const {done, failed} = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      return message.error ? failed(new Error(message.error.message)) : done(message.result);
    }
    if (message.method === "Runtime.consoleAPICalled")
      this.console.push(message.params.args.map((a) => a.value ?? a.description).join(" "));
    if (message.method === "Runtime.exceptionThrown")
      this.console.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
    this.listeners.forEach((listener) => listener(message));
  }

  send(method, params = {}) {
    const id = ++this.number;
    this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + "\0");
    return new Promise((done, failed) => this.waiting.set(id, {done, failed}));
  }

  async open(url) {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    this.session = (await this.send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
    await this.send("Runtime.enable");
    await this.send("Page.enable");
    await this.send("Emulation.setDeviceMetricsOverride", {...this.size, deviceScaleFactor: 1, mobile: false});
    if (this.script) await this.send("Page.addScriptToEvaluateOnNewDocument", {source: this.script});
    await this.send("Page.navigate", {url});
  }

  /// The value of an expression in the page.
  async value(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  mouse(type, x, y, more = {}) {
    return this.send("Input.dispatchMouseEvent", {type, x, y, button: "none", ...more});
  }

  touch(type, ...points) {
    return this.send("Input.dispatchTouchEvent", {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  }

  async screenshot() {
    return Buffer.from((await this.send("Page.captureScreenshot", {format: "png"})).data, "base64");
  }

  async close() {
    const ended = new Promise((done) => this.process.once("exit", done));
    process.kill(-this.process.pid, "SIGKILL");  // the others would still write into the folder after the first has ended
    await ended;
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 10});
  }
}
