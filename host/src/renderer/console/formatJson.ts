import { indentJson } from '../grid/model/jsonText.ts';

/** Where a JSON value that begins at `start` ends; undefined where it does not end. */
function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') {
      index += 1;
      while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const MOST_WITHOUT_END = 20;

/** The JSON objects and arrays that begin a line and end one. */
function jsonValues(text: string): readonly Span[] {
  const values: Span[] = [];
  const line = /^[ \t]*(?=[{[])/gm;
  // Values without an end are each looked for to the end of the text.
  let left = MOST_WITHOUT_END;
  for (let match = line.exec(text); match !== null; match = line.exec(text)) {
    const start = match.index + match[0].length;
    const end = valueEnd(text, start);
    if (end === undefined) left -= 1;
    if (left === 0) break;
    if (end === undefined || !/^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200)) || !isJson(text.slice(start, end))) {
      if (line.lastIndex === match.index) line.lastIndex += 1;
      continue;
    }
    values.push({ start, end });
    line.lastIndex = end;
  }
  return values;
}

/** Values with nothing but one line break between them are JSON lines: spreading one over several lines would change what is sent. */
const areLines = (text: string, before: Span, after: Span): boolean =>
  /^[ \t]*\r?\n[ \t]*$/.test(text.slice(before.end, after.start));

/**
 * A text with its JSON indented. Only white space between tokens changes; a value that isn't valid JSON, and JSON lines, stay as they are.
 * Undefined where there is nothing to indent.
 */
export function formatJson(text: string): string | undefined {
  const values = jsonValues(text);
  const single = values.filter((value, place) => {
    const before = values[place - 1];
    const after = values[place + 1];
    return !(before !== undefined && areLines(text, before, value)) && !(after !== undefined && areLines(text, value, after));
  });
  if (single.length === 0) return undefined;
  let output = '';
  let at = 0;
  for (const { start, end } of single) {
    output += text.slice(at, start) + indentJson(text.slice(start, end));
    at = end;
  }
  return output + text.slice(at);
}
