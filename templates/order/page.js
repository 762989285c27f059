
"use strict";
/* One question, answered by pointing. What may be said comes in the fragment of the link, which no server is sent;
   it is stripped at once. An attached copy brings it along. */
const facts = JSON.parse(document.getElementById("facts").textContent);
const at = (id) => document.getElementById(id);

/* -- what the letter told ---------------------------------------------------------------------- */

async function unpacked(fragment) {
  const plain = atob(fragment.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(plain, (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function stepOf([before, between, none, least, most, of]) {
  return { before, between, none, least, most, of: of.map(choiceOf) };
}

function choiceOf([text, place = 0, times = 0, brings = "", then = []]) {
  const where = place === 1 ? text.split(" ").pop() : place;
  return { text, where: where || null, times: times || 1, brings: brings || "", then: (then || []).map(stepOf) };
}

/* -- an answer as far as it has come ----------------------------------------------------------- */

const DONE = "done";

/* The text that a path through the steps makes, and the step at which it waits; null when it is whole. */
function walked(root, path) {
  const frames = [{ steps: [root], taken: [] }];
  const left = [...path];
  let text = "", used = 0;
  while (frames.length) {
    const frame = frames[frames.length - 1];
    const step = frame.steps[0];
    if (!step) { frames.pop(); continue; }
    const open = step.of.filter((one) => frame.taken.filter((each) => each === one).length < one.times);
    const full = frame.taken.length >= step.most || !open.length;
    const picked = full ? DONE : onlyOne(step, open) || left.shift();
    if (picked === undefined) return { text, step, open, count: frame.taken.length, used };
    if (picked === DONE) {
      text += frame.taken.length ? "" : step.none;
      frame.steps = frame.steps.slice(1);
      frame.taken = [];
    } else {
      text += (frame.taken.length ? step.between : step.before) + picked.text;
      frame.taken.push(picked);
      frames.push({ steps: picked.then, taken: [] });
    }
    used += 1;
  }
  return { text, step: null, open: [], count: 0, used };
}

function onlyOne(step, open) {
  return step.least === 1 && step.most === 1 && open.length === 1 ? open[0] : null;
}

/* Whether it can be sent as it is: all that is still open may be left out. */
function whole(root, path) {
  const here = walked(root, path);
  if (!here.step) return here.text;
  if (here.count < here.step.least) return null;
  return whole(root, [...path, DONE]);
}

/* -- the page ---------------------------------------------------------------------------------- */

class Page {
  constructor(letter) {
    this.letter = letter;
    this.root = stepOf(letter.c);
    this.path = [];
    this.only = null; /* the place that was tapped, where several choices lie */
    this.words = facts.say[letter.l] || facts.say.en;
    const names = facts.names[letter.l] || facts.names.en;
    const ids = Object.keys(names).sort((a, b) => b.length - a.length);
    this.pattern = new RegExp("\\b(" + ids.join("|") + ")\\b", "g");
    this.told = (text) => text.replace(this.pattern, (id) => names[id]);
  }

  begin() {
    document.documentElement.lang = this.letter.l;
    document.title = this.letter.q;
    at("question").textContent = this.letter.q;
    at("due").textContent = this.letter.d || "";
    for (const id of ["said_title", "choose", "done", "back", "anew", "copy", "preview", "send", "larger", "board_title", "skip"])
      at(id).textContent = this.words[id];
    at("back").onclick = () => this.go(this.path.slice(0, -1));
    at("anew").onclick = () => this.go([]);
    at("done").onclick = () => this.go([...this.path, DONE]);
    at("copy").onclick = () => this.copy();
    at("larger").onclick = () => this.enlarge();
    at("board").onclick = (event) => this.tap(event.target.id);
    at("ordering").hidden = false;
    this.show();
  }

  go(path) {
    this.path = path;
    this.only = null;
    this.show();
  }

  show() {
    const here = walked(this.root, this.path);
    const said = whole(this.root, this.path);
    const open = this.only ? here.open.filter((one) => one.where === this.only) : here.open;
    at("said").textContent = this.told(said === null ? here.text + " …" : said).trim() || "…";
    at("choices").replaceChildren(...open.map((one) => this.button(one)));
    at("choose").hidden = !open.length;
    at("done").hidden = !here.step || here.count < here.step.least || !this.path.length;
    at("back").hidden = at("anew").hidden = !this.path.length;
    this.offer(said === null ? null : this.told(said).trim());
    this.mark(here.open);
  }

  button(one) {
    const made = document.createElement("button");
    const name = document.createElement("b");
    made.type = "button";
    name.textContent = this.told(one.text).replace(/^[-\s]+/, "");
    made.append(name);
    if (one.brings) {
      const brings = document.createElement("span");
      brings.className = "brings";
      brings.textContent = one.brings;
      made.append(brings);
    }
    made.onclick = () => {
      this.go([...this.path, one]);
      at("said").focus();
    };
    return made;
  }

  tap(id) {
    const there = walked(this.root, this.path).open.filter((one) => one.where === id);
    if (there.length === 1) this.go([...this.path, there[0]]);
    else if (there.length) { this.only = id; this.show(); }
  }

  mark(open) {
    const can = new Set(open.map((one) => one.where));
    for (const place of at("board").querySelectorAll("path[id]")) place.classList.toggle("can", can.has(place.id));
  }

  /* -- sending it -- */

  offer(text) {
    const fits = text !== null && text.length <= facts.longest;
    for (const id of ["send", "preview"]) at(id).hidden = !fits;
    at("copy").hidden = text === null;
    at("notice").textContent = text !== null && !fits ? this.words.too_long : "";
    if (!fits) return;
    at("send").href = this.mail(text);
    at("preview").href = this.mail(facts.preview[this.letter.l] + "\n" + text);
  }

  mail(text) {
    const body = encodeURIComponent(text.replace(/\n/g, "\r\n") + "\r\n");
    return `mailto:${encodeURIComponent(this.letter.o).replace(/%40/g, "@")}?subject=${encodeURIComponent(this.letter.s)}&body=${body}`;
  }

  async copy() {
    const text = at("said").textContent;
    try {
      await navigator.clipboard.writeText(text);
      at("notice").textContent = this.words.copied;
    } catch {
      getSelection().selectAllChildren(at("said"));
      at("notice").textContent = this.words.copy_by_hand;
    }
  }

  enlarge() {
    const larger = at("frame").classList.toggle("larger");
    at("larger").setAttribute("aria-pressed", String(larger));
  }
}

/* -- the board --------------------------------------------------------------------------------- */

/* Pieces as the game's own script lists them: where, as what, in which colours, with what letters. */
function draw(position) {
  const rows = new Map();
  for (const piece of piecesOf(position)) rows.set(piece.at, [...(rows.get(piece.at) || []), piece]);
  for (const [place, pieces] of rows) {
    const [x, y, w, h] = facts.spots[place] || [0, 0, 0, 0];
    const step = Math.min(14, w / pieces.length);
    pieces.forEach((piece, n) => piece_at(piece, x + w / 2 + (n - (pieces.length - 1) / 2) * step, y + h / 2));
  }
}

function piece_at(piece, x, y) {
  const colours = facts.colours[piece.of];
  const shape = piece.kind === "round" ? svg("circle", { cx: x, cy: y, r: 6 }) : svg("rect", { x: x - 7, y: y - 4.5, width: 14, height: 9, rx: 4 });
  for (const [name, value] of Object.entries({ fill: colours.fill, stroke: colours.edge })) shape.setAttribute(name, value);
  at("pieces").append(shape);
  if (!piece.text) return;
  const text = svg("text", { x, y: y + 3.2, fill: colours.ink });
  text.textContent = piece.text;
  at("pieces").append(text);
}

function svg(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/* -- */

async function start() {
  const fragment = location.hash.slice(1);
  history.replaceState(null, "", location.href.split("#")[0]);
  const letter = fragment ? await unpacked(fragment) : facts.letter;
  const language = navigator.language.slice(0, 2);
  if (!letter) {
    at("notice").textContent = (facts.say[language] || facts.say.en).nothing;
    return;
  }
  new Page(letter).begin();
  const position = letter.p || (letter.u ? await (await fetch("../../" + letter.u)).json() : null);
  if (position) draw(position);
}

start().catch(() => { at("notice").textContent = facts.say.en.broken; });
