/**
 * How much two rankings are the same, the first places above all: the mean, over each depth from 1 to that of the longer ranking, of the members that both have
 * among their first ones, divided by that depth (average overlap; Webber, Moffat and Zobel, “A Similarity Measure for Indefinite Rankings”, ACM TOIS 28(4), 2010,
 * section 3.2, there after Fagin, Kumar and Sivakumar, 2003).
 *
 * @param first - each member once, the best first
 * @returns 0 where nothing is in both, 1 for equal rankings, also for two empty ones
 */
export function averageOverlap(first: readonly string[], second: readonly string[]): number {
  const depth = Math.max(first.length, second.length);
  if (depth === 0) return 1;
  const [one, other] = [new Set<string>(), new Set<string>()];
  let shared = 0;
  let sum = 0;
  for (let place = 0; place < depth; place += 1) {
    const [a, b] = [first[place], second[place]];
    if (a !== undefined) one.add(a);
    if (b !== undefined) other.add(b);
    if (a !== undefined && other.has(a)) shared += 1;
    if (b !== undefined && b !== a && one.has(b)) shared += 1;
    sum += shared / (place + 1);
  }
  return sum / depth;
}
