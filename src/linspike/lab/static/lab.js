// linspike lab: one module for the page of `linspike lab` and for recorded runs in the documentation.
// It needs nothing but uPlot, as a global. A backend handles requests: `Server` or `Recording`.

const LEFT = 56, RIGHT = 14, TOP = 6; // px around what is drawn over time
const HIT = 7; // px from a spike that still count as on it
const MOST_UNDO = 100, KEPT_UNDO = 20, MOST_LINK = 150000, MOST_REPLAY = 3000, KEPT_LOOKS = 60;
const SPEEDS = [["1 step/s", 1], ["4 steps/s", 4], ["20 steps/s", 20], ["as fast as it goes", 1000]];
const PLAY_AHEAD = 24; // steps asked for at once
const ASK_AHEAD = 4; // looks asked for at once
const READ_HINT = "Point at a time to read the potentials.";
const KINDS = {
  missing: ["missing", "A desired spike that is not there: V0 must be at the moving threshold here, and below it before."],
  wrong: ["wrong", "A spike that is not desired: V0 must stay below the moving threshold here."],
  right: ["right", "A desired spike that is there, within 1 ms."],
  held: ["held", "A right spike near the edge of its tolerance: it is held where it is."],
  free: ["free", "A right spike: it may move a little, and is no constraint."],
  near: ["its spike", "The spike that stands for a desired one, within 1 ms of it."],
  found: ["found", "Where a spike is cheapest to have: found by changing the threshold until the count is right."],
  moved: ["moves", "A spike that is to come at the time found near it: V0 must stay below the moving threshold here."],
  kept: ["kept", "A spike that is there, and is to be at this time."],
  counted: ["spike", "A spike that is there. The count is not right, so it is neither right nor wrong."],
  spike: ["spike", "A spike that is there. For a count it does not matter when."],
  critical: ["critical", "The moment at which the next spike would come, or the last one would go."],
  other: ["chosen", "The moment at which the rule makes its correction."],
};

// Settings whose names would not say enough on the page.
const LABELS = { delays: "learn delays", max_delay: "longest delay (ms)" };

// ---------------------------------------------------------------- Backends

export class Server {
  // Asks the server that the page came from.
  constructor(token) { this.token = token; }
  async post(name, request, signal) {
    const response = await fetch(`/api/${name}`, {
      method: "POST", body: JSON.stringify(request), signal,
      headers: { "content-type": "application/json", "x-lab-token": this.token },
    }).catch((error) => {
      if (error.name === "AbortError") throw error;
      throw new Error("The lab does not respond. Is `linspike lab` still running?");
    });
    if (response.ok) return response;
    const refusal = await response.json().catch(() => ({}));
    const error = new Error(refusal.error || `The lab refused this (${response.status}).`);
    throw Object.assign(error, { refused: response.status === 422 });
  }
  async ask(name, request, signal) { return (await this.post(name, request, signal)).json(); }
  async * play(request, signal) {
    const response = await this.post("play", request, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const frame = JSON.parse(line);
        if (frame.error) throw new Error(frame.error);
        yield frame;
      }
    }
  }
}

export class Recording {
  // Plays what was recorded: {about, document, runs: [frames with looks, per rule]}.
  constructor(recorded) { this.recorded = recorded; this.readOnly = true; }
  async ask(name, request) {
    if (name === "about") return { ...this.recorded.about, document: this.recorded.document };
    if (name === "read") return request;
    const frames = this.recorded.runs[request.rule || 0];
    if (name === "look") return frames[Math.min(request.state.step, frames.length - 1)].look;
    return { sentences: [] };
  }
  async * play(request) {
    const frames = this.recorded.runs[request.rule || 0], first = request.state.step;
    yield* frames.slice(first, first + request.steps + 1);
  }
}

// ---------------------------------------------------------------- Small helpers

const text = (value) => document.createTextNode(value);
function make(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null).map((child) => child.nodeType ? child : text(child)));
  return made;
}
const clone = (value) => structuredClone(value);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const show = (value, digits = 3) => value == null ? "–" : value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
const ms = (value) => show(value, 1);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const round = (value, digits = 2) => Number(value.toFixed(digits));
const asSentence = (said) => `${said[0].toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

export async function pack(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let raw = "";
  for (let i = 0; i < bytes.length; i += 8192) raw += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
export async function unpack(packed) {
  if (packed.length > MOST_LINK) throw new Error("The link is too long.");
  const raw = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(raw, (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function pretty(line) {
  // An equation of a docstring, in the signs of mathematics.
  return line.replaceAll("Delta w", "Δw").replaceAll("<=", "≤").replaceAll("->", "→").replaceAll("<-", "←")
    .replaceAll("+-", "±").replaceAll("theta", "θ").replaceAll("gamma", "γ").replaceAll("tau", "τ").replaceAll("eta", "η")
    .replaceAll("sum_", "Σ_").replaceAll("grad ", "∇").replaceAll("th*", "θ*").replaceAll("min_multiplier", "least").replaceAll(" - ", " − ").replaceAll(" -", " −").replaceAll("'", "ᵀ");
}
function equationNode(line) {
  // Subscripts after "_", at most a word or one pair of braces.
  const node = make("div");
  for (const part of pretty(line).split(/(_\{[^}]*\}|_\w+|\^-?\w+|(?<=\/)C\b)/)) {
    if (part === "C") node.append(make("span", { title: C_NOTE, class: "noted" }, part));
    else if (/^_/.test(part)) node.append(make("sub", {}, part.slice(1).replace(/[{}]/g, "")));
    else if (/^\^/.test(part)) node.append(make("sup", {}, part.slice(1)));
    else node.append(part);
  }
  return node;
}

// ---------------------------------------------------------------- The lab

export class Lab {
  constructor(root, backend) {
    this.root = root;
    this.backend = backend;
    this.undo = []; this.redo = [];
    this.selected = []; // {lane, index} of selected spikes; lane is "input" or "desired"
    this.tool = "edit";
    this.speed = 4;
    this.follow = true;
    this.metric = "distance";
    this.working = 0; // requests and drawings under way
    this.fresh = Promise.resolve(); // of the last change of the document
    this.intervals = []; // ms between the last steps of Play
    this.build();
  }

  // Say in the page that something is under way.
  async busy(work) {
    this.working++;
    this.root.dataset.busy = "true";
    try { return await work(); } finally {
      this.working--;
      if (!this.working) this.root.dataset.busy = "false";
    }
  }

  async start(given) {
    const slow = setTimeout(() => this.el.story.replaceChildren("Compiling for this machine, once, up to a minute…"), 400);
    try { await this.startNow(given); } finally {
      clearTimeout(slow);
      if (!this.doc) this.el.story.replaceChildren();
    }
  }
  async startNow(given) {
    this.about = await this.backend.ask("about", {});
    this.rules = Object.fromEntries(this.about.rules.map((rule) => [rule.key, rule]));
    this.fillMenus();
    let saved = given || this.about.document && { doc: this.about.document };
    const history = this.readHistory();
    if (!saved) saved = this.readLocal() || { doc: (await this.backend.ask("example", { name: "interference" })).document };
    try {
      await this.load(saved.doc, saved.view);
    } catch (error) {
      await this.load((await this.backend.ask("example", { name: "interference" })).document);
      this.say(error.message);
    }
    Object.assign(this, history);
    this.keepHistory();
    this.drawStatic();
    this.root.dataset.ready = "true";
  }

  // ------------------------------------------------------------ Building the page

  build() {
    const on = (name, handler) => ({ [`on${name}`]: handler });
    const button = (label, title, handler, more = {}) =>
      make("button", { type: "button", title, ...on("click", handler), ...more }, label);
    const el = this.el = {};
    const readOnly = this.backend.readOnly;

    el.example = make("select", { title: "Built-in tasks to begin with", "aria-label": "Example", onchange: () => this.openExample() });
    el.undo = button("Undo", "Take back the last change of the task (Ctrl+Z)", () => this.stepHistory(this.undo, this.redo));
    el.redo = button("Redo", "Make it again (Ctrl+Shift+Z)", () => this.stepHistory(this.redo, this.undo));
    el.file = make("input", { type: "file", class: "hidden", accept: ".json,.npz,.npy,.csv,.tsv,.txt", "aria-label": "File to open", tabIndex: -1,
      onchange: () => { const [file] = el.file.files; if (file) this.openFile(file); el.file.value = ""; } });
    const exportPanel = make("div", { class: "panel" },
      button("Document (JSON)", "The whole task in one file; Open reads it again", () => this.saveDocument()),
      button("Python script", "A program that starts as this task does and takes the same steps", () => this.exportFile("script")),
      button("Model (npz)", "The weights and delays of now with their neuron and rule, for linspike.load_model", () => this.exportFile("model")),
      button("Spikes (CSV)", "All input and desired spikes as a table", () => this.exportFile("csv")),
      button("Picture (SVG)", "What is on the screen, as a drawing", () => this.exportPicture("svg")),
      button("Picture (PNG)", "What is on the screen, as an image", () => this.exportPicture("png")));
    const openPanel = make("div", { class: "panel" },
      button("File…", "A document (.json), patterns, targets or a model (.npz), a table of spikes (.csv), events (.npy)", () => el.file.click()),
      button("Link…", "A link that somebody copied from a lab", () => this.askLink()),
      button("New task", "Two inputs, nothing desired yet", () => this.newTask()));
    const drop = (label, title, panel, cls = "") =>
      make("details", { class: `drop ${cls}` }, make("summary", { class: "menu", title }, label), panel);
    el.help = button("?", "Keys and mouse", () => el.helpDialog.showModal(), { "aria-label": "Keys and mouse" });

    const header = make("header", {},
      make("h1", {}, "linspike lab"),
      make("label", {}, el.example), drop("Open", "Open a file or a link", openPanel, "left"),
      drop("Export", "Save the task, the model, a script or a picture", exportPanel, "left"),
      button("Copy link", "A link that holds the whole task", () => this.copyLink()),
      make("span", { class: "grow" }), el.undo, el.redo, el.help, el.file);

    // Learning
    el.reset = button("Reset", "Back to the weights and delays of the beginning", () => this.goTo(0));
    el.back = button("◀ Back", "One step back (B)", () => this.goTo(this.at - 1));
    el.step = button("Step ▶", "Let the rule correct the weights once (S)", () => this.advance(1), { class: "main" });
    el.epoch = button("Epoch ▶▶", "A step for every pattern (E)", () => this.advance(this.doc.patterns.length));
    el.play = button("Play", "Go on step by step (P)", () => this.togglePlay());
    el.speed = make("select", { "aria-label": "Speed", title: "How fast Play goes", onchange: () => { this.speed = Number(el.speed.value); } },
      ...SPEEDS.map(([label, value]) => make("option", { value }, label)));
    el.speed.value = "4";
    el.status = make("span", { class: "status", role: "status" });
    el.chips = make("span", { class: "chips" });
    el.add = make("select", { "aria-label": "Compare with another rule", title: "Let another rule learn the same task beside", onchange: () => this.addRule() });
    const controls = make("div", { class: "controls", role: "toolbar", "aria-label": "Learning" },
      make("span", { class: "group" }, el.reset, el.back, el.step, el.epoch, el.play, el.speed),
      el.status, make("span", { class: "grow" }), make("span", { class: "group" }, el.chips, el.add));

    el.message = make("div", { class: "message hidden", role: "alert" });
    el.story = make("p", { class: "story" });
    el.notice = make("p", { class: "notice hint hidden", role: "status" });

    // Time column
    el.marks = make("span", { class: "marks", role: "group", "aria-label": "Patterns" });
    el.follow = make("input", { type: "checkbox", checked: true, onchange: () => { this.follow = el.follow.checked; } });
    el.raster = make("canvas", { tabIndex: 0, role: "application", "aria-label": "Input spikes. Comma and period select a spike, arrows move it, N adds, Delete removes.",
      title: "One line per input. Click to add a spike, drag to move it, double-click or Delete to remove it. A light line goes from a spike to where it arrives, if it is delayed." });
    el.weights = make("canvas", { role: "img", "aria-label": "Weights" , title: "Weight of each input: bar now, outline after the next step, tick at the beginning" });
    el.strip = make("canvas", { tabIndex: 0, role: "application", "aria-label": "Desired spikes. Comma and period select a spike, arrows move it, N adds, Delete removes.",
      title: "Above: desired spikes, to be edited. Below: the spikes of the neuron." });
    el.v = make("div"); el.v0 = make("div");
    el.cross = make("div", { class: "cross hidden" });
    el.readout = make("div", { class: "readout" }, READ_HINT);
    el.live = make("div", { class: "sr", "aria-live": "polite" });
    el.edit = button("Draw", "Click adds a spike, drag moves it", () => this.chooseTool("edit"), { "aria-pressed": "true" });
    el.brush = button("Poisson brush", "Drag over an area to fill it with random spikes; N in the raster fills it all", () => this.chooseTool("brush"), { "aria-pressed": "false" });
    el.rate = make("input", { type: "number", min: 0, max: 1000, step: 1, value: 20, title: "Rate of the brush: spikes per second on each input", "aria-label": "Rate of the brush in spikes per second" });
    el.jitter = button("Jitter", "Move every input spike a little, by chance (standard deviation 1 ms)", () => this.jitter());
    el.kind = make("select", { "aria-label": "What is desired", title: "Whether spikes are desired at certain times, or a number of them",
      onchange: () => this.changeKind() }, make("option", { value: "times" }, "times"), make("option", { value: "counts" }, "counts"));
    el.count = make("input", { type: "number", min: 0, max: 100, "aria-label": "Desired number of spikes", title: "How many spikes are desired", onchange: () => this.changeCount() });
    el.counted = make("label", { class: "hidden" }, "number: ", el.count, el.countNote = make("span", { class: "hint" }));
    el.task = make("div", { class: "panel" });
    const tools = readOnly ? [] : [el.edit, el.brush, el.rate, make("span", { class: "hint" }, "/s"), el.jitter,
      make("details", { class: "drop left" }, make("summary", { class: "menu", title: "Time constants, length, number of inputs, patterns, starting weights" }, "Task"), el.task)];
    const time = el.time = make("div", { class: "time" },
      make("div", { class: "pair" }, el.raster, el.weights),
      make("div", { class: "head" }, make("h2", {}, "Desired and actual spikes"),
        ...(readOnly ? [] : [make("span", { class: "hint" }, "desired are"), el.kind, el.counted]), make("span", { class: "grow" }),
        el.late = make("span", { class: "hint hidden", title: "A light line goes from where a spike is sent to where it arrives" })),
      make("div", { class: "pair" }, el.strip, make("div", { class: "key" }, make("b", {}, "▽ desired"), make("b", {}, "● right"), el.wrong = make("b", {}))),
      make("div", { class: "head" }, make("h2", { title: "What the inputs add up to. At the threshold the neuron fires, and V falls to 0." }, "Potential V")),
      make("div", { class: "pair" }, el.v, make("div", { class: "key" }, make("span", { class: "k-v" }, "V now"), make("span", { class: "k-after" }, "after step"), make("span", { class: "k-threshold" }, "threshold"))),
      make("div", { class: "head" }, make("h2", { title: "The potential without resets, against a threshold that moves up by each desired spike: what the linear constraints are about." }, "V0 and the moving threshold"), make("span", { class: "hint" }, "V0: V as if spikes did not reset it, so that it just adds up the inputs")),
      make("div", { class: "pair" }, el.v0, make("div", { class: "key" }, make("span", { class: "k-v" }, "V0 now"), make("span", { class: "k-after" }, "after step"), make("span", { class: "k-theta" }, "moving thr."))),
      el.cross);
    const timeCard = make("section", { class: "card first", "aria-label": "Spikes and potentials over time" },
      make("div", { class: "head" }, make("h2", {}, "Input spikes"), ...tools, make("span", { class: "grow" }), make("span", { class: "hint gutter" }, "weights: ", make("span", { class: "k-bar" }, "now"), " ", make("span", { class: "k-outline" }, "after"), el.began = make("span", { class: "k-tick" }, "start"))),
      el.patterns = make("div", { class: "head patterns hidden" }, make("span", { class: "hint" }, "pattern"), el.marks, make("label", { title: "Show the pattern that was learned last" }, el.follow, "follow")),
      time, make("div", { class: "foot" }, el.readout, make("span", { class: "hint" }, "time in ms")), el.live);

    // Side
    el.equation = make("div", { class: "update" });
    el.numbers = make("p", { class: "numbers" });
    el.signs = make("p", { class: "signs hint" });
    el.settings = make("div", { class: "panel" });
    el.table = make("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Constraints of the step" });
    el.sentences = make("ul", { class: "sentences" });
    const stepCard = make("section", { class: "card step", "aria-label": "The next step" },
      make("div", { class: "head" }, make("h2", { title: "What the rule would do now at this pattern; Step does it" }, "The next step"), el.which = make("span", { class: "hint" }), make("span", { class: "grow" }),
        ...(readOnly ? [] : [make("details", { class: "drop" }, make("summary", { class: "menu", title: "Settings of this rule" }, "Rule settings"), el.settings)])),
      el.equation, el.signs, el.numbers, el.table, el.sentences);
    el.matrix = make("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Interference matrix" });
    el.verdict = make("ul", { class: "sentences" });
    const matrixCard = make("section", { class: "card interference", "aria-label": "Interference" },
      make("div", { class: "head" }, make("h2", { title: "Each column is one correction of this step, each row a time. A cell is what that correction alone does to V0 at that time." }, "Interference"),
        make("span", { class: "hint" }, "what each correction does to V0 at every other spike")),
      el.matrix, el.verdict);
    el.curves = make("div", { class: "plot" });
    el.metric = make("select", { "aria-label": "Error measure", title: "What the curves show", onchange: () => { this.metric = el.metric.value; this.drawCurves(); } },
      make("option", { value: "distance" }, "distance"), make("option", { value: "wrong" }, "wrong patterns"));
    const curveCard = make("section", { class: "card curves", "aria-label": "Error curves" },
      make("div", { class: "head" }, make("h2", { title: "Mean van Rossum distance to the targets, or the mean error of the count; 0 is perfect" }, "Error by step"), make("span", { class: "grow" }), el.metric),
      el.curves, el.legend = make("div", { class: "legend" }));
    el.solve = button("Solve", "Look for weights for all patterns at once, or prove that there are none", () => this.solve());
    el.solution = make("div", { "aria-live": "polite" });
    el.obstacles = make("ul", { class: "sentences" });
    const solveCard = make("section", { class: "card whole", "aria-label": "The whole task" },
      make("div", { class: "head" }, make("h2", {}, "The whole task"), make("span", { class: "grow" }), el.solve), el.obstacles, el.solution);
    const left = make("div", { class: "column" }, timeCard);
    const side = make("div", { class: "column" }, stepCard, matrixCard, curveCard, ...(readOnly ? [] : [solveCard]));

    el.linkText = make("input", { type: "text", "aria-label": "Link" });
    el.linkDialog = make("dialog", { "aria-label": "Open a link" }, make("p", {}, "Paste a link that was copied from a lab:"), el.linkText,
      button("Open", "Open it", () => { el.linkDialog.close(); this.openLink(el.linkText.value); }), " ", button("Cancel", "Close", () => el.linkDialog.close()));
    el.helpDialog = make("dialog", { "aria-label": "Keys and mouse" }, helpNode(), button("Close", "Close", () => el.helpDialog.close()));
    this.root.replaceChildren(...(readOnly ? [] : [header]), controls, el.message, el.notice, el.story, make("main", {}, left, side), el.linkDialog, el.helpDialog,
      el.tip = make("div", { class: "tip hidden", "aria-hidden": "true" }));

    if (!readOnly) this.listenToEdits();
    this.listenToHover();
    this.listenToKeys();
    new ResizeObserver(() => this.drawAll()).observe(time);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawAll());
  }

  fillMenus() {
    const { el } = this;
    el.example.replaceChildren(make("option", { value: "" }, "Examples…"), ...this.about.examples.map((each) => make("option", { value: each.name }, each.title)));
    el.add.replaceChildren(make("option", { value: "" }, "+ rule"), ...this.about.rules.map((rule) => make("option", { value: rule.key, title: rule.summary }, rule.targets.length > 1 ? rule.name : `${rule.name} (${rule.targets[0]})`)));
    if (this.backend.readOnly) el.add.classList.add("hidden");
  }

  // ------------------------------------------------------------ Document, history, persistence

  get pattern() { return this.doc.patterns[this.shown]; }
  get counts() { return this.doc.targets.kind === "counts"; }
  get desired() { return this.counts ? [] : this.doc.targets.times[this.shown]; }
  get frames() { return this.runs[this.rule]; }
  get frame() { return this.frames && this.frames[Math.min(this.at, this.frames.length - 1)]; }

  async load(given, view) {
    this.pause();
    const { document: doc } = await this.backend.ask("read", { document: given }); // refuses what cannot be used
    await this.backend.ask("check", { document: doc });
    const whole = (name, most) => clamp(Math.trunc(Number(view?.[name])) || 0, 0, most);
    this.undo = []; this.redo = [];
    this.setDocument(doc);
    this.rule = whole("rule", doc.rules.length - 1);
    const shown = this.shown = whole("pattern", doc.patterns.length - 1);
    await this.refresh();
    const at = whole("at", MOST_REPLAY);
    if (at) await this.advance(at, shown);
  }

  setDocument(doc) {
    this.doc = doc;
    this.runs = doc.rules.map(() => null);
    this.at = 0;
    this.selected = [];
    this.note("");
    this.el.solution.replaceChildren(solveHint(this.counts)); // what was said of another task
    this.el.readout.textContent = READ_HINT;
    this.rule = clamp(this.rule || 0, 0, doc.rules.length - 1);
    this.shown = clamp(this.shown || 0, 0, doc.patterns.length - 1);
    this.look = null;
  }

  // Make a change: learned weights stay, and learning starts from them.
  async change(edit, { keepRuns = false } = {}) {
    if (this.backend.readOnly) return;
    this.pause();
    const before = { doc: this.doc, runs: this.runs, at: this.at };
    const doc = clone(this.doc);
    if (this.at > 0 && !keepRuns) this.takeOver(doc, this.frame);
    const selected = this.selected;
    if (edit(doc) === false) return;
    this.undo.push(before);
    if (this.undo.length > MOST_UNDO) this.undo.shift();
    this.redo = [];
    const hadSteps = this.at > 0 && !keepRuns;
    this.setDocument(doc);
    if (hadSteps) this.note("The task changed: steps start again from the present weights.");
    this.selected = selected;
    await this.refresh();
  }

  // Let a document begin with the weights and delays of a frame.
  takeOver(doc, frame) {
    const { weights, delays } = frame || {};
    if (!weights) return doc; // they ran away
    doc.weights = [...weights];
    if (delays && delays.some((late) => late > 0)) doc.delays = [...delays];
    else delete doc.delays;
    return doc;
  }

  async stepHistory(from, to) {
    if (!from.length) return;
    this.pause();
    to.push({ doc: this.doc, runs: this.runs, at: this.at });
    const { doc, runs, at } = from.pop();
    this.setDocument(doc);
    if (runs) { this.runs = runs; this.at = at; }
    await this.refresh();
    if (!runs && at && doc === this.doc) await this.advance(at);
  }

  // Undo outlasts a reload: of the last documents, without their steps, which can be taken again.
  keepHistory() {
    if (this.backend.readOnly) return;
    const last = (entries) => entries.slice(-KEPT_UNDO).map(({ doc, at }) => ({ doc, at: Math.min(at, MOST_REPLAY) }));
    try { sessionStorage.setItem("linspike-lab-history", JSON.stringify({ undo: last(this.undo), redo: last(this.redo) })); } catch { /* full: undo ends with the page */ }
  }
  readHistory() {
    const none = { undo: [], redo: [] };
    if (this.backend.readOnly) return none;
    try { return { ...none, ...JSON.parse(sessionStorage.getItem("linspike-lab-history")) }; } catch { return none; }
  }

  // Ask for all that is shown of the present document, and draw it.
  refresh() {
    this.fresh = this.busy(() => this.refreshNow());
    return this.fresh;
  }
  async refreshNow() {
    const turn = this.turn = (this.turn || 0) + 1;
    this.drawStatic();
    try {
      const missing = this.runs.map((frames, i) => frames ? -1 : i).filter((i) => i >= 0);
      for (const i of missing) {
        const state = { weights: this.doc.weights, step: 0 };
        for await (const frame of this.backend.play({ document: this.doc, rule: i, state, steps: 0 })) this.runs[i] = [frame];
        if (turn !== this.turn) return;
      }
      this.say("");
    } catch (error) {
      if (turn !== this.turn) return;
      if (error.refused && this.undo.length) { await this.takeBack(error.message); return; }
      this.runs = this.runs.map((frames) => frames || [{ step: 0, weights: this.doc.weights, delays: this.doc.delays, right: [], distance: null }]);
      this.say(error.message);
    }
    this.keepHistory();
    await this.lookAgain();
    this.check();
    this.remember();
  }
  // Undo a change that cannot be learned from, and say why.
  async takeBack(reason) {
    await this.stepHistory(this.undo, this.redo);
    this.redo.pop();
    this.keepHistory();
    this.drawStatic();
    this.drawTask();
    this.drawSettings();
    this.say(reason);
  }

  async check() {
    if (this.backend.readOnly) return;
    const doc = this.doc;
    try {
      const state = { ...this.state(), step: 0 };
      const found = await this.backend.ask("check", { document: doc, rule: this.rule, state, pattern: this.shown });
      if (doc !== this.doc) return;
      const said = [...new Set([...found.sentences, ...(found.remarks || [])])];
      this.el.obstacles.replaceChildren(...said.map((each) => make("li", { class: "left-over" }, asSentence(each))));
    } catch { this.el.obstacles.replaceChildren(); }
  }

  readLocal() {
    const name = "linspike-lab-document";
    try { return JSON.parse(sessionStorage.getItem(name) || localStorage.getItem(name)); } catch { return null; }
  }

  get saved() { return { doc: this.doc, view: { rule: this.rule, pattern: this.shown, at: this.at } }; }

  // Keep the document in the address, or beside it where it is too long for one.
  remember() {
    if (this.backend.readOnly) return;
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => this.rememberNow(), 250);
  }
  async rememberNow() {
    const saved = this.saved;
    const packed = await pack(saved);
    if (saved.doc !== this.doc) return;
    const hash = packed.length <= MOST_LINK ? `#d=${packed}` : "#local";
    for (const store of [sessionStorage, localStorage]) { // of this tab; of the last one
      try { store.setItem("linspike-lab-document", JSON.stringify(saved)); } catch { /* full: the address has it */ }
    }
    this.ownHash = hash;
    history.replaceState(null, "", location.pathname + location.search + hash);
    this.root.dataset.saved = String((Number(this.root.dataset.saved) || 0) + 1);
  }

  async copyLink() {
    const packed = await pack(this.saved);
    if (packed.length > MOST_LINK) return this.say("This task is too large for a link. Export it as a document instead.");
    const link = `${location.origin}/#d=${packed}`;
    this.root.dataset.link = link;
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    if (isCopied) this.note("Link copied. It opens in this lab; others choose Open, then Link…, and paste it.");
    else this.say("The browser does not let the page copy. Export the task as a document instead.");
  }
  askLink() { this.el.linkText.value = ""; this.el.linkDialog.showModal(); }
  async openLink(link) {
    try {
      const packed = /#d=([\w-]+)/.exec(link);
      if (!packed) throw new Error("This link holds no task: it lacks #d=.");
      const saved = await unpack(packed[1]).catch(() => null);
      if (!saved) throw new Error("This link is damaged: its task cannot be read.");
      await this.load(saved.doc, saved.view);
    } catch (error) { this.say(error.message); }
  }

  // ------------------------------------------------------------ Looking

  state(frame = this.frame) {
    const state = { weights: frame.weights, step: frame.step };
    if (frame.velocity) state.velocity = frame.velocity;
    if (frame.delays) state.delays = frame.delays;
    return state;
  }

  lookAgain() { return this.busy(() => this.lookNow()); }
  async lookNow() {
    const frame = this.frame, turn = this.turn, doc = this.doc, rule = this.rule, shown = this.shown;
    if (!frame || !frame.weights) { this.drawAll(); return; }
    if (frame.coming) await frame.coming;
    if (turn !== this.turn || frame !== this.frame) return;
    if (frame.look && frame.look.pattern === shown) this.look = frame.look;
    else {
      try {
        const found = await this.askLook(frame, shown);
        if (turn !== this.turn || doc !== this.doc || rule !== this.rule || shown !== this.shown || frame !== this.frame) return;
        this.look = found;
        if (!this.backend.readOnly && this.el.message.dataset.kind === "look") this.say("");
      } catch (error) {
        this.look = null;
        this.say(error.message, "look");
      }
    }
    this.drawAll();
  }

  askLook(frame, pattern) {
    return this.backend.ask("look", { document: this.doc, rule: this.rule, pattern, state: this.state(frame) });
  }
  // Steps that were taken before come without looks: ask for some before their turn in Play.
  askAhead() {
    for (const frame of this.frames.slice(this.at + 1, this.at + 1 + ASK_AHEAD)) {
      if (!frame.weights || frame.look || frame.coming) continue;
      const pattern = this.follow && frame.pattern != null ? frame.pattern : this.shown;
      frame.coming = this.askLook(frame, pattern).then((look) => { frame.look = look; }, () => {}).finally(() => { delete frame.coming; });
    }
  }

  // While something is dragged: one request at a time, the newest position wins.
  async lookWhileDragging() {
    if (this.looking) { this.lookAsked = true; return; }
    this.looking = true;
    do {
      this.lookAsked = false;
      const began = this.dragStamp, draft = this.draft;
      if (!draft) break;
      const { doc, shown } = this;
      const targets = this.counts ? { kind: "counts", counts: [doc.targets.counts[shown]] } : { kind: "times", times: [draft.desired] };
      const small = this.takeOver({ ...doc, patterns: [draft.pattern], targets, rules: [doc.rules[this.rule]] }, this.frame);
      try {
        const found = await this.backend.ask("look", { document: small, pattern: 0 });
        if (this.draft) {
          this.look = found;
          this.drawPotentials(); this.drawStrip(); this.drawTables();
          performance.measure("lab-drag", { start: began, end: performance.now() });
        }
      } catch { /* the next position may do */ }
    } while (this.lookAsked);
    this.looking = false;
  }

  // ------------------------------------------------------------ Learning

  advance(steps, thenShow) {
    this.pause();
    // One after the other, also where keys are pressed faster than steps are made.
    this.stepping = (this.stepping || Promise.resolve()).then(() => this.busy(async () => {
      await this.fresh;
      const { turn } = this;
      await this.make(this.at + steps);
      if (turn === this.turn) await this.goTo(this.at + steps, thenShow);
    }));
    return this.stepping;
  }

  // Compute frames up to a step, of all rules.
  async make(step, signal, looks = false) {
    const doc = this.doc, turn = this.turn;
    for (let i = 0; i < doc.rules.length; i++) {
      const frames = this.runs[i];
      if (!frames) continue;
      const last = frames[frames.length - 1];
      if (last.step >= step || !last.weights || last.outcome === "runaway") continue;
      const request = { document: doc, rule: i, state: this.state(last), steps: step - last.step, looks: looks && i === this.rule };
      try {
        for await (const frame of this.backend.play(request, signal)) {
          if (turn !== this.turn) return;
          // The first is there already, and so may others be that were asked for before.
          if (frame.step === frames.length) frames.push(frame);
        }
      } catch (error) {
        if (error.name === "AbortError") return;
        this.say(`${this.nameOf(i)}: ${error.message}`);
        last.outcome = "runaway";
      }
    }
  }

  goTo(step, thenShow) {
    this.at = clamp(step, 0, this.available());
    const { frame } = this;
    if (!frame) return null; // another document is on its way
    if (thenShow != null) this.shown = thenShow;
    else if (this.follow && frame.pattern != null) this.shown = frame.pattern;
    this.selected = [];
    if (this.at > 0) this.note("");
    this.drawStatic();
    this.remember();
    return this.lookAgain();
  }

  togglePlay() { this.playing ? this.pause() : this.play(); }
  pause() {
    if (!this.playing) return;
    this.playing.abort();
    this.playing = null;
    this.el.play.textContent = "Play";
  }
  async play() {
    const playing = this.playing = new AbortController();
    this.el.play.textContent = "Pause";
    await this.fresh;
    let due = performance.now(), last = due, making = null;
    this.intervals = [];
    while (this.playing === playing) {
      const ahead = clamp(Math.round(this.speed), 4, PLAY_AHEAD), ready = this.ready();
      if (ready < this.at + ahead / 2) making ??= this.make(ready + ahead, playing.signal, true).finally(() => { making = null; });
      if (ready <= this.at) {
        await making;
        if (this.playing !== playing) return;
        if (this.available() <= this.at) break;
      }
      due = Math.max(due + 1000 / this.speed, performance.now() - 500);
      const wait = due - performance.now();
      await new Promise((next) => wait > 4 ? setTimeout(next, wait) : requestAnimationFrame(next));
      if (this.playing !== playing) return;
      this.askAhead();
      await this.goTo(this.at + 1);
      this.dropLooks();
      this.intervals.push(performance.now() - last);
      last = performance.now();
    }
    this.pause();
  }
  available() { return Math.max(...this.runs.map((frames) => frames ? frames[frames.length - 1].step : 0)); }
  // Steps that all rules have taken that can go on.
  ready() {
    const going = this.runs.filter((frames) => frames && frames.at(-1).weights && frames.at(-1).outcome !== "runaway");
    return going.length ? Math.min(...going.map((frames) => frames.at(-1).step)) : this.available();
  }
  dropLooks() {
    if (this.backend.readOnly) return;
    const old = this.frames[this.at - KEPT_LOOKS];
    if (old) delete old.look;
  }

  async solve() {
    const { el, doc } = this, { delays } = this.takeOver({ ...doc }, this.frame);
    el.solve.disabled = true;
    el.solution.replaceChildren(make("span", { class: "hint" }, "Solving…"));
    try {
      const found = await this.backend.ask("solve", { document: { ...doc, delays } });
      if (doc !== this.doc) return;
      const parts = [make("p", { class: found.solvable ? "met" : "left-over" }, asSentence(found.reason))];
      if (found.weights) {
        if (delays) parts.push(make("p", { class: "hint" }, "With the delays of now, which stay as they are."));
        parts.push(make("p", {}, `Away from its spikes V stays below the threshold by at least ${show(found.margin)} thresholds.`),
          make("button", { type: "button", title: "Start from the weights that solve the task", onclick: () => this.change((d) => { this.takeOver(d, { weights: found.weights, delays }); }) }, "Use these weights"));
      }
      if (found.conflict.length) {
        parts.push(make("p", { class: "hint" }, "The numbers prove it: take each constraint so many times and add them up. The weights cancel out, and what is left cannot be true."),
          make("table", {}, make("thead", {}, make("tr", {}, ...["pattern", "time (ms)", "how many times"].map((name) => make("th", { scope: "col" }, name)))),
            make("tbody", {}, ...found.conflict.map((each) => make("tr", {}, make("td", {}, each.pattern < 0 ? "bound of a weight" : String(each.pattern + 1)), make("td", {}, show(each.time, 2)), make("td", {}, show(each.multiplier)))))));
        if (found.more) parts.push(make("p", { class: "hint" }, `and ${found.more} more`));
      }
      el.solution.replaceChildren(...parts);
    } catch (error) {
      if (doc === this.doc) el.solution.replaceChildren(make("p", { class: "left-over" }, error.message));
    } finally { el.solve.disabled = this.counts; }
  }

  // ------------------------------------------------------------ Rules and task

  addRule() {
    const key = this.el.add.value;
    this.el.add.value = "";
    if (!key) return;
    if (this.doc.rules.length >= 6) return this.say("Six rules side by side are the most.");
    const at = this.at;
    this.change((doc) => { doc.rules.push({ key, settings: {} }); }, { keepRuns: true }).then(() => this.at < at && this.advance(at - this.at));
  }
  removeRule(i) { this.change((doc) => { doc.rules.splice(i, 1); }); }
  chooseRule(i) {
    this.rule = i;
    this.pause();
    this.drawStatic();
    this.remember();
    this.lookAgain();
  }

  async openExample() {
    const name = this.el.example.value;
    this.el.example.value = "";
    if (!name) return;
    await this.replaceDocument(async () => (await this.backend.ask("example", { name })).document);
  }
  newTask() {
    const doc = { version: 1, title: "New task", text: "Click into the raster to draw input spikes, and into the line below it to say where spikes are desired.",
      neuron: { tau_m: 20, tau_s: 5, threshold: 1 }, n_channels: 4, patterns: [{ duration: 100, times: [10, 30], channels: [0, 1] }],
      targets: { kind: "times", times: [[]] }, weights: [0.5, 0.5, 0.5, 0.5], rules: [{ key: "dta", settings: {} }], criterion: "strict", skip_right: true, seed: 0 };
    this.replaceDocument(async () => doc);
  }
  replaceDocument(get) {
    this.closeMenus();
    return this.busy(() => this.replaceNow(get));
  }
  async replaceNow(get) {
    try {
      const doc = await get();
      const before = { doc: this.doc, runs: this.runs, at: this.at };
      await this.backend.ask("check", { document: doc });
      this.pause();
      this.undo.push(before); this.redo = [];
      this.setDocument(doc);
      this.rule = 0; this.shown = 0;
      await this.refresh();
    } catch (error) { this.say(error.message); }
  }
  closeMenus(keepFocus = false) {
    for (const each of this.root.querySelectorAll("details.drop[open]")) {
      if (keepFocus && each.contains(document.activeElement)) each.querySelector("summary").focus();
      each.open = false;
    }
  }

  showTip(target) {
    const { tip } = this.el, titled = target.closest("[title]");
    if (!titled || !target.matches(":focus-visible") || target.tagName === "CANVAS") return;
    const box = target.getBoundingClientRect(), origin = this.root.getBoundingClientRect();
    tip.textContent = titled.title;
    tip.classList.remove("hidden");
    tip.style.left = `${clamp(box.left - origin.left, 4, Math.max(4, origin.width - 330))}px`;
    const below = box.bottom + 6, top = below + tip.offsetHeight < innerHeight ? below : box.top - tip.offsetHeight - 6;
    tip.style.top = `${top - origin.top}px`;
  }

  async openFile(file) {
    if (file.size > 20e6) return this.say(`${file.name} is larger than 20 MB.`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    let raw = "";
    for (let i = 0; i < bytes.length; i += 8192) raw += String.fromCharCode(...bytes.subarray(i, i + 8192));
    await this.replaceDocument(async () => (await this.backend.ask("open", { name: file.name, base64: btoa(raw), document: this.takeOver({ ...this.doc }, this.frame) })).document);
  }
  download(name, media, content) {
    const address = URL.createObjectURL(new Blob([content], { type: media }));
    const link = make("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    this.closeMenus();
  }
  saveDocument() {
    const doc = { ...this.doc };
    this.download("lab.json", "application/json", JSON.stringify(doc, null, 1));
  }
  async exportFile(kind) {
    try {
      const made = await this.backend.ask("export", { document: this.doc, rule: this.rule, state: this.state(), kind });
      this.download(made.name, made.media, Uint8Array.from(atob(made.base64), (mark) => mark.charCodeAt(0)));
    } catch (error) { this.say(error.message); }
  }

  drawTask() {
    const { doc } = this;
    const number = (label, title, value, set, more = {}) => make("label", { class: "field", title }, label,
      make("input", { type: "number", value, step: "any", ...more, onchange: (event) => { const x = Number(event.target.value); this.change((d) => set(d, x)); } }));
    const button = (label, title, handler) => make("button", { type: "button", title, onclick: handler }, label);
    const weights = (how, label, title) => button(label, title, () => this.startWeights(how));
    replaceKeepingFocus(this.el.task, [
      number("Membrane time τm (ms)", "How long the potential remembers an input", doc.neuron.tau_m, (d, x) => { d.neuron.tau_m = x; }),
      number("Synapse time τs (ms)", "How long an input takes to arrive; below τm", doc.neuron.tau_s, (d, x) => { d.neuron.tau_s = x; }),
      number("Threshold", "The potential at which the neuron fires", doc.neuron.threshold, (d, x) => { d.neuron.threshold = x; }),
      number("Length of pattern (ms)", "Spikes beyond it are removed", this.pattern.duration, (d, x) => this.cutPattern(d, x)),
      number("Inputs", "Number of input lines; each has one weight", doc.n_channels, (d, x) => this.resize(d, x)),
      number("Seed", "Decides the order of the patterns", doc.seed, (d, x) => { d.seed = Math.round(x); }),
      make("label", { class: "field", title: "Strict: every spike within 1 ms of its own desired time. Paper: a small van Rossum distance." }, "Right is",
        make("select", { onchange: (event) => { const value = event.target.value; this.change((d) => { d.criterion = value; }); } },
          ...["strict", "paper"].map((value) => make("option", { value, selected: doc.criterion === value }, value)))),
      make("label", { title: "As in training: a right response is left alone. If not, every presentation is a step." },
        make("input", { type: "checkbox", checked: doc.skip_right, onchange: (event) => { const { checked } = event.target; this.change((d) => { d.skip_right = checked; }); } }), "leave right responses alone"),
      make("div", { class: "chips" }, make("span", { class: "hint" }, "Pattern:"),
        button("add", "An empty pattern", () => this.change((d) => this.addPattern(d, false))),
        button("copy", "The same pattern once more", () => this.change((d) => this.addPattern(d, true))),
        button("remove", "Remove this pattern", () => this.change((d) => this.removePattern(d)))),
      make("div", { class: "chips" }, make("span", { class: "hint" }, "Start weights:"), weights("zero", "zero", "All weights 0, no delays"),
        weights("small", "small", "Small random weights, no delays"), weights("driven", "driven", "Random weights with about as many spikes as desired, no delays"))]);
  }
  async startWeights(how) {
    try {
      const found = await this.backend.ask("draw", { kind: "weights", how, document: this.doc, seed: this.doc.seed });
      await this.change((d) => { this.takeOver(d, found); });
    } catch (error) { this.say(error.message); }
  }
  cutPattern(doc, length) {
    const pattern = doc.patterns[this.shown];
    const kept = pattern.times.map((time, i) => [time, pattern.channels[i]]).filter(([time]) => time <= length);
    pattern.duration = length; pattern.times = kept.map(([time]) => time); pattern.channels = kept.map(([, channel]) => channel);
    if (doc.targets.kind === "times") doc.targets.times[this.shown] = doc.targets.times[this.shown].filter((time) => time <= length);
    this.selected = [];
  }
  resize(doc, n) {
    n = clamp(Math.round(n), 1, 2000);
    for (const pattern of doc.patterns) {
      const kept = pattern.times.map((time, i) => [time, pattern.channels[i]]).filter(([, channel]) => channel < n);
      pattern.times = kept.map(([time]) => time); pattern.channels = kept.map(([, channel]) => channel);
    }
    doc.weights = Array.from({ length: n }, (_, i) => doc.weights[i] ?? 0);
    if (doc.delays) doc.delays = Array.from({ length: n }, (_, i) => doc.delays[i] ?? 0);
    doc.n_channels = n;
    this.selected = [];
  }
  addPattern(doc, copy) {
    const { duration } = this.pattern;
    doc.patterns.push(copy ? clone(this.pattern) : { duration, times: [], channels: [] });
    if (doc.targets.kind === "times") doc.targets.times.push(copy ? [...this.desired] : []);
    else doc.targets.counts.push(copy ? doc.targets.counts[this.shown] : 0);
    this.shown = doc.patterns.length - 1;
    this.selected = [];
  }
  removePattern(doc) {
    if (doc.patterns.length === 1) return false;
    doc.patterns.splice(this.shown, 1);
    (doc.targets.times || doc.targets.counts).splice(this.shown, 1);
    this.selected = [];
    return true;
  }
  changeKind() {
    const kind = this.el.kind.value, spikes = this.look ? this.look.spikes : [];
    if (kind === this.doc.targets.kind) return;
    this.change((doc) => {
      if (kind === "counts") doc.targets = { kind, counts: doc.targets.times.map((times) => times.length) };
      else doc.targets = { kind, times: doc.targets.counts.map((n, p) => p === this.shown && spikes.length ? spikes.slice(0, n).map((time) => round(time)) : spread(n, doc.patterns[p].duration)) };
      doc.rules = doc.rules.filter((rule) => this.canLearn(rule.key, kind));
      if (!doc.rules.length) doc.rules = [{ key: "dta", settings: {} }];
    });
  }
  changeCount() {
    const n = clamp(Math.round(Number(this.el.count.value) || 0), 0, 100);
    this.change((doc) => { doc.targets.counts[this.shown] = n; });
  }

  drawSettings() {
    const given = this.doc.rules[this.rule], rule = this.rules[given.key];
    const rows = rule.settings.map((setting) => {
      const value = setting.name in given.settings ? given.settings[setting.name] : setting.default;
      const set = (next) => this.change((doc) => { doc.rules[this.rule].settings[setting.name] = next; });
      let input;
      if (setting.choices.length) input = make("select", { onchange: (event) => set(event.target.value) }, ...setting.choices.map((each) => make("option", { value: each, selected: each === value }, each)));
      else if (typeof setting.default === "boolean") input = make("input", { type: "checkbox", checked: value, onchange: (event) => set(event.target.checked) });
      else input = make("input", { type: "number", step: "any", value: value ?? "", placeholder: setting.optional ? "auto" : "", onchange: (event) => set(event.target.value === "" && setting.optional ? null : Number(event.target.value)) });
      return make("label", { class: "field", title: setting.help }, LABELS[setting.name] || setting.name.replaceAll("_", " "), input);
    });
    replaceKeepingFocus(this.el.settings, [make("p", { class: "hint" }, rule.summary), ...rows]);
  }

  canLearn(key, kind) { return this.rules[key].targets.includes(kind); }

  // What a rule is called: two of a kind differ by whether delays are learned.
  nameOf(i) {
    const { key, settings } = this.doc.rules[i];
    return `${this.rules[key].name}${settings.delays ? " with delays" : ""}`;
  }

  // ------------------------------------------------------------ Editing spikes

  chooseTool(tool) {
    this.tool = tool;
    this.el.edit.setAttribute("aria-pressed", String(tool === "edit"));
    this.el.brush.setAttribute("aria-pressed", String(tool === "brush"));
  }

  listenToEdits() {
    for (const lane of ["input", "desired"]) {
      const canvas = lane === "input" ? this.el.raster : this.el.strip;
      canvas.addEventListener("pointerdown", (event) => this.press(event, lane, canvas));
      canvas.addEventListener("pointermove", (event) => this.move(event, lane, canvas));
      canvas.addEventListener("pointerup", (event) => this.release(event, lane, canvas));
      canvas.addEventListener("pointercancel", () => { this.draft = null; this.drawAll(); });
      canvas.addEventListener("dblclick", (event) => { event.preventDefault(); this.removeSelected(); });
      canvas.addEventListener("keydown", (event) => this.pressKey(event, lane));
      canvas.addEventListener("blur", () => { if (!this.draft) this.drawLanes(); });
      canvas.addEventListener("focus", () => this.drawLanes());
    }
    this.root.addEventListener("dragover", (event) => event.preventDefault());
    this.root.addEventListener("drop", (event) => { event.preventDefault(); const [file] = event.dataTransfer.files; if (file) this.openFile(file); });
  }

  where(event, canvas) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
  timeAt(x) { return clamp((x - LEFT) / this.inner * this.pattern.duration, 0, this.pattern.duration); }
  xOf(time) { return LEFT + time / this.pattern.duration * this.inner; }
  lineOf(y) { return clamp(Math.floor((y - TOP) / this.lineHeight), 0, this.doc.n_channels - 1); }
  yOf(channel) { return TOP + (channel + 0.5) * this.lineHeight; }

  // The spike nearest to a point, if one is near enough.
  hit(lane, point) {
    let best = null, least = HIT;
    const add = (index, dx, dy) => {
      const distance = Math.hypot(dx, dy);
      if (distance < least) { least = distance; best = index; }
    };
    if (lane === "desired") this.desired.forEach((time, i) => point.y < this.stripMiddle + 4 && add(i, this.xOf(time) - point.x, 0));
    else {
      const { times, channels } = this.pattern, slack = Math.max(0, this.lineHeight / 2 - 2);
      for (let i = 0; i < times.length; i++) {
        const dy = Math.max(0, Math.abs(this.yOf(channels[i]) - point.y) - slack);
        if (dy < HIT) add(i, this.xOf(times[i]) - point.x, dy);
      }
    }
    return best;
  }

  press(event, lane, canvas) {
    if (event.button > 0) return;
    canvas.focus();
    if (lane === "desired" && this.counts) return;
    const point = this.where(event, canvas);
    if (point.x < LEFT - 4) return;
    canvas.setPointerCapture(event.pointerId);
    this.pause();
    if (lane === "input" && this.tool === "brush") { this.draft = this.newDraft(lane, point, "brush"); return; }
    const index = this.hit(lane, point);
    const isSelected = this.selected.some((each) => each.lane === lane && each.index === index);
    if (index == null) {
      this.draft = this.newDraft(lane, point, "add");
    } else {
      if (event.shiftKey) this.selected = isSelected ? this.selected.filter((each) => each.lane !== lane || each.index !== index) : [...this.selected, { lane, index }];
      else if (!isSelected) this.selected = [{ lane, index }];
      this.draft = this.newDraft(lane, point, "move");
      this.announce();
    }
    this.drawLanes();
  }
  newDraft(lane, point, action) {
    return { lane, action, from: point, to: point, moved: false, pattern: clone(this.pattern), desired: [...this.desired], first: { pattern: this.pattern, desired: this.desired } };
  }
  move(event, lane, canvas) {
    const draft = this.draft, point = this.where(event, canvas);
    if (!draft) {
      canvas.style.cursor = this.tool === "brush" && lane === "input" ? "crosshair" : this.hit(lane, point) == null ? "copy" : "grab";
      return;
    }
    if (draft.lane !== lane) return;
    this.dragStamp = performance.now();
    draft.to = point;
    if (Math.hypot(point.x - draft.from.x, point.y - draft.from.y) > 3) draft.moved = true;
    if (draft.action === "brush") { this.drawLanes(); return; }
    if (draft.action !== "move" || !draft.moved) return;
    const shift = (point.x - draft.from.x) / this.inner * this.pattern.duration;
    const lines = draft.lane === "input" ? this.lineOf(point.y) - this.lineOf(draft.from.y) : 0;
    this.shiftDraft(draft, shift, lines);
    this.el.readout.textContent = this.nameSelected(draft);
    this.drawLanes();
    performance.measure("lab-raster", { start: this.dragStamp, end: performance.now() });
    this.lookWhileDragging();
  }
  shiftDraft(draft, shift, lines) {
    const { duration } = this.pattern;
    for (const { lane, index } of this.selected) {
      if (lane === "input") {
        draft.pattern.times[index] = clamp(round(draft.first.pattern.times[index] + shift), 0, duration);
        draft.pattern.channels[index] = clamp(draft.first.pattern.channels[index] + lines, 0, this.doc.n_channels - 1);
      } else draft.desired[index] = clamp(round(draft.first.desired[index] + shift), 0, duration);
    }
  }
  release(event, lane) {
    const draft = this.draft;
    this.draft = null;
    if (!draft) return;
    if (draft.action === "brush") this.paint(draft);
    else if (draft.action === "add" && !draft.moved) this.addSpike(lane, round(this.timeAt(draft.from.x), 1), this.lineOf(draft.from.y));
    else if (draft.action === "move" && draft.moved) this.commit(draft).then(() => this.announce());
    else this.drawLanes();
  }
  commit({ pattern, desired }) {
    return this.change((doc) => {
      doc.patterns[this.shown] = pattern;
      if (!this.counts) doc.targets.times[this.shown] = desired;
    });
  }
  addSpike(lane, time, channel) {
    if (lane === "desired" && this.counts) return;
    this.selected = [{ lane, index: lane === "input" ? this.pattern.times.length : this.desired.length }];
    this.change((doc) => {
      if (lane === "input") { doc.patterns[this.shown].times.push(time); doc.patterns[this.shown].channels.push(channel); }
      else doc.targets.times[this.shown].push(time);
    }).then(() => this.announce());
  }
  removeSelected() {
    if (!this.selected.length) return;
    const gone = (lane) => new Set(this.selected.filter((each) => each.lane === lane).map((each) => each.index));
    const inputs = gone("input"), desired = gone("desired");
    this.selected = [];
    this.change((doc) => {
      const pattern = doc.patterns[this.shown];
      pattern.times = pattern.times.filter((_, i) => !inputs.has(i));
      pattern.channels = pattern.channels.filter((_, i) => !inputs.has(i));
      if (!this.counts) doc.targets.times[this.shown] = doc.targets.times[this.shown].filter((_, i) => !desired.has(i));
    }).then(() => this.tell("Removed."));
  }
  async paint({ from, to }) {
    const [t0, t1] = [this.timeAt(from.x), this.timeAt(to.x)].sort((a, b) => a - b);
    const [c0, c1] = [this.lineOf(from.y), this.lineOf(to.y)].sort((a, b) => a - b);
    if (t1 - t0 < 0.5) { this.drawLanes(); return; }
    try {
      this.brushSeed = (this.brushSeed || 0) + 1;
      const found = await this.backend.ask("draw", { kind: "spikes", n_channels: c1 - c0 + 1, duration: t1 - t0, rate: clamp(Number(el_value(this.el.rate)) / 1000, 0, 1), seed: this.brushSeed });
      await this.change((doc) => {
        const pattern = doc.patterns[this.shown];
        found.times.forEach((time, i) => { pattern.times.push(round(t0 + time)); pattern.channels.push(c0 + found.channels[i]); });
      });
      this.tell(`${plural(found.times.length, "spike")} added.`);
    } catch (error) { this.say(error.message); }
  }
  async jitter() {
    try {
      this.brushSeed = (this.brushSeed || 0) + 1;
      const found = await this.backend.ask("draw", { kind: "jitter", pattern: this.pattern, n_channels: this.doc.n_channels, sd: 1, seed: this.brushSeed });
      this.selected = [];
      await this.change((doc) => { doc.patterns[this.shown] = { ...found, times: found.times.map((time) => round(time)) }; });
    } catch (error) { this.say(error.message); }
  }

  pressKey(event, lane) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = () => { event.preventDefault(); event.stopPropagation(); };
    const times = lane === "input" ? this.pattern.times : this.desired;
    const order = times.map((_, i) => i).sort((a, b) => times[a] - times[b]);
    const mine = this.selected.filter((each) => each.lane === lane);
    const place = mine.length ? order.indexOf(mine[0].index) : -1;
    if (key === "," || key === ".") {
      done();
      if (!order.length) return;
      const next = key === "." ? (place + 1) % order.length : (place - 1 + order.length + (place < 0 ? 1 : 0)) % order.length;
      this.selected = [{ lane, index: order[next] }];
      this.drawLanes();
      this.announce();
    } else if (key === "n" || key === "N") {
      done();
      if (lane === "input" && this.tool === "brush") { this.paint({ from: { x: LEFT, y: TOP }, to: { x: LEFT + this.inner, y: this.rasterHeight } }); return; }
      const channel = lane === "input" && mine.length ? this.pattern.channels[mine[0].index] : 0;
      const time = mine.length ? Math.min(this.pattern.duration, round(times[mine[0].index] + 5, 1)) : round(this.pattern.duration / 2, 1);
      this.addSpike(lane, time, channel);
    } else if (key === "Delete" || key === "Backspace") { done(); this.removeSelected(); }
    else if (key === "Escape") { done(); this.selected = []; this.drawLanes(); }
    else if (mine.length && ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(key)) {
      done();
      const size = event.shiftKey ? 0.1 : 1, draft = this.newDraft(lane, { x: 0, y: 0 }, "move");
      const lines = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
      this.shiftDraft(draft, key === "ArrowLeft" ? -size : key === "ArrowRight" ? size : 0, lines);
      this.commit(draft).then(() => this.announce());
    }
  }

  listenToKeys() {
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.closeMenus(true);
      if (event.target.closest("input, select, dialog, textarea")) return;
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === "z") { event.preventDefault(); event.shiftKey ? this.stepHistory(this.redo, this.undo) : this.stepHistory(this.undo, this.redo); return; }
      if ((event.ctrlKey || event.metaKey) && key === "y") { event.preventDefault(); this.stepHistory(this.redo, this.undo); return; }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = { s: () => this.advance(1), b: () => this.goTo(this.at - 1), e: () => this.advance(this.doc.patterns.length), p: () => this.togglePlay() }[key];
      if (act) { event.preventDefault(); act(); }
    });
    // What the mouse reads in a title, the keyboard reads beside what has the focus.
    this.root.addEventListener("focusin", (event) => this.showTip(event.target));
    this.root.addEventListener("focusout", () => this.el.tip.classList.add("hidden"));
    // A message is about what was done last. That of a look stays until there is one again.
    const forget = () => { if (this.el.message.dataset.kind !== "look") this.say(""); };
    this.root.addEventListener("click", (event) => { if (event.target.closest("button")) forget(); }, true);
    this.root.addEventListener("keydown", (event) => { if (/^[sbep]$/i.test(event.key) && !event.target.closest("input, select, dialog, textarea")) forget(); }, true);
    this.root.addEventListener("click", (event) => {
      for (const each of this.root.querySelectorAll("details.drop[open]")) if (!each.contains(event.target)) each.open = false;
    });
  }

  announce() {
    const named = this.nameSelected(this);
    if (named) this.tell(named);
  }
  nameSelected({ pattern, desired }) {
    const [first] = this.selected;
    const times = first && (first.lane === "input" ? pattern.times : desired);
    if (!first || times[first.index] == null) return "";
    const of = this.selected.length > 1 ? `, ${this.selected.length} selected` : "";
    if (first.lane === "input") return `Input ${pattern.channels[first.index] + 1}, spike at ${ms(times[first.index])} ms${of}`;
    return `Desired spike at ${ms(times[first.index])} ms${of}`;
  }
  note(sentence) {
    this.el.notice.textContent = sentence;
    this.el.notice.classList.toggle("hidden", !sentence);
  }
  tell(sentence) { this.el.live.textContent = sentence; this.el.readout.textContent = sentence; }
  say(sentence, kind = "") {
    const { message } = this.el;
    message.dataset.kind = kind;
    message.classList.toggle("hidden", !sentence);
    message.replaceChildren(...(sentence ? [make("span", {}, sentence), make("button", { type: "button", class: "plain", title: "Hide this message", onclick: () => this.say("") }, "Hide")] : []));
  }

  // ------------------------------------------------------------ Hovering

  listenToHover() {
    this.el.time.addEventListener("pointermove", (event) => {
      const box = this.el.raster.getBoundingClientRect();
      const x = event.clientX - box.left;
      if (x < LEFT || x > LEFT + this.inner) this.hover(null);
      else this.hover({ time: this.timeAt(x) });
    });
    this.el.time.addEventListener("pointerleave", () => this.hover(null));
  }

  // Light up a time wherever it is shown; row and column are of the matrix.
  hover(at) {
    const { el, look } = this;
    el.cross.classList.toggle("hidden", !at);
    let row = at ? at.row : null;
    if (at && row == null && look) {
      const near = this.pattern.duration * 0.008;
      look.rows.forEach((each, i) => { if (Math.abs(each.time - at.time) < near) row = i; });
    }
    if (at) {
      el.cross.style.left = `${this.xOf(at.time)}px`;
      this.readOut(at.time);
    }
    for (const each of this.root.querySelectorAll("[data-row]")) each.classList.toggle("hot", at != null && Number(each.dataset.row) === row && (each.dataset.column == null || at.column == null || Number(each.dataset.column) === at.column));
  }
  readOut(time) {
    const { look } = this;
    if (!look || this.draft) return;
    const { t, v, v0, theta } = look.curves;
    let i = 0, j = t.length - 1;
    while (j - i > 1) { const middle = (i + j) >> 1; if (t[middle] <= time) i = middle; else j = middle; }
    this.el.readout.textContent = `${ms(time)} ms:  V = ${show(v[i])},  V0 = ${show(v0[i])},  moving threshold = ${show(theta[i])}`;
  }

  // ------------------------------------------------------------ Drawing

  css(name) { return getComputedStyle(this.root).getPropertyValue(name).trim(); }

  drawAll() {
    if (!this.doc) return;
    this.colours = null;
    this.drawLanes();
    this.drawWeights();
    this.drawPotentials();
    this.drawTables();
    this.drawCurves();
    this.drawMarks();
    this.drawStatus();
  }

  // What changes with the document, not with the look at it.
  drawStatic() {
    const { el, doc } = this;
    el.undo.disabled = !this.undo.length;
    el.redo.disabled = !this.redo.length;
    el.back.disabled = el.reset.disabled = this.at === 0;
    el.began.style.visibility = this.at ? "visible" : "hidden";
    el.story.replaceChildren(make("b", {}, doc.title || ""), doc.text || "");
    el.kind.value = doc.targets.kind;
    el.counted.classList.toggle("hidden", !this.counts);
    if (this.counts) el.count.value = doc.targets.counts[this.shown];
    el.epoch.classList.toggle("hidden", doc.patterns.length === 1);
    el.solve.disabled = this.counts;
    for (const option of el.add.options) option.disabled = option.value && !this.canLearn(option.value, doc.targets.kind);
    this.drawChips();
    this.drawMarks();
    if (!this.backend.readOnly) {
      if (!el.task.contains(document.activeElement)) this.drawTask();
      if (!el.settings.contains(document.activeElement)) this.drawSettings();
    }
    this.drawStatus();
  }

  drawChips() {
    const many = this.doc.rules.length > 1, readOnly = this.backend.readOnly;
    replaceKeepingFocus(this.el.chips, this.doc.rules.map((rule, i) => {
      const { summary } = this.rules[rule.key], name = this.nameOf(i);
      const dot = make("span", { class: "dot" });
      dot.style.background = `var(--rule${i})`;
      const choose = make("button", { type: "button", title: `${summary} Show the steps of this rule.`, "aria-pressed": String(i === this.rule), onclick: () => this.chooseRule(i) }, name);
      const remove = many && !readOnly ? make("button", { type: "button", title: `Remove ${name}`, "aria-label": `Remove ${name}`, onclick: () => this.removeRule(i) }, "×") : null;
      return make("span", { class: "chip" }, dot, choose, remove);
    }));
  }

  drawMarks() {
    const { el, doc } = this, right = this.frame ? this.frame.right || [] : [];
    const many = doc.patterns.length > 1;
    el.patterns.classList.toggle("hidden", !many);
    if (!many) return;
    replaceKeepingFocus(el.marks, doc.patterns.map((_, p) => {
      const state = right[p] ? "right" : "wrong";
      return make("button", { type: "button", class: right[p] ? "ok" : "off", "aria-current": String(p === this.shown), title: `Pattern ${p + 1}: its response is ${state}`, "aria-label": `Pattern ${p + 1}, ${state}`,
        onclick: () => { this.shown = p; this.selected = []; this.drawStatic(); this.lookAgain(); this.remember(); } }, `${p + 1}${right[p] ? "✓" : ""}`);
    }));
  }

  drawStatus() {
    const { frame } = this;
    if (!frame) return;
    const right = (frame.right || []).filter(Boolean).length, n = this.doc.patterns.length;
    let learned = n === 1 ? (right ? "right" : "not yet right") : `${right} of ${n} patterns right`;
    if (frame.outcome === "runaway") learned = "weights ran away";
    this.el.status.textContent = `step ${this.at}: ${learned}`;
  }

  sizeCanvas(canvas, width, height) {
    const ratio = globalThis.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`; canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  palette() {
    if (!this.colours) {
      const style = getComputedStyle(this.root);
      this.colours = Object.fromEntries(["ink", "mute", "line", "soft", "v", "after", "good", "bad", "desired", "card"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
      this.colours.rules = [0, 1, 2, 3, 4, 5].map((i) => style.getPropertyValue(`--rule${i}`).trim());
    }
    return this.colours;
  }

  layout() {
    const all = this.el.time.clientWidth, isNarrow = all < 480;
    this.gutter = isNarrow ? 48 : 104;
    this.el.time.parentElement.style.setProperty("--gutter", `${this.gutter}px`);
    this.el.time.classList.toggle("narrow", isNarrow);
    this.width = Math.max(160, all - this.gutter);
    this.inner = this.width - LEFT - RIGHT;
    const n = this.doc.n_channels;
    const body = clamp(n * 20, 80, Math.max(200, n > 60 ? 280 : 200));
    this.lineHeight = body / n;
    this.rasterHeight = body + 2 * TOP;
  }

  drawLanes() { this.layout(); this.drawRaster(); this.drawStrip(); }

  drawRaster() {
    const { el, doc, draft } = this, colours = this.palette();
    const pen = this.sizeCanvas(el.raster, this.width, this.rasterHeight);
    const pattern = draft ? draft.pattern : this.pattern, n = doc.n_channels;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right"; pen.textBaseline = "middle";
    pen.strokeStyle = colours.soft; pen.lineWidth = 1;
    if (this.lineHeight >= 4) {
      pen.beginPath();
      for (let c = 0; c < n; c++) { const y = Math.round(this.yOf(c)) + 0.5; pen.moveTo(LEFT, y); pen.lineTo(this.width - RIGHT, y); }
      pen.stroke();
    }
    pen.fillStyle = colours.mute;
    const every = Math.max(1, Math.ceil(14 / this.lineHeight)), nice = every === 1 ? 1 : every <= 5 ? 5 : every <= 10 ? 10 : every <= 50 ? 50 : 100;
    for (let c = 0; c < n; c++) if (c === 0 || (c + 1) % nice === 0) pen.fillText(String(c + 1), LEFT - 8, this.yOf(c));
    const half = clamp(this.lineHeight * 0.4, 1.2, 8), thick = this.lineHeight < 3 ? 1.4 : 2;
    pen.fillStyle = colours.ink;
    const chosen = new Set(this.selected.filter((each) => each.lane === "input").map((each) => each.index));
    const scale = this.inner / pattern.duration;
    this.drawDelays(pen, pattern, scale, half);
    for (let i = 0; i < pattern.times.length; i++) {
      if (chosen.has(i)) continue;
      pen.fillRect(LEFT + pattern.times[i] * scale - thick / 2, this.yOf(pattern.channels[i]) - half, thick, 2 * half);
    }
    pen.fillStyle = colours.v; pen.strokeStyle = colours.v;
    for (const i of chosen) {
      const x = LEFT + pattern.times[i] * scale, y = this.yOf(pattern.channels[i]), tall = Math.max(half, 4);
      pen.fillRect(x - 2, y - tall, 4, 2 * tall);
      pen.strokeRect(x - 5.5, y - tall - 3.5, 11, 2 * tall + 7);
    }
    if (draft && draft.action === "brush") {
      pen.setLineDash([4, 3]);
      pen.strokeRect(draft.from.x, draft.from.y, draft.to.x - draft.from.x, draft.to.y - draft.from.y);
      pen.setLineDash([]);
    }
    const longest = this.longestDelay, delayed = longest ? `delays up to ${ms(longest)} ms` : "";
    el.late.classList.toggle("hidden", !longest);
    el.late.textContent = delayed;
    el.raster.setAttribute("aria-description", `${plural(pattern.times.length, "spike")} on ${plural(n, "input")}${longest ? `; ${delayed}` : ""}`);
  }

  get delays() { return this.frame && this.frame.delays; }
  get longestDelay() { return this.delays ? Math.max(...this.delays) : 0; }

  // A light line from where a spike is sent to where it arrives.
  drawDelays(pen, pattern, scale, half) {
    if (!this.longestDelay) return;
    const end = this.width - RIGHT, thick = clamp(half / 2, 1, 3);
    pen.globalAlpha = 0.3;
    pen.fillStyle = this.palette().v;
    for (let i = 0; i < pattern.times.length; i++) {
      const from = LEFT + pattern.times[i] * scale, y = this.yOf(pattern.channels[i]), to = from + this.delays[pattern.channels[i]] * scale;
      pen.fillRect(from, y - thick / 2, Math.min(to, end) - from, thick);
      if (to > from && to <= end) pen.fillRect(to - 1, y - half, 2, 2 * half);
    }
    pen.globalAlpha = 1;
    pen.fillStyle = this.palette().ink;
  }

  drawStrip() {
    const { el, draft, look } = this, colours = this.palette(), height = 56;
    const pen = this.sizeCanvas(el.strip, this.width, height);
    this.stripMiddle = 28;
    pen.font = "11px system-ui, sans-serif"; pen.textAlign = "right"; pen.textBaseline = "middle";
    pen.fillStyle = colours.mute;
    pen.fillText("desired", LEFT - 8, 15); pen.fillText("actual", LEFT - 8, 42);
    pen.strokeStyle = colours.line;
    pen.beginPath(); pen.moveTo(LEFT, 28.5); pen.lineTo(this.width - RIGHT, 28.5); pen.stroke();
    const scale = this.inner / this.pattern.duration;
    const desired = draft ? draft.desired : this.desired;
    const found = this.counts && look ? look.desired : [];
    const chosen = new Set(this.selected.filter((each) => each.lane === "desired").map((each) => each.index));
    const spikes = look ? look.spikes : [];
    [...desired, ...found].forEach((time, i) => {
      const x = LEFT + time * scale;
      pen.fillStyle = pen.strokeStyle = colours.desired; pen.lineWidth = 1.6;
      pen.beginPath(); pen.moveTo(x - 6, 8); pen.lineTo(x + 6, 8); pen.lineTo(x, 20); pen.closePath();
      isNear(time, spikes) ? pen.fill() : pen.stroke();
      pen.fillRect(x - 0.5, 20, 1, 8);
      if (chosen.has(i)) { pen.strokeStyle = colours.v; pen.strokeRect(x - 9.5, 4.5, 19, 20); }
    });
    el.wrong.textContent = this.counts ? "○ not right" : "✕ wrong";
    if (this.counts) el.countNote.textContent = `  now ${spikes.length}${found.length ? ", ▽ where they would cost least" : ""}`;
    for (const time of spikes) {
      drawSpike(pen, this.markOf(time, spikes, desired), LEFT + time * scale, 42, 5, 2, colours);
    }
    el.strip.setAttribute("aria-description", `${this.counts ? plural(this.doc.targets.counts[this.shown], "spike") + " desired" : desired.length ? `Desired at ${desired.map(ms).join(", ")} ms` : "none desired"}; ${spikes.length ? `actual at ${spikes.slice(0, 20).map(ms).join(", ")} ms` : "no spikes"}`);
  }

  // A spike is right or wrong by its time; of a count that is not right none is the wrong one.
  markOf(time, spikes, desired) {
    if (this.counts) return spikes.length === this.doc.targets.counts[this.shown] ? "right" : "counted";
    return isNear(time, desired) ? "right" : "wrong";
  }

  drawWeights() {
    const { el, frame, look } = this, colours = this.palette(), width = this.gutter;
    const pen = this.sizeCanvas(el.weights, width, this.rasterHeight);
    if (!frame || !frame.weights) return;
    const now = frame.weights, start = this.doc.weights, change = look ? look.change : null;
    let top = 1e-9;
    for (let i = 0; i < now.length; i++) top = Math.max(top, Math.abs(now[i]), Math.abs(start[i]), change ? Math.abs(now[i] + change[i]) : 0);
    let lowest = 0;
    for (let i = 0; i < now.length; i++) lowest = Math.min(lowest, now[i], start[i], change ? now[i] + change[i] : 0);
    const zero = lowest < -0.02 * top ? 0.55 * width : 0.13 * width, unit = (width - 10 - zero) / top;
    pen.strokeStyle = colours.line; pen.beginPath(); pen.moveTo(zero + 0.5, 0); pen.lineTo(zero + 0.5, this.rasterHeight); pen.stroke();
    const half = clamp(this.lineHeight * 0.3, 0.5, 6);
    for (let i = 0; i < now.length; i++) {
      const y = this.yOf(i), x = now[i] * unit;
      pen.fillStyle = colours.v; pen.globalAlpha = 0.75;
      pen.fillRect(zero + Math.min(0, x), y - half, Math.max(1, Math.abs(x)), 2 * half);
      pen.globalAlpha = 1;
      // Among many lines an outline has no room: there the change itself is drawn.
      if (change && Math.abs(change[i]) > 1e-9 * top && this.lineHeight <= 3) { pen.fillStyle = colours.after; pen.fillRect(zero + Math.min(x, x + change[i] * unit), y - half, Math.abs(change[i] * unit), 2 * half); }
      if (change && Math.abs(change[i]) > 1e-9 * top && this.lineHeight > 3) { const next = (now[i] + change[i]) * unit; pen.strokeStyle = colours.after; pen.strokeRect(zero + Math.min(0, next), y - half - 1.5, Math.abs(next), 2 * half + 3); }
      if (this.at > 0 && this.lineHeight > 3) { pen.fillStyle = colours.ink; pen.fillRect(zero + start[i] * unit - 0.75, y - half - 2, 1.5, 2 * half + 4); }
    }
    pen.fillStyle = colours.mute; pen.font = "10.5px system-ui, sans-serif"; pen.textAlign = "right"; pen.textBaseline = "bottom";
    const words = now.length <= 12 ? now.map((value, i) => `${i + 1}: ${show(value)}`).join(", ") : plural(now.length, "weight");
    el.weights.setAttribute("aria-label", `Weights. ${words}. The largest is ${show(top)}.`);
    el.weights.title = `Weight of each input: bar now, outline after the next step, tick at the beginning. The longest is ${show(top)}.`;
  }

  plotOptions(height, series, scales, hooks) {
    const colours = () => this.palette();
    const axis = (more) => ({ stroke: () => colours().mute, grid: { stroke: () => colours().soft, width: 1 }, ticks: { stroke: () => colours().line, width: 1, size: 4 }, font: "11px system-ui, sans-serif", ...more });
    return { width: this.width, height, legend: { show: false }, cursor: { show: false }, padding: [TOP, RIGHT, 0, 0], scales,
      axes: [axis({ size: 26 }), axis({ size: LEFT, values: (_, ticks) => ticks.map((tick) => String(round(tick, 4)).replace("-", "−")) })], series, hooks };
  }

  drawPotentials() {
    const { look } = this;
    if (!look) { for (const each of ["v", "v0"]) this[`plot_${each}`]?.root.classList.add("hidden"); return; }
    const line = (colour, more = {}) => ({ stroke: () => this.palette()[colour], width: 1.6, points: { show: false }, ...more });
    const { t, v, v_after, v0, v0_after, theta } = look.curves;
    const flat = t.map(() => this.doc.neuron.threshold);
    const dashed = { dash: [5, 4], width: 1.4 }, tall = clamp(Math.round((innerHeight - 600) / 2), 140, 340);
    this.updatePlot("v", [t, flat, v_after, v], [line("mute", { dash: [2, 3], width: 1.2 }), line("after", dashed), line("v")], tall, (plot) => this.markPotential(plot));
    this.updatePlot("v0", [t, theta, v0_after, v0], [line("desired", { width: 1.3 }), line("after", dashed), line("v")], tall + 15, (plot) => this.markConstraints(plot));
  }

  updatePlot(name, data, lines, height, draw) {
    const key = `plot_${name}`, holder = this.el[name];
    const end = this.look.curves.t.length ? this.pattern.duration : 1;
    const clipped = this.limits(data);
    if (!this[key] || this[`${key}_size`] !== `${this.width} ${height}`) {
      this[key]?.destroy();
      this[`${key}_size`] = `${this.width} ${height}`;
      const scales = { x: { time: false, range: () => [0, this.pattern.duration] }, y: { range: () => this[`${key}_range`] } };
      this[`${key}_range`] = clipped;
      this[key] = new uPlot(this.plotOptions(height, [{}, ...lines], scales, { draw: [(plot) => this[`${key}_draw`](plot)] }), data, holder);
      this[key].root.setAttribute("role", "img");
    }
    this[`${key}_draw`] = draw;
    this[`${key}_range`] = clipped;
    this[key].root.classList.remove("hidden");
    this[key].setData(data, true);
    this[key].root.setAttribute("aria-label", name === "v" ? `Potential over ${end} ms with ${plural(this.look.spikes.length, "spike")}` : `Potential without resets, and the moving threshold, over ${end} ms`);
  }

  limits(data) {
    const goal = this.doc.neuron.threshold;
    let low = 0, high = goal * 1.15;
    for (const values of data.slice(1)) for (const value of values) if (value != null) { low = Math.min(low, value); high = Math.max(high, value); }
    // Far above or below, a wild curve would hide all others.
    const most = 6 * Math.max(goal, ...(this.look.curves.theta.length ? [Math.max(...this.look.curves.theta)] : [goal]));
    low = Math.max(low, -most); high = Math.min(high, most);
    const room = 0.06 * (high - low);
    return [low - room, high + room];
  }

  markPotential(plot) {
    const { ctx } = plot, colours = this.palette(), ratio = globalThis.devicePixelRatio || 1;
    const x = (time) => plot.valToPos(time, "x", true), y = (value) => plot.valToPos(value, "y", true);
    const desired = this.counts ? this.look.desired : this.draft ? this.draft.desired : this.desired;
    ctx.save(); ctx.scale(1, 1);
    ctx.strokeStyle = colours.desired; ctx.globalAlpha = 0.7; ctx.lineWidth = ratio; ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    for (const time of desired) { ctx.moveTo(x(time), plot.bbox.top); ctx.lineTo(x(time), plot.bbox.top + plot.bbox.height); }
    ctx.stroke(); ctx.setLineDash([]); ctx.globalAlpha = 1;
    const goal = this.doc.neuron.threshold;
    for (const time of this.look.spikes) {
      drawSpike(ctx, this.markOf(time, this.look.spikes, desired), x(time), y(goal), 4.5 * ratio, 2 * ratio, colours);
    }
    ctx.restore();
  }

  markConstraints(plot) {
    const { ctx } = plot, colours = this.palette(), ratio = globalThis.devicePixelRatio || 1;
    const x = (time) => plot.valToPos(time, "x", true), y = (value) => plot.valToPos(value, "y", true);
    ctx.save();
    for (const row of this.look.rows) {
      if (row.now == null) continue;
      const a = x(row.time);
      ctx.lineWidth = 2 * ratio;
      if (row.after != null && Math.abs(row.after - row.now) > 1e-6) {
        ctx.strokeStyle = colours.after; ctx.beginPath(); ctx.moveTo(a, y(row.now)); ctx.lineTo(a, y(row.after)); ctx.stroke();
      }
      if (row.goal != null) {
        ctx.strokeStyle = row.equal ? colours.desired : colours.bad;
        ctx.beginPath(); ctx.moveTo(a - 6 * ratio, y(row.goal)); ctx.lineTo(a + 6 * ratio, y(row.goal)); ctx.stroke();
      }
      ctx.fillStyle = colours.v; ctx.beginPath(); ctx.arc(a, y(row.now), 3.2 * ratio, 0, 7); ctx.fill();
    }
    ctx.restore();
  }

  drawTables() {
    const { el, look } = this, given = this.doc.rules[this.rule], rule = this.rules[given.key];
    const p = this.doc.patterns.length > 1 ? `, pattern ${this.shown + 1}` : "";
    el.which.textContent = `${this.nameOf(this.rule)}${p}`;
    el.equation.replaceChildren(...rule.equation.map(equationNode));
    el.equation.title = rule.summary;
    el.signs.replaceChildren(...signsOf(rule));
    if (!look) { for (const each of [el.numbers, el.table, el.sentences, el.matrix, el.verdict]) each.replaceChildren(); return; }
    el.numbers.replaceChildren(...this.numbersOf(rule));
    this.drawStepTable();
    el.sentences.replaceChildren(...this.sentencesOf().map(([sentence, cls]) => make("li", { class: cls }, sentence)));
    this.drawMatrix();
  }

  numbersOf(rule) {
    const { corrections } = this.look;
    const sign = { psp: "X", stdp: "S" }[rule.window] || "Z";
    if (!corrections.length) return [make("span", { class: "hint" }, "With the numbers of now: Δw = 0.")];
    const parts = [];
    corrections.slice(0, 6).forEach((each, i) => {
      const m = each.multiplier;
      const factor = each.recalls ? `${i ? " + " : ""}shorter delays for (` : m == null ? `${i ? " + " : ""}a step along the gradient of θ*(` : `${m < 0 ? (i ? " − " : "−") : i ? " + " : ""}${Math.abs(m) < 0.0005 ? Math.abs(m).toExponential(1).replace("-", "−") : show(Math.abs(m))}\u00a0${sign}(`;
      parts.push(`${factor}${ms(each.time)})`);
    });
    const more = corrections.length > 6 ? ` … ${corrections.length - 6} more` : "";
    const length = Math.sqrt(sum(this.look.change.map((value) => value * value)));
    return ["Δw = ", ...parts, more, make("span", { class: "hint", title: "How far the step moves the weights in all" }, "   ", make("span", { class: "whole-change" }, `|Δw| = ${show(length)}`), this.delayMoves())];
  }

  // How far the step moves delays, in words.
  delayMoves() {
    const after = this.look.delays_after;
    if (!after) return "";
    const now = this.delays || [];
    return `, delays move by up to ${show(Math.max(...after.map((late, i) => Math.abs(late - (now[i] || 0)))), 2)} ms`;
  }

  drawStepTable() {
    const { el, look } = this;
    const heads = [["constraint", "What is asked for at this time"], ["time (ms)", "When"], ["now", "V0 before the step"], ["goal", "= must be reached, < must not be reached"], ["multiplier", "Factor of this time's inputs in the change of the weights"], ["after", "V0 after the whole step"], ["left over", "How far the goal is missed after the step"]];
    const body = look.rows.map((row, i) => {
      const [name, help] = KINDS[row.kind] || [row.kind, ""];
      const left = row.left == null ? "" : Math.abs(row.left) < 5e-4 ? "0" : show(row.left);
      const cls = row.left == null ? "" : Math.abs(row.left) < 5e-4 ? "met" : look.outcome === "unchanged" ? "" : "left-over";
      const digits = digitsFor(row), isMet = row.kind === "wrong" && row.goal != null && row.now <= row.goal;
      const note = isMet ? make("span", { class: "hint met-already", title: "V0 is below the moving threshold here already, as it is with all spikes at their desired times: this spike goes when those come about." }, "goal met already") : null;
      return make("tr", { "data-row": i, onpointerenter: () => this.hover({ time: row.time, row: i }), onpointerleave: () => this.hover(null) },
        make("td", {}, make("span", { class: `kind ${row.kind}`, title: help }, name), note), make("td", {}, show(row.time, 2)), make("td", {}, show(row.now, digits)),
        make("td", {}, row.goal == null ? "" : `${row.equal ? "=" : "<"} ${show(row.goal, digits)}`), make("td", {}, row.multiplier == null ? "" : Math.abs(row.multiplier) < 5e-4 ? row.multiplier.toExponential(1).replace("-", "−") : show(row.multiplier)),
        make("td", {}, show(row.after)), make("td", { class: cls }, left));
    });
    if (look.critical) {
      const { k, now, after, goal, more } = look.critical;
      body.push(make("tr", {}, make("td", {}, make("span", { class: "kind critical", title: `The largest threshold with at least ${k} spikes. It must ${more ? "rise above" : "fall below"} the neuron's own.` }, `θ* of ${plural(k, "spike")}`)),
        make("td", {}, ""), make("td", {}, show(now)), make("td", {}, `${more ? ">" : "<"} ${show(goal)}`), make("td", {}, ""), make("td", {}, show(after)), make("td", {}, "")));
    }
    if (!body.length) { el.table.replaceChildren(make("p", { class: "hint" }, "No spikes and none desired.")); return; }
    el.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...heads.map(([name, title]) => make("th", { scope: "col", title }, name)))), make("tbody", {}, ...body)));
  }

  sentencesOf() {
    return [...this.look.sentences.map((sentence) => [sentence, ""]), ...this.look.goals];
  }

  drawMatrix() {
    const { el, look } = this, { rows, corrections, matrix } = look;
    el.verdict.replaceChildren(...look.verdicts.map(([sentence, cls]) => make("li", { class: cls }, sentence)));
    if (!corrections.length) { el.matrix.replaceChildren(...(look.verdicts.length ? [] : [make("p", { class: "hint" }, "No corrections, no interference.")])); return; }
    const most = Math.max(1e-12, ...matrix.flat().map(Math.abs));
    const shownColumns = corrections.slice(0, 14);
    const name = (each) => each.time == null ? "all" : ms(each.time);
    const head = make("tr", {}, make("th", { scope: "col", title: "Rows: where V0 changes. Columns: which correction does it." }, "at ↓ by →"), make("th", { scope: "col", title: "What is needed to reach the goal" }, "needed"), make("th", { scope: "col", title: "What all corrections of this step do together" }, "together"), ...shownColumns.map((each) => make("th", { scope: "col", title: "What this correction alone does" }, name(each))));
    const body = rows.slice(0, 30).map((row, i) => {
      const cells = shownColumns.map((each, j) => {
        const value = matrix[i][j], cell = make("td", { "data-row": i, "data-column": j, class: each.row === i ? "own" : "", title: each.row === i ? `What the correction at ${ms(row.time)} ms does where it is meant` : `Correcting ${name(each)} ms changes V0 at ${ms(row.time)} ms by ${show(value)}`,
          onpointerenter: () => this.hover({ time: row.time, row: i, column: j }), onpointerleave: () => this.hover(null) }, Math.abs(value) < 5e-5 ? "0" : show(value, most < 0.05 ? 4 : 3));
        cell.style.background = `rgba(var(${value < 0 ? "--down" : "--up"}), calc(var(--heat) * ${(Math.abs(value) / most).toFixed(3)}))`;
        return cell;
      });
      const total = row.after - row.now, needed = row.goal == null ? null : row.goal - row.now;
      const asked = needed == null ? "" : row.equal ? show(needed) : needed >= 0 ? "none" : `≤ ${show(needed)}`;
      return make("tr", { "data-row": i }, make("th", { scope: "row" }, make("span", { class: `kind ${row.kind}` }, ms(row.time))), make("td", {}, asked), make("td", { class: "sum" }, show(total)), ...cells);
    });
    el.matrix.replaceChildren(make("table", { class: "matrix" }, make("thead", {}, head), make("tbody", {}, ...body)));
  }

  drawCurves() {
    const { el } = this;
    const width = Math.max(220, el.curves.clientWidth);
    const n = Math.max(2, ...this.runs.map((frames) => frames ? frames.length : 0));
    const steps = Array.from({ length: n }, (_, i) => i);
    const valueOf = (frame) => !frame || frame.distance == null ? null : this.metric === "distance" ? frame.distance : frame.right.filter((each) => !each).length;
    const data = [steps, ...this.runs.map((frames) => steps.map((i) => frames ? valueOf(frames[i]) : null))];
    const key = `${width}/${this.runs.length}/${this.doc.rules.map((rule) => rule.key).join()}`;
    if (this.curveKey !== key) {
      this.curvePlot?.destroy();
      this.curveKey = key;
      const series = this.runs.map((_, i) => ({ label: String(i), stroke: () => this.palette().rules[i], width: 1.8, dash: i ? [8, 2 + i] : [], points: { show: false } }));
      const scales = { x: { time: false, range: (_, low, high) => [0, Math.max(5, high)] }, y: { range: (_, low, high) => [0, Math.max(high * 1.08, 0.01)] } };
      const options = this.plotOptions(170, [{}, ...series], scales, { draw: [(plot) => this.markCurves(plot)] });
      options.width = width;
      options.axes[0].incrs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
      this.curvePlot = new uPlot(options, data, el.curves);
      this.curvePlot.root.setAttribute("role", "img");
      this.curvePlot.root.addEventListener("click", (event) => {
        const over = this.curvePlot.over.getBoundingClientRect();
        this.pause();
        this.goTo(Math.round(this.curvePlot.posToVal(event.clientX - over.left, "x")));
      });
      this.curvePlot.root.title = "Click to go to a step";
    }
    this.curvePlot.setData(data, true);
    const names = this.doc.rules.map((_, i) => { const value = valueOf(this.runs[i] && this.runs[i][Math.min(this.at, this.runs[i].length - 1)]); return `${this.nameOf(i)} ${show(value)}`; });
    this.curvePlot.root.setAttribute("aria-label", `Error at step ${this.at}: ${names.join(", ")}`);
    el.legend.replaceChildren(...names.map((name, i) => {
      const dot = make("span", { class: "dot" });
      dot.style.background = `var(--rule${i})`;
      return make("span", {}, dot, name);
    }));
  }
  markCurves(plot) {
    const { ctx } = plot, colours = this.palette(), ratio = globalThis.devicePixelRatio || 1;
    const a = plot.valToPos(this.at, "x", true);
    ctx.save();
    ctx.strokeStyle = colours.mute; ctx.lineWidth = ratio; ctx.setLineDash([4 * ratio, 3 * ratio]);
    ctx.beginPath(); ctx.moveTo(a, plot.bbox.top); ctx.lineTo(a, plot.bbox.top + plot.bbox.height); ctx.stroke();
    ctx.setLineDash([]);
    this.runs.forEach((frames, i) => {
      const frame = frames && frames[Math.min(this.at, frames.length - 1)];
      if (!frame || frame.distance == null) return;
      const value = this.metric === "distance" ? frame.distance : frame.right.filter((each) => !each).length;
      ctx.fillStyle = colours.rules[i];
      ctx.beginPath(); ctx.arc(plot.valToPos(Math.min(this.at, frames.length - 1), "x", true), plot.valToPos(value, "y", true), 4 * ratio, 0, 7); ctx.fill();
    });
    ctx.restore();
  }

  // ------------------------------------------------------------ Pictures

  async exportPicture(kind) {
    const svg = this.picture();
    if (kind === "svg") return this.download("lab.svg", "image/svg+xml", svg);
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const image = new Image();
    await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = address; });
    const canvas = make("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    this.download("lab.png", "image/png", blob);
  }

  // The screen as a drawing: raster, desired and actual spikes, V, V0 with the moving threshold, error curves.
  picture() {
    const width = 900, left = 60, right = 20, inner = width - left - right, parts = [];
    const { look, doc } = this, { duration } = this.pattern;
    const ink = "#1b2127", mute = "#55606b", blue = "#1f5fb4", amber = "#9a5b00", violet = "#5b3aa8", good = "#16734a", bad = "#b3261e";
    const x = (time) => (left + time / duration * inner).toFixed(2);
    const escape = (value) => String(value).replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[mark]));
    const word = (a, b, value, more = "") => parts.push(`<text x="${a}" y="${b}" ${more}>${escape(value)}</text>`);
    let y = 28;
    word(left, y, `${doc.title || "linspike lab"} · ${this.nameOf(this.rule)}, step ${this.at}`, `font-weight="bold" fill="${ink}"`);
    y += 16;
    const n = doc.n_channels, tall = clamp(n * 14, 60, 240), line = tall / n;
    this.pattern.times.forEach((time, i) => { const at = y + (this.pattern.channels[i] + 0.5) * line, half = clamp(line * 0.4, 0.8, 6), late = this.longestDelay ? this.delays[this.pattern.channels[i]] : 0;
      if (late) parts.push(`<path d="M${x(time)} ${at.toFixed(2)}H${x(Math.min(time + late, duration))}" stroke="${blue}" stroke-width="2" opacity="0.35"/>`);
      parts.push(`<path d="M${x(time)} ${(at - half).toFixed(2)}v${(2 * half).toFixed(2)}" stroke="${ink}" stroke-width="${line < 3 ? 1 : 1.8}"/>`); });
    word(left - 8, y + tall / 2, "inputs", `text-anchor="end" fill="${mute}"`);
    y += tall + 18;
    const desired = this.counts ? (look ? look.desired : []) : this.desired, spikes = look ? look.spikes : [];
    word(left - 8, y + 4, "desired", `text-anchor="end" fill="${mute}"`); word(left - 8, y + 22, "actual", `text-anchor="end" fill="${mute}"`);
    for (const time of desired) parts.push(`<path d="M${x(time)} ${y + 8}l-5 -10h10z" fill="${isNear(time, spikes) ? violet : "none"}" stroke="${violet}" stroke-width="1.5"/>`);
    for (const time of spikes) { const mark = this.markOf(time, spikes, desired); parts.push(mark !== "wrong" ? `<circle cx="${x(time)}" cy="${y + 18}" r="4" ${mark === "right" ? `fill="${good}"` : `fill="none" stroke="${blue}" stroke-width="2"`}/>` : `<path d="M${x(time)} ${y + 18}m-4 -4l8 8m0 -8l-8 8" stroke="${bad}" stroke-width="2"/>`); }
    y += 50;
    const panel = (label, times, curves, height) => {
      let low = 0, high = 1e-9;
      for (const { values } of curves) for (const value of values) if (value != null) { low = Math.min(low, value); high = Math.max(high, value); }
      const at = (value) => (y + height - (value - low) / (high - low) * height).toFixed(2);
      const end = times[times.length - 1] || 1, across = (time) => (left + time / end * inner).toFixed(2);
      parts.push(`<path d="M${left} ${y}v${height}h${inner}" fill="none" stroke="${mute}"/>`);
      word(left - 8, Number(at(low)), show(low, 1), `text-anchor="end" fill="${mute}"`); word(left - 8, Number(at(high)) + 8, show(high, 1), `text-anchor="end" fill="${mute}"`);
      for (const { values, colour, dash = "" } of curves) parts.push(`<polyline fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}" points="${values.map((value, i) => value == null ? "" : `${across(times[i])},${at(value)}`).join(" ")}"/>`);
      word(left, y - 7, label, `fill="${mute}"`);
      word(left + inner, y + height + 14, show(end, 0), `text-anchor="end" fill="${mute}"`);
      y += height + 40;
    };
    if (look) {
      const c = look.curves;
      panel("V; dashed: after the step; dotted: threshold (time in ms)", c.t, [{ values: c.t.map(() => doc.neuron.threshold), colour: mute, dash: "2 3" }, { values: c.v_after, colour: amber, dash: "5 4" }, { values: c.v, colour: blue }], 130);
      panel("V0 and the moving threshold; dashed: after the step (time in ms)", c.t, [{ values: c.theta, colour: violet }, { values: c.v0_after, colour: amber, dash: "5 4" }, { values: c.v0, colour: blue }], 130);
    }
    const longest = Math.max(...this.runs.map((frames) => frames.length));
    if (longest > 1) {
      const colours = ["#1f5fb4", "#b3521a", "#16734a", "#7d3ac1", "#0f7482", "#6b6b2a"];
      const steps = Array.from({ length: longest }, (_, i) => i);
      const names = doc.rules.map((_, i) => this.nameOf(i)).join(", ");
      panel(`error by step: ${names}`, steps, this.runs.map((frames, i) => ({ values: steps.map((k) => frames[k] ? frames[k].distance : null), colour: colours[i], dash: i ? `8 ${2 + i}` : "" })), 100);
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>`;
  }
}

const solveHint = (counts) => make("span", { class: "hint" }, counts
  ? "Only desired times can be solved at once: a count leaves open where the spikes are. Let a rule learn them step by step."
  : "Is there any solution? Solve looks at all patterns at once.");
// Decimals that tell what is from the goal.
function digitsFor({ now, goal, equal }) {
  if (now == null || goal == null || equal) return 3;
  let digits = 3;
  while (digits < 7 && now !== goal && show(now, digits) === show(goal, digits)) digits++;
  return show(now, digits) === show(goal, digits) ? 3 : digits;
}
const C_NOTE = "V0 carries C thresholds there: that of this spike, and exp(−(t − o)/τm) of the reset by each earlier spike o. So the threshold that V just reaches is V0/C, and a weight moves it by X/C.";
// What the signs of an equation mean, as far as it has them; some with a longer note.
const SIGNS = [
  [/X\(|K_/, "X(t):", "what each input adds to V0 at time t, by a weight of 1"],
  [/S_i\(/, "S(t):", "how near before or after time t each input comes"],
  [/Z\(/, "Z(t):", "as X(t), with inputs just after t"],
  [/theta/, "θ:", "moving threshold"],
  [/th\*/, "θ*_k:", "the largest threshold with at least k spikes"],
  [/t\*/, "t*:", "where the next spike would come, or the last one would go"],
  [/\/C/, "C:", "1 and what is left there of earlier resets", C_NOTE],
  [/K_d/, "K_d:", "X at all desired times"],
  [/K_o/, "K_o:", "X at all wrong spikes"],
  [/Z'/, "Z:", "the same by the learning window"],
  [/' eta/, "η:", "multipliers, one per row"],
  [/lb </, "lb, ub:", "how small and how large they may be"],
  [/min_multiplier/, "least, bound:", "how small and how large they may be"],
  [/(?<!K_d.*|Z'.*)\beta\b/, "η:", "step size"],
  [/tau_q/, "γ_r, τ_q:", "how much moving a spike counts, and how far it reaches"],
  [/sum_moved/, "added, removed, moved:", "spikes, in the cheapest way from the actual to the desired ones"],
  [/o < l/, "o, l:", "number of actual and of desired spikes"],
  [/\(d\b|\(o\b/, "d, o:", "desired and actual spikes"],
];
function signsOf(rule) {
  const line = rule.equation.join(" "), found = SIGNS.filter(([sign]) => sign.test(line));
  return found.map(([, sign, meaning, title = ""], i) => make("span", { title, class: title ? "noted" : "" },
    ...equationNode(`${sign} ${meaning}`).childNodes, i < found.length - 1 ? "; " : "."));
}
const isNear = (time, others) => others.some((other) => Math.abs(other - time) <= 1);
function drawSpike(pen, mark, x, y, size, width, colours) {
  pen.fillStyle = colours.good;
  pen.strokeStyle = mark === "wrong" ? colours.bad : colours.v;
  pen.lineWidth = width;
  pen.beginPath();
  if (mark !== "wrong") pen.arc(x, y, size, 0, 7);
  else { pen.moveTo(x - size, y - size); pen.lineTo(x + size, y + size); pen.moveTo(x + size, y - size); pen.lineTo(x - size, y + size); }
  mark === "right" ? pen.fill() : pen.stroke();
}
function el_value(input) { return input.value === "" ? 0 : input.value; }
// Put new children in place of the old ones; the control with the focus hands it to its successor.
function replaceKeepingFocus(holder, children) {
  const controls = "button, input, select", place = [...holder.querySelectorAll(controls)].indexOf(document.activeElement);
  holder.replaceChildren(...children);
  if (place >= 0) holder.querySelectorAll(controls)[place]?.focus();
}
function spread(n, duration) { return Array.from({ length: n }, (_, i) => round((i + 1) * duration / (n + 1), 1)); }

function helpNode() {
  const rows = [["click", "add a spike"], ["drag", "move it; Shift-click selects several"], ["double-click, Delete", "remove it"], [", .", "select the spike before or after"], ["← →", "move by 1 ms, with Shift by 0.1 ms"], ["↑ ↓", "move to the next input"], ["N", "add a spike; with the Poisson brush, random spikes on all inputs"], ["S B E P", "step, back, epoch, play"], ["Ctrl+Z", "undo; with Shift redo"]];
  return make("div", {}, make("h2", {}, "Keys and mouse"), make("table", {}, make("tbody", {}, ...rows.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what))))));
}

// ---------------------------------------------------------------- Start

async function startPage(root) {
  const token = new URLSearchParams(location.search).get("token") || "";
  localStorage.setItem("linspike-lab-token", token);
  sessionStorage.removeItem("linspike-lab-tried");
  const lab = globalThis.lab = new Lab(root, new Server(token));
  const read = async () => {
    const packed = /^#d=([\w-]+)$/.exec(location.hash);
    if (packed) return unpack(packed[1]).catch(() => null);
    return location.hash === "#local" ? lab.readLocal() : null;
  };
  const hadHash = location.hash.length > 1, given = await read();
  await lab.start(given).catch((error) => lab.say(error.message));
  if (hadHash && !given) lab.say("The address held a task that cannot be read, so another one is shown.");
  addEventListener("hashchange", async () => {
    if (location.hash === lab.ownHash) return;
    const saved = await read();
    if (saved) lab.load(saved.doc, saved.view).catch((error) => lab.say(error.message));
  });
}

for (const root of document.querySelectorAll("[data-lab]")) {
  if (root.dataset.lab === "server") startPage(root);
  else {
    const recorded = JSON.parse(document.getElementById(root.dataset.lab).textContent);
    new Lab(root, new Recording(recorded)).start();
  }
}
