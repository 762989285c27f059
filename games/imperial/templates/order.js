/* The units of a position, for the board to order from. */
function piecesOf(position) {
  const found = [];
  for (const [nation, row] of Object.entries(position.nations)) {
    for (const [kind, stacks] of [["round", row.armies], ["long", row.fleets]]) {
      for (const [region, count] of Object.entries(stacks))
        found.push({ at: kind === "long" && facts.spots[region + ".harbour"] ? region + ".harbour" : region, of: nation, kind, text: count > 1 ? String(count) : "" });
    }
  }
  return found;
}
