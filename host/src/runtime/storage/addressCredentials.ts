/** A part of a text: the place of its first character, and the place after its last one. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A part of a text without whitespace and without signs that no address has. */
const TOKEN = /[^\s"<>]+/g;
/** The signs that divide an address, also encoded for an address in which it is a part, at any depth. */
const SIGN = /%(?:25){0,4}(?:3a|2f|40|3f|23)|[:/@?#]/gi;
const SLASHES = /(?:\/|%(?:25){0,4}2f){2}/iy;
const ENCODED_AT = /%(?:25){0,4}40/gi;
/** A host that no user is named like, with its port: a path after it may have an `@`, as the name of a package has. */
const SURELY_HOST = /(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?(?=[/?#])/iy;
const SURELY_HOST_BEFORE = /(?:^|[^\w.-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3})$/i;
const LONGEST_HOST_BEFORE = 20;
const PORT_AND_PATH = /\d{1,5}[/?#]/y;
/** In the address of a file, the drive of its path. */
const DRIVE = /\/[a-z]:(?=[/\\])/iy;
const CODES: Readonly<Record<string, string>> = { '3a': ':', '2f': '/', '40': '@', '3f': '?', '23': '#' };

/**
 * Where a text has user and password before a host, and the password alone where there is no scheme, in order. A password may have every sign of an address,
 * and may begin like a port: so all up to the last `@` of the same word counts, which may be too much. Its time is linear in the length of the text.
 */
export function addressCredentials(text: string): readonly TextRange[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) =>
    token.includes('@') || token.includes('40')
      ? rangesIn(token).map(({ from, to }) => ({ from: index + from, to: index + to }))
      : [],
  );
}

interface Authority {
  readonly start: number;
  readonly isEncoded: boolean;
  /** The last `@` in it so far. */
  at: number | undefined;
}

function rangesIn(token: string): readonly TextRange[] {
  const lastPlain = token.lastIndexOf('@');
  const lastOfAll = Math.max(lastPlain, ...lastEncoded(token));
  const ranges: TextRange[] = [];
  let authority: Authority | undefined;
  SIGN.lastIndex = 0;
  for (let found = SIGN.exec(token); found !== null; found = SIGN.exec(token)) {
    const [written] = found;
    const isEncoded = written.length > 1;
    const sign = isEncoded ? CODES[written.slice(-2).toLowerCase()] : written;
    // In an address that isn't encoded, an encoded sign is a part of the user's name.
    if (authority?.isEncoded === false && isEncoded) continue;
    const end = SIGN.lastIndex;
    if (sign === '@') {
      if (authority !== undefined) authority.at = found.index;
    } else if (sign === ':') {
      const afterSlashes = placeAfter(SLASHES, token, end);
      if (afterSlashes !== undefined && authority === undefined) {
        authority = { start: afterSlashes, isEncoded, at: undefined };
        const afterHost = placeAfter(SURELY_HOST, token, afterSlashes) ?? placeAfter(DRIVE, token, afterSlashes);
        if (afterHost !== undefined) authority = undefined;
        SIGN.lastIndex = afterHost ?? afterSlashes;
        continue;
      }
      const last = isEncoded || authority?.isEncoded === true ? lastOfAll : lastPlain;
      if (last <= end || (authority === undefined && isPort(token, found.index))) continue;
      ranges.push({ from: authority?.start ?? end, to: last });
      return ranges;
    } else if (authority !== undefined) {
      if (authority.at !== undefined) ranges.push({ from: authority.start, to: authority.at });
      authority = undefined;
    }
    SIGN.lastIndex = end;
  }
  if (authority?.at !== undefined) ranges.push({ from: authority.start, to: authority.at });
  return ranges;
}

function lastEncoded(token: string): readonly number[] {
  let last: number | undefined;
  for (const { index } of token.matchAll(ENCODED_AT)) last = index;
  return last === undefined ? [] : [last];
}

/** The place after a pattern that is found exactly at a place. */
function placeAfter(pattern: RegExp, text: string, place: number): number | undefined {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function isPort(token: string, colon: number): boolean {
  return (
    placeAfter(PORT_AND_PATH, token, colon + 1) !== undefined &&
    SURELY_HOST_BEFORE.test(token.slice(Math.max(0, colon - LONGEST_HOST_BEFORE), colon))
  );
}
