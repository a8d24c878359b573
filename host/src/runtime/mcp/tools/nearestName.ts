import { visibleText } from '@tabularium/sdk';
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
  return nearest === undefined ? '' : ` Did you mean ${inQuotes(nearest)}?`;
}

/** A name that could be read as words of the sentence around it is in quotes there. */
const PLAIN = /^[\p{L}\p{N}\p{M}_.$-]+$/u;
/** Characters of a name in a sentence. */
const MOST_OF_NAME = 100;

function inQuotes(name: string): string {
  const shown = visibleText(name.slice(0, MOST_OF_NAME).toWellFormed(), 'name').replaceAll(/["\\]/g, (sign) => `\\${sign}`);
  return `"${shown}${name.length > MOST_OF_NAME ? '…' : ''}"`;
}

/** A name in a sentence of an error: as it is where it is one word, else in quotes, on one line, and cut. */
export function nameInText(name: string): string {
  return PLAIN.test(name) && name.length <= MOST_OF_NAME ? name : inQuotes(name);
}

/** Names as far as they fit into a sentence. */
export function namesInShort(names: readonly string[], characters = 350, written: (name: string) => string = nameInText): string {
  let text = '';
  for (const [index, each] of names.entries()) {
    const name = written(each);
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
