/** Characters between the parts of a composite value or a range, behind which the next part begins. */
const ENDS_FIELD: ReadonlySet<string> = new Set([',', ')']);
const ENDS_BOUND: ReadonlySet<string> = new Set([',', ')', ']']);
const BOUNDS = /^\s*(?:\[[^\]]*\]\s*)+=/;

/**
 * The elements of an array as the server reads it, those of inner arrays among them; what is NULL is left out.
 *
 * @param delimiter - the character between two
 * @returns undefined for a text that the server refuses
 */
export function arrayElements(text: string, delimiter: string): readonly string[] | undefined {
  const found: string[] = [];
  let depth = 0;
  let at = BOUNDS.exec(text)?.[0].length ?? 0;
  let element = '';
  let isQuoted = false;
  /** Characters up to the last escaped one: blanks among them stay. */
  let solid = 0;
  const end = (): void => {
    const value = isQuoted ? element : `${element.slice(0, solid)}${element.slice(solid).trimEnd()}`;
    if (isQuoted || solid > 0 || (value !== '' && value.toLowerCase() !== 'null')) found.push(value);
    element = '';
    isQuoted = false;
    solid = 0;
  };
  for (; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '{') depth += 1;
    else if (depth === 0) {
      if (character.trim() !== '') return undefined;
    } else if (character === '}') {
      end();
      depth -= 1;
    } else if (character === delimiter) end();
    else if (character === '"') {
      const quoted = readQuoted(text, at, false);
      if (quoted === undefined) return undefined;
      element = quoted.value;
      isQuoted = true;
      at = quoted.last;
    } else if (character === '\\') {
      at += 1;
      element += text[at] ?? '';
      solid = element.length;
    } else if (!isQuoted && (element !== '' || character.trim() !== '')) element += character;
  }
  return depth === 0 ? found : undefined;
}

/** The fields of a composite value, each undefined where it is NULL. @returns undefined for a text that the server refuses */
export function compositeFields(text: string): readonly (string | undefined)[] | undefined {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('(')) return undefined;
  const fields: (string | undefined)[] = [];
  for (let at = 1; ;) {
    const field = readPart(trimmed, at, ENDS_FIELD);
    if (field === undefined) return undefined;
    fields.push(field.value);
    if (trimmed[field.end] === ')') return fields;
    at = field.end + 1;
  }
}

/** The bounds of a range, or of the ranges of a multirange; one that is infinite is left out. @returns undefined for a text that the server refuses */
export function rangeBounds(text: string): readonly string[] | undefined {
  const bounds: string[] = [];
  const isMany = text.trimStart().startsWith('{');
  let at = isMany ? text.indexOf('{') + 1 : 0;
  for (;;) {
    const [blank = '', word] = /^[\s,]*(empty)?/i.exec(text.slice(at)) ?? [];
    at += blank.length;
    if (word === undefined) {
      if (isMany && text[at] === '}') return bounds;
      if (text[at] !== '[' && text[at] !== '(') return undefined;
      const lower = readPart(text, at + 1, ENDS_BOUND);
      const upper = lower === undefined ? undefined : readPart(text, lower.end + 1, ENDS_BOUND);
      if (lower === undefined || upper === undefined || text[lower.end] !== ',') return undefined;
      for (const { value } of [lower, upper]) if (value !== undefined) bounds.push(value);
      at = upper.end + 1;
    }
    if (!isMany) return bounds;
  }
}

/** A part of a composite value or a range: quotes and backslashes may be anywhere within it. Empty without quotes, it has no value. */
function readPart(
  text: string,
  from: number,
  ends: ReadonlySet<string>,
): { readonly value: string | undefined; readonly end: number } | undefined {
  let value = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (ends.has(character)) return { value: at === from ? undefined : value, end: at };
    if (character === '"') {
      const quoted = readQuoted(text, at, true);
      if (quoted === undefined) return undefined;
      value += quoted.value;
      at = quoted.last;
    } else if (character === '\\') {
      at += 1;
      value += text[at] ?? '';
    } else value += character;
  }
  return undefined;
}

/**
 * A text in double quotes.
 *
 * @param doubles - whether two quotes are one within it
 * @returns it, and the place of its last quote
 */
function readQuoted(text: string, from: number, doubles: boolean): { readonly value: string; readonly last: number } | undefined {
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') {
      at += 1;
      value += text[at] ?? '';
    } else if (character !== '"') value += character;
    else if (doubles && text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else return { value, last: at };
  }
  return undefined;
}
