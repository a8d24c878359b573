import { badRequest } from '../errors.ts';

export type FilterToken =
  | { readonly kind: '(' | ')' | '&&' | '||' }
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'object'; readonly text: string }
  | { readonly kind: 'reference'; readonly collection: string; readonly filter: string };

const GEO_ERROR = 'Could not parse the geopoint filter.';

export interface LexerOptions {
  /** Up to 28.0 every `:[` opens a geopoint list and must be closed. */
  readonly bracketIsGeo: boolean;
  readonly objectFilter: boolean;
}

/** The index after the bracket that closes the one at `start`. */
const skipBrackets = (query: string, start: number): number => {
  let depth = 1;
  let at = start;
  while (depth > 0) {
    at += 1;
    if (at >= query.length) break;
    if (query[at] === '[') depth += 1;
    else if (query[at] === ']') depth -= 1;
  }
  if (depth !== 0) throw badRequest(GEO_ERROR);
  return at + 1;
};

const opensGeoList = (query: string, start: number, { bracketIsGeo }: LexerOptions): boolean => {
  if (bracketIsGeo) return true;
  let at = start + 1;
  while (query[at] === ' ') at += 1;
  return query[at] === '(';
};

const endOfObject = (query: string, start: number): number => {
  const nested = query.indexOf('{', start + 1);
  const end = query.indexOf('}', start);
  if (nested !== -1 && (end === -1 || nested < end)) throw badRequest('Nested object filters are not supported.');
  if (end === -1) throw badRequest('Could not parse the object filter: unbalanced curly braces.');
  return end + 1;
};

/** `$collection(filter)`, whose filter may hold parentheses of its own. */
const readReference = (query: string, start: number): { token: FilterToken; end: number } => {
  const open = query.indexOf('(', start);
  let depth = 0;
  for (let at = open; open !== -1 && at < query.length; at += 1) {
    if (query[at] === '(') depth += 1;
    else if (query[at] === ')') depth -= 1;
    if (depth > 0) continue;
    const collection = query.slice(start + 1, open).trim();
    return { token: { kind: 'reference', collection, filter: query.slice(open + 1, at) }, end: at + 1 };
  }
  throw badRequest(`Could not parse the reference filter: \`${query.slice(start)}\`.`);
};

const endsExpression = (query: string, at: number): boolean => {
  const char = query[at];
  return char === '(' || char === ')' || query.startsWith('&&', at) || query.startsWith('||', at);
};

/**
 * Reads `field:value` up to the next operator or parenthesis. Backticks hide both, geo values keep their parentheses, and
 * that is all the quoting there is: backticks neither nest nor escape.
 */
const readExpression = (query: string, start: number, options: LexerOptions): { token: FilterToken; end: number } => {
  let inBackticks = false;
  let afterColon = false;
  let inGeo = false;
  let at = start;
  let char = query[at];
  do {
    if (char === ':') afterColon = true;
    if (char === ')' && inGeo) inGeo = false;
    if (options.objectFilter && !inBackticks && !afterColon && char === '{' && at > start && query[at - 1] === '.') {
      const end = endOfObject(query, at);
      return { token: { kind: 'object', text: query.slice(start, end) }, end };
    }
    at += 1;
    char = query[at];
    if (char === '`') inBackticks = !inBackticks;
    if (afterColon && char === '(') {
      inGeo = true;
      afterColon = false;
    } else if (afterColon && char === '[' && opensGeoList(query, at, options)) {
      at = skipBrackets(query, at);
      break;
    } else if (afterColon && char !== ' ') {
      afterColon = false;
    }
  } while (at < query.length && (inBackticks || inGeo || !endsExpression(query, at)));
  return { token: { kind: 'expression', text: query.slice(start, at).trim() }, end: at };
};

export const lexFilter = (query: string, options: LexerOptions): FilterToken[] => {
  const tokens: FilterToken[] = [];
  let at = 0;
  while (at < query.length) {
    const char = query[at];
    if (char === ' ') {
      at += 1;
    } else if (char === '(' || char === ')') {
      tokens.push({ kind: char });
      at += 1;
    } else if (char === '$') {
      const { end, token } = readReference(query, at);
      tokens.push(token);
      at = end;
    } else if (char === '&' || char === '|') {
      if (query[at + 1] !== char) throw badRequest('Could not parse the filter filter_query.');
      tokens.push({ kind: char === '&' ? '&&' : '||' });
      at += 2;
    } else {
      const { token, end } = readExpression(query, at, options);
      if (token.kind !== 'expression' || token.text !== '') tokens.push(token);
      at = end;
    }
  }
  return tokens;
};
