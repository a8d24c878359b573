const HIDDEN = '•••';
/** Shorter values would be found in ordinary words. */
const SHORTEST_SECRET = 4;

const SECRET_NAME = '(?:password|passwd|secret|token|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|credentials?|authorization)';

/** The first group of each is the text before the secret, the second the text after it. */
const PATTERNS: readonly RegExp[] = [
  // A member of a JSON object, or of something that looks like one.
  new RegExp(`(["'][^"'\\n]{0,80}${SECRET_NAME}["']\\s*:\\s*")(?:[^"\\\\]|\\\\.)+("|$)`, 'gi'),
  // A parameter of an address.
  new RegExp(`([?&][^=&\\s]{0,80}${SECRET_NAME}=)[^&\\s"']+()`, 'gi'),
  // A header.
  new RegExp(`(^[ \\t]*[\\w-]{0,80}${SECRET_NAME}[ \\t]*:[ \\t]*)[^\\s"'][^\\n]*()$`, 'gim'),
  // A statement that sets a password.
  /(\b(?:PASSWORD|IDENTIFIED\s+BY)\s*(?:=\s*)?')(?:[^']|'')+('|$)/gi,
];

/** Characters of a text that are searched. The history keeps fewer. */
export const MOST_SEARCHED = 20_000;
/** Characters at the end of a text that was cut that are dropped: a secret could begin in them and end behind the cut. */
const MOST_SECRET = 4_000;

/**
 * A statement without the secrets that can be known: those of its connection, and values where statements usually have secrets. A text
 * longer than {@link MOST_SEARCHED} is cut.
 */
export function withoutSecrets(text: string, known: readonly string[]): string {
  const longestFirst = known
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length);
  const isCut = text.length > MOST_SEARCHED;
  const cleaned = longestFirst.reduce((all, secret) => all.replaceAll(secret, HIDDEN), text.slice(0, MOST_SEARCHED));
  const result = PATTERNS.reduce((all, pattern) => all.replaceAll(pattern, `$1${HIDDEN}$2`), cleaned);
  return isCut ? `${result.slice(0, -MOST_SECRET)}…` : result;
}
