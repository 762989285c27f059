/* How the pieces of a position look, on the board to order from: as in the pictures of letters. */
const PIECES = {
  army: { size: [12, 15], body: "M1 14.3V6a5 5 0 0 1 10 0v8.3z", letter: [6, 11.6, 9.5] },
  lying: { size: [15, 12], body: "M.8 1.2H9.2a4.9 4.9 0 0 1 0 9.8H.8z", letter: [6.6, 9.3, 9], pale: true },
  fleet: { size: [18, 15], body: "M3.4 .7h11.2q-1.2 4.8 0 9.4H3.4q1.2-4.6 0-9.4z M.7 10.9h16.6l-3 3.5H3.9z", letter: [9, 8.6, 9] },
  flag: { size: [11, 11], body: "M1 11.5V.6h10.2l-1.6 3.7 1.6 3.7H1", letter: [5.4, 7.1, 7.6] },
  works: { size: [11, 11], body: "M1 10.2V4.6l2.6 1.8V4.6l2.6 1.8V.8h2.6v9.4z" },
};

/* The units; a friendly army lies down, and a fleet in harbour has its own place. */
function piecesOf(position) {
  const found = [];
  for (const [of, row] of Object.entries(position.nations)) {
    for (const [at, count] of Object.entries(row.armies)) {
      const lying = row.friendly_armies[at] || 0;
      if (count > lying) found.push({ at, of, kind: "army", count: count - lying });
      if (lying) found.push({ at, of, kind: "lying", count: lying });
    }
    for (const [at, count] of Object.entries(row.fleets))
      found.push({ at: facts.spots[at + ".harbour"] ? at + ".harbour" : at, of, kind: "fleet", count });
  }
  return found;
}

/* Whether it is just this that is asked in a position; if not, a turn is under way that it does not show yet. */
function asksFor(position, [kind, about]) {
  return position.awaiting.some((one) => one.kind === kind && one.nation === about);
}

/* What lies beside the names: factories and flags. */
function marksOf(position) {
  const rows = Object.entries(position.nations);
  const marks = (kind) => ([of, row]) => row[kind === "works" ? "factories" : "flags"].map((at) => ({ at, of, kind }));
  return [...rows.flatMap(marks("works")), ...rows.flatMap(marks("flag"))];
}
