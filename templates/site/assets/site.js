"use strict";
// Stepping with keys and swipes, filters and the search. Without this file every page can still be read.

const root = document.body.dataset.root;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// -- read from files, without a server: a folder's page has to be named ---

const isFile = location.protocol === "file:";

function named(href) {
  const url = new URL(href, location.href);
  if (isFile && url.pathname.endsWith("/")) url.pathname += "index.html";
  return url.href;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a[href]");
  if (link && isFile) link.href = named(link.href);
}, { capture: true });

// -- stepping ---

const step = (key) => {
  const link = $$(".steps a[data-key]").find((each) => each.dataset.key.split(" ").includes(key));
  if (link) link.click();
  return Boolean(link);
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest && event.target.closest("input, select, textarea, .scroll, dialog");
  if (typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key.startsWith("Arrow") && event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  if (step(event.key)) event.preventDefault();
});

for (const area of $$("main > .spread")) {
  let from = null;
  area.addEventListener("touchstart", (event) => {
    from = event.touches.length === 1 && !event.target.closest("dialog") ? event.touches[0] : null;
  }, { passive: true });
  area.addEventListener("touchend", (event) => {
    if (!from) return;
    const to = event.changedTouches[0], dx = to.clientX - from.clientX, dy = to.clientY - from.clientY;
    if (Math.abs(dx) > 48 && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? "ArrowRight" : "ArrowLeft");
    from = null;
  }, { passive: true });
}

// What the next page is to know; a browser that keeps nothing shows pages at rest.
const memory = {
  get(key) {
    try { return sessionStorage.getItem(key); } catch { return null; }
  },
  take(key) {
    const value = memory.get(key);
    if (value !== null) sessionStorage.removeItem(key);
    return value;
  },
  put(key, value) {
    try { sessionStorage.setItem(key, value); } catch { /* then it is not known */ }
  },
};

// -- what is long is folded on a phone; what a reader opened or closed stays so, and paper has all of it ---

const phone = matchMedia("(max-width: 40rem)");
const folds = $$("details.fold");

for (const fold of folds) {
  const name = `fold ${fold.dataset.fold}`, kept = memory.get(name);
  fold.open = kept === null ? !phone.matches : kept === "open";
  fold.classList.add("set");
  $("summary", fold).addEventListener("click", () => memory.put(name, fold.open ? "closed" : "open"));
}
addEventListener("beforeprint", () => { for (const fold of folds) fold.open = true; });

// -- moves: shown again on the way to a turn; playing goes on from turn to turn ---

const board = $(".board > svg"), play = $(".play");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const REST = 700, LOOK = 2000; // ms until the next turn, and for one in which nothing may move

const pace = $(".speed select");

// Sets the pieces moving; the milliseconds that it takes.
function move() {
  const speed = Number(pace.value);
  if (still.matches) return LOOK / speed;
  board.classList.remove("moves");
  board.getBoundingClientRect(); // what moved before begins anew
  board.classList.add("moves");
  for (const each of board.getAnimations({ subtree: true })) each.playbackRate = speed;
  return (1000 * parseFloat(board.style.getPropertyValue("--lasts")) + REST) / speed;
}

let playing = null;

function stop() {
  if (playing === null) return;
  clearTimeout(playing);
  playing = null;
  play.textContent = play.dataset.start;
}

function turnOver() {
  const next = play.dataset.from || ($(".steps a[rel=next]") || {}).href;
  if (!next) return stop();
  memory.put("step", new URL(named(next)).pathname);
  memory.put("play", "on");
  location.replace(named(next));
}

function start() {
  play.textContent = play.dataset.stop;
  playing = setTimeout(turnOver, play.dataset.from ? 0 : move());
}

if (board) {
  for (const link of $$(".steps a[rel=next]")) link.addEventListener("click", () => { stop(); memory.put("step", link.pathname); });
  play.dataset.start = play.textContent;
  pace.value = memory.get("speed") || "1";
  pace.addEventListener("change", () => memory.put("speed", pace.value));
  play.addEventListener("click", () => (playing === null ? start() : stop()));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
  addEventListener("pagehide", stop);
  const stepped = memory.take("step") === location.pathname, goesOn = memory.take("play"), top = memory.take("top");
  if (stepped && top !== null) scrollTo({ top: Number(top), behavior: "instant" });
  if (stepped && goesOn && !play.hidden) { play.focus({ preventScroll: true }); start(); } else if (stepped) move();
  addEventListener("pagehide", () => memory.put("top", String(scrollY)));
}

// Closer: the picture over the whole screen. One finger moves it, two make it larger.
const closer = $("dialog.closer");
if (board && closer.showModal) {
  const pan = $(".pan", closer), place = board.parentElement, look = $(".look");
  let scale = 1;
  const zoom = (to, x = pan.clientWidth / 2, y = pan.clientHeight / 2) => {
    const was = scale;
    scale = Math.min(8, Math.max(1, to));
    board.style.width = `${100 * scale}%`;
    pan.scrollTo({ left: (pan.scrollLeft + x) * scale / was - x, top: (pan.scrollTop + y) * scale / was - y, behavior: "instant" });
  };
  const open = () => {
    if (closer.open) return;
    pan.append(board);
    closer.showModal();
    scale = 1;
    zoom(Math.min(2, pan.clientHeight / pan.clientWidth));
  };
  const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  look.addEventListener("click", open);
  board.addEventListener("click", open);
  board.addEventListener("dblclick", (event) => closer.open && zoom(scale * 1.5, event.clientX, event.clientY));
  closer.addEventListener("close", () => { board.style.width = ""; place.prepend(board); });
  for (const button of $$("[data-zoom]", closer)) button.addEventListener("click", () => zoom(scale * button.dataset.zoom));
  let pinched = null;
  pan.addEventListener("touchstart", ({ touches }) => { pinched = touches.length === 2 ? [scale, apart(touches)] : null; }, { passive: true });
  pan.addEventListener("touchmove", (event) => {
    const { touches } = event;
    if (!pinched || touches.length !== 2) return;
    event.preventDefault();
    zoom(pinched[0] * apart(touches) / pinched[1], (touches[0].clientX + touches[1].clientX) / 2, (touches[0].clientY + touches[1].clientY) / 2);
  }, { passive: false });
  pan.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(scale * (event.deltaY < 0 ? 1.2 : 1 / 1.2), event.clientX, event.clientY);
  }, { passive: false });
}

// The picture alone, complete in itself.
const save = $(".save");
if (save) {
  save.addEventListener("click", () => {
    const script = document.createElement("script");
    script.src = root + save.dataset.layers;
    script.addEventListener("load", () => {
      const picture = board.cloneNode(true), read = new DOMParser();
      for (const one of $$(".was, .mover", picture)) one.remove();
      $$("image", picture).forEach((image, place) => image.replaceWith(...$$("svg > *:not(title, desc)", read.parseFromString(boardLayers[place], "image/svg+xml"))));
      picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      picture.removeAttribute("class");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
      link.download = `${save.dataset.name}.svg`;
      link.click();
    });
    document.head.append(script);
  });
}

// -- the lots: has the secret the digest that was published before the first, and does each follow from it? ---

const bytesOf = (text) => new TextEncoder().encode(text);

async function hasDigest(secret, commitment) {
  const digest = await crypto.subtle.digest("SHA-256", bytesOf(secret));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === commitment;
}

// One of 0 … among-1, as pbem/core/chance.py draws it: what lies above the last whole multiple is drawn again.
async function drawn(key, purpose, among) {
  const limit = 2n ** 64n - (2n ** 64n % BigInt(among));
  for (let attempt = 0; ; attempt++) {
    const digest = await crypto.subtle.sign("HMAC", key, bytesOf(`${purpose}|${attempt}`));
    const number = new DataView(digest).getBigUint64(0);
    if (number < limit) return Number(number % BigInt(among));
  }
}

// How many of the lots do not follow from the secret; each is marked.
async function strays(secret) {
  const list = $(".lots"), key = await crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let found = 0;
  for (const lot of list ? $$("[data-purpose]", list) : []) {
    const right = await drawn(key, `${list.dataset.game}|${lot.dataset.purpose}`, Number(lot.dataset.among));
    const follows = right === Number(lot.dataset.result);
    $("b", lot).textContent = follows ? `✓ ${list.dataset.follows}` : `✗ ${list.dataset.strays.replace("#", right)}`;
    found += !follows;
  }
  return found;
}

const proof = $(".proof");
if (proof && self.crypto && crypto.subtle) {
  const says = $("[role=status]", proof);
  proof.hidden = false;
  $("button", proof).addEventListener("click", async () => {
    const { secret, commitment } = proof.dataset, astray = await strays(secret);
    says.textContent = !(await hasDigest(secret, commitment)) ? says.dataset.false : astray ? says.dataset.stray : says.dataset.fair;
  });
}

// -- times, as the reader's own clock has them: deadlines at once, all others to whoever points at them ---

for (const time of $$(".next time")) {
  const at = new Date(time.dateTime), shown = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
  if (at.getTimezoneOffset()) time.after(` (${at.toLocaleString(document.documentElement.lang, shown)})`);
}

document.addEventListener("mouseover", ({ target }) => {
  if (target.matches("time[datetime]")) target.title = new Date(target.dateTime).toLocaleString(undefined, { timeZoneName: "short" });
});

// How many, in the words that an element has for one and for many.
const counted = (element, count) => (count === 1 ? element.dataset.one : element.dataset.many).replace("{}", count);

// -- the lists of games: older ones are fetched page by page ---

const fetched = async (href) => {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};

// The games of an older list, and the address of the list that follows it.
const olderGames = async (href) => {
  const page = await fetched(href), link = $("a.older", page);
  return [$$(".games > li", page), link && new URL(link.getAttribute("href"), new URL(href, location.href)).href];
};

const adopt = (row) => {
  const link = $("a", row);
  link.setAttribute("href", `${root}${row.dataset.game}/`);
  return document.importNode(row, true);
};

const filters = $(".filters");
if (filters) {
  const shown = new Map($$(".games > li").map((row) => [row.dataset.game, row]));
  const list = $$(".games").pop() || document.createElement("ul");
  const older = $("p > a.older");
  const missing = $(".missing");
  let next = older && !isFile ? older.href : null; // a page that was opened as a file may fetch no other
  let coming = null; // what is being fetched: it is asked for once

  // Were there any?
  const fetchMore = async () => {
    try {
      const [rows, following] = await olderGames(next);
      for (const row of rows.filter((each) => !shown.has(each.dataset.game))) {
        shown.set(row.dataset.game, adopt(row));
        list.append(shown.get(row.dataset.game));
      }
      next = following;
      older.hidden = !next;
      missing.textContent = "";
      return true;
    } catch {
      missing.textContent = missing.dataset.says;
      return false;
    } finally {
      apply();
      coming = null;
    }
  };

  const more = () => (coming ??= fetchMore());

  const apply = () => {
    const { words, state, edition } = Object.fromEntries(new FormData(filters));
    const wanted = folded(words).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of shown.values()) {
      const text = folded(row.dataset.words);
      row.hidden = !((!state || row.dataset.state === state) && (!edition || row.dataset.edition === edition)
        && wanted.every((word) => text.includes(word)));
      count += !row.hidden;
    }
    const says = $(".count", filters);
    says.textContent = counted(says, count);
  };

  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("input", async () => {
    apply();
    let came = true;
    while (came && next && [...new FormData(filters).values()].some(Boolean)) came = await more();
  });
  if (older && !isFile) older.addEventListener("click", (event) => { event.preventDefault(); more(); });
  apply();
}

// -- the search: each game has an index of its own words, each list of games one of which game has which ---

const awaited = new Map();

// The scripts with indexes call this.
function known(name, value) {
  (awaited.get(name) || (() => {}))(value);
}

const loads = new Map();

// What a script tells by that name; null when there is none.
function told(path, name) {
  if (!loads.has(name)) loads.set(name, new Promise((done) => {
    const script = document.createElement("script");
    awaited.set(name, done);
    script.src = root + path;
    script.addEventListener("error", () => done(null));
    document.head.append(script);
  }));
  return loads.get(name);
}

// -- from anywhere to any turn: a slider, and charts ---

const toTurn = (number) => { location.href = named(`${root}${$(".board").dataset.game}/turn-${number}/`); };

const slider = $(".to-turn");
if (slider) addEventListener("load", async () => {
  const { game } = slider.closest(".board").dataset, input = $("input", slider);
  const { titles } = (await told(`${game}/search.js`, game)) || { titles: {} };
  input.max = Object.keys(titles).length - 1;
  input.value = slider.closest(".board").dataset.turn;
  input.disabled = input.max < 1;
  input.addEventListener("input", () => { $("span", slider).textContent = titles[input.value]; });
  input.addEventListener("change", () => toTurn(input.value));
});

for (const charts of $$(".charts[data-turns]")) {
  const turns = charts.dataset.turns.split(" ");
  charts.classList.add("go");
  for (const figure of $$("figure", charts)) figure.addEventListener("click", (event) => {
    const box = figure.getBoundingClientRect(), [first, last] = figure.dataset.across.split(" ").map(Number);
    const along = ((event.clientX - box.x) / box.width - first) / (last - first);
    toTurn(turns[Math.round(Math.min(1, Math.max(0, along)) * (turns.length - 1))]);
  });
}

function folded(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/ß/g, "ss");
}

const asked = (text) => folded(text).match(/[\p{L}\p{N}]+/gu) || [];

// Umlauts may be written as two letters, here or there.
const bare = (word) => word.replace(/([aou])e/g, "$1");
const isMeant = (word, begins) => word.startsWith(begins) || bare(word).startsWith(bare(begins));

// Where every asked word stands, or one that begins with it.
function placesOf(index, words) {
  let found = null;
  for (const word of words) {
    const places = new Set();
    for (const [one, where] of Object.entries(index.words)) if (isMeant(one, word)) where.forEach((place) => places.add(place));
    found = found === null ? places : new Set([...found].filter((place) => places.has(place)));
  }
  return [...(found || [])].sort((a, b) => b - a);
}

// How many letters are wrong, missing, too many or swapped; more than `most` is not counted on.
function apart(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let rows = [null, Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i], [last, before] = [rows[1], rows[0]];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    rows = [last, row];
  }
  return rows[1][other.length];
}

// The words as they are written here, for those that are not: the nearest, of those the one that most places have.
function corrected(words, indexes) {
  const counts = new Map();
  for (const index of indexes) for (const [one, where] of Object.entries(index.words)) counts.set(one, (counts.get(one) || 0) + where.length);
  return words.map((word) => {
    const most = word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
    let best = word, least = most + 1;
    for (const [one, count] of counts) {
      if (isMeant(one, word)) return word;
      const wrong = most ? apart(word, one, most) : 1;
      if (wrong < least || (wrong === least && wrong <= most && count > counts.get(best))) [best, least] = [one, wrong];
    }
    return best;
  });
}

const AROUND = 60; // characters of a snippet on either side of the first word

// The text around the first word that was asked for; "" where there is none beside the title.
function snippet(text, words) {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([one]) => words.some((word) => isMeant(folded(one), word)));
  if (!found) return "";
  const from = Math.max(0, found.index - AROUND), to = found.index + found[0].length + AROUND;
  const cut = text.slice(from, to).replace(from ? /^\S*\s/ : /^/, from ? "… " : "");
  return to < text.length ? cut.replace(/\s\S*$/, " …") : cut;
}

function marked(text, words) {
  return text.split(/([\p{L}\p{N}]+)/u).map((part) => {
    if (!part || !words.some((word) => isMeant(folded(part), word))) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function hit(folder, game, index, turn, words) {
  const item = document.createElement("li"), link = document.createElement("a"), tag = document.createElement("b"), around = document.createElement("p");
  link.href = `${folder}${index.paths ? index.paths[turn] : `turn-${turn}/`}?q=${encodeURIComponent(words.join(" "))}`;
  tag.textContent = game;
  link.append(...(game && !index.paths ? [tag, " "] : []), index.titles[turn]);
  around.className = "small quiet";
  around.append(...marked(snippet(((index.texts || {})[turn] || "").split("\n").slice(1).join(" "), words), words));
  item.append(link, around);
  return item;
}

const inGame = $("form.find[data-game]");
if (inGame) {
  inGame.addEventListener("submit", (event) => event.preventDefault());
  $("input", inGame).addEventListener("input", async (event) => {
    const { game } = inGame.dataset, written = asked(event.target.value);
    const index = written.length && await told(`${game}/search.js`, game);
    if (event.target.value && asked(event.target.value).join() !== written.join()) return;
    const found = index ? placesOf(index, written) : [];
    const words = index && !found.length ? corrected(written, [index]) : written;
    const turns = index && !found.length ? placesOf(index, words) : found;
    $(".hits", inGame).replaceChildren(...turns.map((turn) => hit("", "", index, turn, words)));
  });
}

const everywhere = $("form.everywhere");
if (everywhere) {
  const input = $("input", everywhere), hits = $(".hits", everywhere), more = $(".more", everywhere), says = $(".count", everywhere);
  const instead = $(".instead", everywhere), AT_ONCE = 12, ENOUGH = 40;
  let search = 0, goOn = null;

  const vocabularies = async function* () {
    for (const name of await told("search/lists.js", "lists") || []) {
      const vocabulary = await told(`search/${name}.js`, `words of ${name}`);
      if (vocabulary) yield vocabulary;
    }
  };

  // All seasons, then the games in which all words stand, the newest first; some of them at once.
  const games = async function* (words) {
    const seasons = await told("search/seasons.js", "seasons") || [];
    for (let first = 0; first < seasons.length; first += AT_ONCE) yield seasons.slice(first, first + AT_ONCE);
    for await (const vocabulary of vocabularies()) {
      const found = placesOf(vocabulary, words).map((place) => vocabulary.games[place]);
      found.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
      for (let first = 0; first < found.length; first += AT_ONCE) yield found.slice(first, first + AT_ONCE);
    }
  };

  const show = async (words, source, mine) => {
    const enough = hits.childElementCount + ENOUGH;
    let ended = false;
    everywhere.setAttribute("aria-busy", "true");
    while (!ended && hits.childElementCount < enough) {
      const { value: some, done } = await source.next();
      const indexes = await Promise.all((some || []).map((game) => told(`${game}/search.js`, game)));
      if (mine !== search) return;
      ended = done;
      indexes.forEach((index, place) => {
        for (const turn of index ? placesOf(index, words) : []) hits.append(hit(`${root}${some[place]}/`, some[place], index, turn, words));
      });
    }
    more.hidden = ended;
    goOn = ended ? null : () => show(words, source, mine);
    says.textContent = counted(says, hits.childElementCount);
    everywhere.setAttribute("aria-busy", "false");
  };

  const begin = async () => {
    const words = asked(input.value), mine = ++search;
    hits.replaceChildren();
    says.textContent = instead.textContent = "";
    more.hidden = true;
    history.replaceState(null, "", words.length ? `?q=${encodeURIComponent(input.value)}` : "?");
    if (!words.length) return;
    await show(words, games(words), mine);
    if (mine !== search || hits.childElementCount) return;
    const indexes = [];
    for await (const vocabulary of vocabularies()) indexes.push(vocabulary);
    const others = corrected(words, indexes);
    if (mine !== search || others.join() === words.join()) return;
    instead.textContent = `${words.join(" ")} → ${others.join(" ")}`;
    await show(others, games(others), mine);
  };

  let pause;
  everywhere.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(begin, 200); });
  more.addEventListener("click", () => goOn && goOn());
  const given = new URLSearchParams(location.search).get("q");
  if (given) { input.value = given; begin(); }
}

// -- words that were searched for are marked ---

const sought = $(".events") && asked(new URLSearchParams(location.search).get("q") || "");
if (sought && sought.length) {
  for (const place of $$(".events li, .sent pre, .sent p")) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (asked(text.data).some((one) => sought.some((word) => isMeant(one, word)))) text.replaceWith(...marked(text.data, sought));
    }
  }
}
