"use strict";
/* One question, answered by pointing. What may be said comes in the fragment of the link, which no server is sent;
   it is stripped at once. An attached copy brings it along. */
const facts = JSON.parse(document.getElementById("facts").textContent);
const at = (id) => document.getElementById(id);

/* -- what the letter told ---------------------------------------------------------------------- */

/* Behind the stock, as a block that is only stored (RFC 1951, 3.2.4). */
async function unpacked(fragment) {
  const { stock } = facts, size = [stock.length & 255, stock.length >> 8];
  const head = [0, ...size, ...size.map((byte) => byte ^ 255)];
  const plain = stock + atob(fragment.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from([...head, ...Array.from(plain, (one) => one.charCodeAt(0))]);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse((await new Response(stream).text()).slice(stock.length));
}

/* What there is only so much of is numbered on from the steps around it, ~n: so much is added; here each has a number of
   its own. Words that the page knows are told by a letter each. */
function treeOf(packed, words) {
  let rooms = 0;
  const long = (text) => text && text.replace(/[^\0-\xa0]/g, (letter) => words[letter.charCodeAt(0) - 0xa1]);
  const stepOf = (outer) => ([before, between, none, least, most, of, room]) => {
    const here = (room || []).map((count) => [rooms++, count]);
    const known = [...outer, ...here.map(([number]) => number)];
    return { before, between, none, least, most, room: Object.fromEntries(here), of: of.map(choiceOf(known)) };
  };
  const choiceOf = (known) => ([short, place, times, brings, then, took, cost, payer]) => {
    const takes = (took || []).map((number) => number < 0 ? ~known[~number] : known[number]);
    const text = long(short), where = place === 1 ? text.split(" ").pop() : long(place);
    return { text, where: where || null, times: times || 1, brings: brings || "", then: (then || []).map(stepOf(known)), takes, cost: cost || 0, payer: payer || "" };
  };
  return stepOf([])(packed);
}

/* -- what may be chosen next: the same as pbem/core/choice.py says ------------------------------ */

function onOffer(step, taken, left) {
  if (taken.length >= step.most) return [];
  return step.of.filter((one) => countOf(one, taken) < one.times && isOpen(one, left));
}

function countOf(one, taken) {
  return taken.filter((each) => each === one).length;
}

function entered(step, left) {
  return step ? { ...left, ...step.room } : left;
}

function chosen(one, left) {
  const behind = { ...left };
  for (const name of one.takes) if (name < 0) behind[~name]++; else behind[name]--;
  return behind;
}

function isOpen(one, left) {
  const behind = chosen(one, left);
  return one.takes.every((name) => name < 0 || behind[name] >= 0) && canEnd(one.then, behind);
}

function canEnd([step, ...rest], left) {
  if (!step) return true;
  if (!step.least) return canEnd(rest, left);
  const fewer = { ...step, least: step.least - 1, room: {} };
  return step.of.some((one) => isOpen({ ...one, then: [...one.then, fewer, ...rest] }, entered(step, left)));
}

/* -- an answer as far as it has come ----------------------------------------------------------- */

const DONE = "done";

/* The text that a path through the steps makes, what was picked on the way, and the step at which it waits; null when
   the answer is whole. A pick knows where the path tells of it (from, to) and where what was picked beside it ends.
   Shut: the path leads where nothing is open any more. */
function walked(root, path) {
  const frames = [{ steps: [root], taken: [] }], picks = [];
  let text = "", read = 0, left = entered(root, {});
  while (frames.length) {
    const frame = frames[frames.length - 1];
    const step = frame.steps[0];
    if (!step) { ended(frames.pop().pick, read, text); continue; }
    const from = read, open = onOffer(step, frame.taken.map((each) => each.one), left);
    const picked = isOver(step, frame.taken) ? DONE : onlyOne(step) || path[read++];
    const shut = picked && picked !== DONE && !open.includes(picked);
    if (picked === undefined || shut) return { text, step, open, count: frame.taken.length, picks, shut };
    if (picked === DONE) {
      text += frame.taken.length ? "" : step.none;
      for (const pick of frame.taken) pick.end = from;
      frame.steps = frame.steps.slice(1);
      frame.taken = [];
      left = entered(frame.steps[0], left);
    } else {
      text += (frame.taken.length ? step.between : step.before);
      const pick = { one: picked, from, own: read > from, depth: frames.length - 1, begin: text.length, to: path.length, end: path.length };
      text += picked.text;
      frame.taken.push(pick);
      frames.push({ steps: picked.then, taken: [], pick });
      picks.push(pick);
      left = entered(picked.then[0], chosen(picked, left));
    }
  }
  return { text, step: null, open: [], count: 0, picks, shut: false };
}

function ended(pick, read, text) {
  if (pick) Object.assign(pick, { to: read, stop: text.length });
}

function isOver(step, taken) {
  const used = taken.map((each) => each.one);
  return used.length >= step.most || step.of.every((one) => countOf(one, used) >= one.times);
}

function onlyOne(step) {
  return step.least === 1 && step.most === 1 && step.of.length === 1 ? step.of[0] : null;
}

/* The path to where there is something to choose: a step in which nothing is open any more is done. */
function settled(root, path) {
  const here = walked(root, path);
  return here.step && !here.open.length && here.count >= here.step.least ? settled(root, [...path, DONE]) : path;
}

/* The path before its last choice. */
function back(root, path) {
  const shorter = path.slice(0, -1);
  return shorter.length && settled(root, shorter).length >= path.length ? back(root, shorter) : shorter;
}

/* Whether it can be sent as it is: all that is still open may be left out. */
function whole(root, path) {
  const here = walked(root, path);
  if (!here.step) return here.text;
  if (here.count < here.step.least) return null;
  return whole(root, [...path, DONE]);
}

/* The path without a pick: what was picked beside it stays where it still can, what came later goes. */
function without(root, path, pick) {
  let kept = path.slice(0, pick.from);
  const beside = walked(root, path).picks.filter((one) => one.depth === pick.depth && one.from >= pick.to && one.from < pick.end);
  for (const one of beside) {
    const tried = [...kept, ...path.slice(one.from, one.to)];
    if (!walked(root, tried).shut) kept = tried;
  }
  return kept;
}

/* -- the page ---------------------------------------------------------------------------------- */

class Page {
  constructor(letter) {
    this.letter = letter;
    this.path = [];
    this.only = null; /* the place that was tapped, where several choices lie */
    this.words = wordsIn(letter.l);
    this.names = facts.names[letter.l] || facts.names.en;
    const ids = Object.keys(this.names).sort((a, b) => b.length - a.length);
    this.root = treeOf(letter.c, Object.keys(this.names).sort());
    this.pattern = new RegExp("\\b(" + ids.join("|") + ")\\b", "g");
    this.map = new Map_(this.letter.l, (place) => this.tap(place));
  }

  told(text) {
    return text.replace(this.pattern, (id) => this.names[id]);
  }

  begin() {
    document.documentElement.lang = this.letter.l;
    document.title = this.letter.q;
    at("question").textContent = this.letter.q;
    at("due").textContent = this.letter.d || "";
    for (const each of document.querySelectorAll("[data-say]")) each.textContent = this.words[each.dataset.say];
    for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", this.words[each.dataset.label]);
    at("back").onclick = () => this.go(back(this.root, this.path));
    at("anew").onclick = () => this.go([]);
    at("done").onclick = () => this.go([...this.path, DONE]);
    at("all").onclick = () => this.go(this.path);
    at("copy").onclick = () => this.copy();
    at("ordering").hidden = false;
    this.show();
  }

  go(path, only = null) {
    const focus = document.activeElement;
    this.path = settled(this.root, path);
    this.only = only;
    this.show();
    this.keep(focus);
  }

  show() {
    const here = walked(this.root, this.path);
    const said = whole(this.root, this.path);
    const open = this.only ? here.open.filter((one) => one.where === this.only) : here.open;
    at("said").textContent = this.told(said === null ? here.text + " …" : said).trim();
    at("costs").textContent = this.costs(here.picks);
    at("taken").replaceChildren(...here.picks.filter((pick) => pick.own && pick.depth < 2).map((pick) => this.taken(here, pick)));
    at("choices").replaceChildren(...open.map((one) => this.button(one)));
    at("choose").textContent = this.only ? this.name(this.only) : this.words.choose;
    at("choose").hidden = !open.length;
    at("all").hidden = !this.only;
    at("done").hidden = !here.step || here.count < here.step.least;
    at("back").hidden = at("anew").hidden = !this.path.length;
    this.offer(said === null ? null : this.told(said).trim());
    this.map.show(here);
  }

  /* Whoever is on a button finds themself on the same one, or where it goes on if it is gone. */
  keep(focus) {
    if (focus === document.body || (focus.isConnected && focus.checkVisibility())) return;
    const again = [...document.querySelectorAll("button[data-of]")].find((one) => one.dataset.of === focus.dataset.of);
    const next = again || (at("choose").hidden ? at("send").href ? at("send") : at("copy") : at("choose"));
    next.focus();
  }

  name(place) {
    const label = this.map.labels[place];
    return label ? label[0].map(([line]) => line).join(" ") : this.told(place);
  }

  /* What their own purse and those of others pay, one sum for each. */
  costs(picks) {
    const sums = new Map();
    for (const { one } of picks) if (one.cost) sums.set(one.payer, (sums.get(one.payer) || 0) + one.cost);
    const told = [...sums].map(([payer, sum]) => {
      const of = payer ? this.words.costs_of : this.words.costs_own;
      return of.replace("#", sum).replace("@", this.told(payer));
    });
    return told.length ? this.words.costs + " " + told.join(" + ") : "";
  }

  taken(here, pick) {
    const text = pick.depth ? here.text.slice(pick.begin, pick.stop) : pick.one.text;
    const made = made_of("button", this.told(text), { type: "button" });
    made.dataset.of = "taken " + text;
    made.setAttribute("aria-label", this.words.take_back + " " + made.textContent);
    made.onclick = () => this.go(without(this.root, this.path, pick));
    const row = document.createElement("li");
    row.append(made);
    return row;
  }

  button(one) {
    const made = made_of("button", "", { type: "button" });
    made.dataset.of = one.text;
    made.append(made_of("b", this.told(one.text).replace(/^[-\s]+/, "")));
    if (one.brings) made.append(" ", made_of("span", one.brings, { className: "brings" }));
    made.onclick = () => this.go([...this.path, one]);
    const row = document.createElement("li");
    row.append(made);
    return row;
  }

  tap(place) {
    const there = walked(this.root, this.path).open.filter((one) => one.where === place);
    if (there.length === 1) this.go([...this.path, there[0]]);
    else if (there.length) this.go(this.path, place);
  }

  /* -- sending it -- */

  offer(text) {
    const links = { send: text, preview: text === null ? null : facts.preview[this.letter.l] + "\n" + text };
    const long = text !== null && bodyOf(links.preview).length > facts.longest;
    for (const [id, body] of Object.entries(links)) {
      at(id).hidden = long;
      if (body !== null && !long) at(id).href = this.mail(body);
      else at(id).removeAttribute("href");
      at(id).setAttribute("aria-disabled", String(body === null));
    }
    at("copy").disabled = text === null;
    at("notice").textContent = long ? this.words.too_long : "";
  }

  mail(text) {
    const address = encodeURIComponent(this.letter.o).replace(/%40/g, "@");
    return `mailto:${address}?subject=${encodeURIComponent(this.letter.s)}&body=${bodyOf(text)}`;
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
}

function bodyOf(text) {
  return encodeURIComponent(text.replace(/\n/g, "\r\n") + "\r\n");
}

function made_of(name, text, more = {}) {
  const made = Object.assign(document.createElement(name), more);
  made.textContent = text;
  return made;
}

/* -- the board --------------------------------------------------------------------------------- */

const CLOSEST = 6, NEARER = 1.5, ROOM = 45; /* times as large; what a button does; around what can be tapped */

class Map_ {
  constructor(language, tap) {
    this.zoom = 1;
    this.can = "";
    this.labels = facts.labels[language] || facts.labels.en;
    this.letters = facts.letters[language] || facts.letters.en;
    this.places = new Map([...at("board").querySelectorAll("path[id]")].map((path) => [path.id, path]));
    for (const label of Object.values(this.labels)) this.write(label);
    at("board").onclick = (event) => tap(event.target.id);
    for (const each of document.querySelectorAll("[data-zoom]"))
      each.onclick = () => this.scale(this.zoom * NEARER ** Number(each.dataset.zoom));
    for (const each of document.querySelectorAll("[data-pan]")) each.onclick = () => this.pan(...each.dataset.pan.split(" "));
    at("frame").addEventListener("touchstart", (event) => this.pinch(event), { passive: true });
    at("frame").addEventListener("touchmove", (event) => this.pinched(event), { passive: false });
    addEventListener("resize", () => this.scale(this.zoom));
    this.scale(1);
  }

  write([lines, , slanted]) {
    for (const [line, x, y] of lines) {
      const text = svg("text", { x, y, class: slanted ? "sea" : "" });
      text.textContent = line;
      at("names").append(text);
    }
  }

  show({ open, picks }) {
    const can = new Set(open.map((one) => one.where).filter(Boolean));
    const chosen = new Set(picks.map((pick) => pick.one.where));
    for (const [id, path] of this.places) {
      path.classList.toggle("can", can.has(id));
      path.classList.toggle("chosen", chosen.has(id));
    }
    at("routes").replaceChildren(...routes(picks).map(([from, to]) => this.route(from, to)));
    const now = [...can].sort().join(" ");
    if (now && now !== this.can) this.fit([...can]);
    this.can = now;
  }

  route(from, to) {
    const [[x1, y1], [x2, y2]] = [this.middle(from), this.middle(to)];
    const way = `M${x1} ${y1}Q${(x1 + x2) / 2 + (y1 - y2) / 6} ${(y1 + y2) / 2 + (x2 - x1) / 6} ${x2} ${y2}`;
    const made = svg("g", {});
    made.append(svg("path", { d: way, class: "casing" }), svg("path", { d: way, class: "way", "marker-end": "url(#tip)" }));
    return made;
  }

  middle(place) {
    const [x, y, w, h] = facts.spots[place];
    return [x + w / 2, y + h / 2];
  }

  /* -- larger, smaller, elsewhere -- */

  get least() { /* the whole map is seen */
    const { width, height } = at("board").viewBox.baseVal;
    return Math.min(1, (at("frame").clientHeight * width) / (at("frame").clientWidth * height));
  }

  /* So many times as large, with the same point in the middle. */
  scale(zoom, middle = this.seen()) {
    const { width } = at("board").viewBox.baseVal, frame = at("frame");
    this.zoom = Math.max(this.least, Math.min(CLOSEST, zoom));
    at("board").style.width = `${this.zoom * 100}%`;
    const each = (frame.clientWidth * this.zoom) / width;
    frame.scrollLeft = middle[0] * each - frame.clientWidth / 2;
    frame.scrollTop = middle[1] * each - frame.clientHeight / 2;
  }

  /* The point of the map that is in the middle. */
  seen() {
    const frame = at("frame"), each = (frame.clientWidth * this.zoom) / at("board").viewBox.baseVal.width;
    return [(frame.scrollLeft + frame.clientWidth / 2) / each, (frame.scrollTop + frame.clientHeight / 2) / each];
  }

  fit(places) {
    const boxes = places.filter((id) => this.places.has(id)).map((id) => this.places.get(id).getBBox());
    if (!boxes.length) return;
    const left = Math.min(...boxes.map((box) => box.x)), right = Math.max(...boxes.map((box) => box.x + box.width));
    const top = Math.min(...boxes.map((box) => box.y)), bottom = Math.max(...boxes.map((box) => box.y + box.height));
    const frame = at("frame"), whole = at("board").viewBox.baseVal.width;
    const tall = (frame.clientHeight / frame.clientWidth) * whole;
    this.scale(Math.min(whole / (right - left + ROOM), tall / (bottom - top + ROOM)), [(left + right) / 2, (top + bottom) / 2]);
  }

  pan(right, down) {
    at("frame").scrollBy((right * at("frame").clientWidth) / 3, (down * at("frame").clientHeight) / 3);
  }

  pinch({ touches }) {
    this.began = touches.length === 2 ? { apart: apart(touches), zoom: this.zoom } : null;
  }

  pinched(event) {
    if (!this.began || event.touches.length !== 2) return;
    event.preventDefault();
    this.scale((this.began.zoom * apart(event.touches)) / this.began.apart);
  }

  /* -- what lies on it: where, as what, whose and how many, as the game's own script lists it -- */

  draw(position) {
    const rows = new Map();
    for (const piece of piecesOf(position)) rows.set(piece.at, [...(rows.get(piece.at) || []), piece]);
    for (const [place, pieces] of rows) this.lay(place, pieces);
    for (const mark of marksOf(position)) {
      const spot = (this.labels[mark.at] || [])[1];
      if (spot) at("pieces").append(this.piece(mark, ...spot, 1));
    }
  }

  lay(place, pieces) {
    const [x, y, w, h] = facts.spots[place] || [0, 0, 0, 0];
    const sizes = pieces.map((piece) => sizeOf(piece));
    const wide = sizes.reduce((sum, [one]) => sum + one + 1, -1);
    const scale = Math.min(1, Math.max(0.55, w / wide));
    let left = x + (w - wide * scale) / 2;
    pieces.forEach((piece, n) => {
      at("pieces").append(this.piece(piece, left, y + (h - sizes[n][1] * scale) / 2, scale));
      left += (sizes[n][0] + 1) * scale;
    });
  }

  piece({ of, kind, count = 1 }, x, y, scale) {
    const { size, body, letter, pale } = PIECES[kind], colours = facts.colours[of];
    const made = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(2)})` });
    made.append(svg("path", { d: body, fill: pale ? "#fffdf6" : colours.fill, stroke: colours.edge }));
    if (letter) made.append(written(this.letters[of], ...letter, pale ? colours.edge : colours.ink));
    if (count > 1) {
      made.append(svg("rect", { x: size[0] - 1, y: size[1] - 12.5, width: TAG, height: 12, rx: 2, fill: "#fffdf6", stroke: colours.edge }));
      made.append(written(count, size[0] - 1 + TAG / 2, size[1] - 3, 10, "#23211d"));
    }
    return made;
  }
}

const TAG = 10; /* room for a number beside a piece */

function sizeOf({ kind, count = 1 }) {
  const [wide, high] = PIECES[kind].size;
  return [wide + (count > 1 ? TAG - 1 : 0), high];
}

/* From a place that was picked to the one that was picked for it. */
function routes(picks) {
  const found = [];
  for (const pick of picks) {
    const goal = picks.find((other) => other.depth === pick.depth + 1 && other.begin > pick.begin && other.begin < (pick.stop || Infinity));
    if (goal && pick.one.where && goal.one.where && pick.one.where !== goal.one.where) found.push([pick.one.where, goal.one.where]);
  }
  return found;
}

function apart([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

function written(said, x, y, size, fill) {
  const text = svg("text", { x, y, fill, "font-size": size });
  text.textContent = said;
  return text;
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
  if (fragment && !fragment.startsWith(facts.mark)) return excuse("outdated");
  const letter = fragment ? await unpacked(fragment.slice(1)) : facts.letter;
  if (!letter) return excuse("nothing");
  const page = new Page(letter);
  page.begin();
  document.documentElement.dataset.ready = "";
  const position = letter.p || (letter.u ? await published(letter.u) : null);
  if (position) page.map.draw(position);
  at("empty").textContent = !position ? page.words.empty : asksFor(position, letter.k) ? "" : page.words.older;
}

/* Without a letter nothing but the browser tells the reader's language. */
function excuse(why) {
  at("notice").textContent = wordsIn(navigator.language.slice(0, 2))[why];
}

function wordsIn(language) {
  return facts.say[language] || Object.values(facts.say)[0];
}

/* The position in the archive that this page lies in; null where that is not to be had, as from a folder of files. */
async function published(path) {
  try {
    return await (await fetch("../../" + path)).json();
  } catch {
    return null;
  }
}

/* Another letter's link, opened where this page lies already. */
addEventListener("hashchange", () => { if (location.hash) location.reload(); });
start().catch(() => excuse("broken"));
