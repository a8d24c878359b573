import { HostError } from './errors.ts';

/** Levels of objects and lists. A text with more is a mistake or an attack: readers that call themselves end at some thousands. */
const MOST_LEVELS = 100;
/** A string, a sign, or another value. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * Holds a JSON text that a person wrote to what every reader understands the same: one that names a member twice is read as the first by some and as the last
 * by others, and what was meant is lost unseen. Whether it is JSON at all stays open.
 *
 * @param what - names the text at the beginning of a sentence, such as “The input”
 * @throws HostError `INVALID_REQUEST`
 */
export function requireClearJson(text: string, what: string): void {
  /** The names so far of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      if (open.length > MOST_LEVELS)
        throw new HostError('INVALID_REQUEST', `${what} is nested more than ${MOST_LEVELS} levels deep.`);
      isName = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isName = false;
    } else if (token === ',') isName = open.at(-1) !== undefined;
    else if (isName && token.startsWith('"')) {
      isName = false;
      const name = nameOf(token);
      const names = open.at(-1);
      if (names?.has(name) === true) {
        throw new HostError('INVALID_REQUEST', `${what} has “${name.slice(0, 200)}” twice in one object.`, {
          details: { field: name.slice(0, 200), advice: 'Leave the member in that you mean.' },
        });
      }
      names?.add(name);
    }
  }
}

/** Two spellings may be one name. */
function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
