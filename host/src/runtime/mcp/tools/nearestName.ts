import leven from 'leven';

/** Candidates that are compared: with more, an unknown name would take longer than the call that it belongs to. */
const MOST_CANDIDATES = 5_000;
/** Characters of a name that are compared. */
const LONGEST_NAME = 100;

/**
 * The candidate that somebody who wrote this name may have meant: the same but for letter case and punctuation, or the beginning or a part of
 * it, or at most a quarter of its characters away.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = folded(name);
  if (wanted === '') return undefined;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  const most = Math.max(1, Math.ceil(wanted.length / 4));
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    const other = folded(candidate);
    const distance = other === wanted ? 0 : isPart(wanted, other) ? 0.5 : leven(wanted, other, { maxDistance: most + 1 });
    if (distance <= most && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** A sentence to add, beginning with a space; empty when nothing is near. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** Names as far as they fit into a sentence. */
export function namesInShort(names: readonly string[], characters = 350): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const next = `${text}${index === 0 ? '' : ', '}${name}`;
    if (next.length > characters && index > 0) return `${text} and ${names.length - index} more`;
    text = next;
  }
  return text;
}

/** One is in the other, and not by chance: a word of three letters is in many long texts. */
function isPart(wanted: string, other: string): boolean {
  const [short, long] = wanted.length < other.length ? [wanted, other] : [other, wanted];
  return short.length >= 3 && short.length / long.length >= 0.4 && long.includes(short);
}

function folded(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
