// The page with its program, as the tests see it.
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {Browser} from "./browser.mjs";

const kSize = {width: 1024, height: 640};
export const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

export function expect(condition, what) {
  if (!condition) throw new Error(what);
}

export function centre(widget) {
  const [x0, y0, x1, y1] = widget.rect;
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/// One page with its program.
export class Page {
  constructor(browser, pictures) {
    this.browser = browser;
    this.pictures = pictures;
  }

  /// `script`: runs before those of the page. `pictures`: folder for screenshots, if any. A recording can contain no mesh files.
  static async open(url, query, {script, pictures, records = true} = {}) {
    const page = new Page(new Browser(process.env.CLAYBOX_CHROMIUM ?? "chromium", kSize, script), pictures);
    await page.browser.open(`${url}?${query}&ui-scale=1&report=/report.json${records ? "&record=/session.rec" : ""}`);
    await page.started();
    return page;
  }

  started() {
    return this.state((s) => s.frame > 2 && s.widgets.length > 0, "the first frames", 120);
  }

  /// Loads the page again, with another query.
  async reload(url, query) {
    await this.browser.value("window.isOld = true");
    await this.browser.send("Page.navigate", {url: `${url}?${query}&ui-scale=1&report=/report.json`});
    for (const end = Date.now() + 30000; await this.browser.value("window.isOld").catch(() => true); await pause(0.1))
      expect(Date.now() < end, "the page does not load again");
    await this.started();
  }

  async click(widget) {
    const [x, y] = centre(widget);
    await this.browser.mouse("mouseMoved", x, y);
    await this.frames(3);
    await this.browser.mouse("mousePressed", x, y, {button: "left", clickCount: 1});
    await this.frames(3);
    await this.browser.mouse("mouseReleased", x, y, {button: "left", clickCount: 1});
    await this.frames(3);
  }

  async report() {
    const text = await this.browser.value("window.Module?._claybox_report ? UTF8ToString(Module._claybox_report()) : ''");
    return text ? JSON.parse(text) : null;
  }

  /// Waits for a report that satisfies `wanted` and returns it.
  async state(wanted, what, seconds = 60) {
    const end = Date.now() + 1000 * seconds;
    for (let last = null; Date.now() < end; await pause(0.05)) {
      last = await this.report().catch(() => null);
      if (last && wanted(last)) return last;
    }
    const words = await this.browser.value("document.body.innerText").catch(() => "");
    throw new Error(`waited ${seconds} s for ${what}; the page says '${words}' and the console:\n${this.browser.console.join("\n")}`);
  }

  async widget(wanted, what) {
    let found;
    await this.state((s) => (found = s.widgets.find((w) => w.visible && wanted(w))), what);
    return found;
  }

  async frames(count) {
    const from = (await this.report()).frame;
    await this.state((s) => s.frame >= from + count, `${count} frames`);
  }

  /// Number of different colours in a square of 240 pixels around the middle of the picture.
  async coloursInTheMiddle() {
    const data = (await this.browser.screenshot()).toString("base64");
    return this.browser.value(`(async () => {
      const image = await createImageBitmap(await (await fetch("data:image/png;base64,${data}")).blob());
      const canvas = new OffscreenCanvas(240, 240), context = canvas.getContext("2d");
      context.drawImage(image, (image.width - 240) / 2, (image.height - 240) / 2, 240, 240, 0, 0, 240, 240);
      return new Set(new Uint32Array(context.getImageData(0, 0, 240, 240).data.buffer)).size;
    })()`);
  }

  async picture(name) {
    if (!this.pictures) return;
    mkdirSync(this.pictures, {recursive: true});
    writeFileSync(join(this.pictures, name), await this.browser.screenshot());
  }

  /// Closes the program and returns its recording.
  async close() {
    await this.browser.value("Module._claybox_close()");
    const start = Date.now();
    while (!await this.browser.value("FS.analyzePath('/session.rec').exists")) {
      expect(Date.now() - start < 30000, "no recording is there after the end");
      await pause(0.05);
    }
    return this.browser.value("FS.readFile('/session.rec', {encoding: 'utf8'})");
  }
}

