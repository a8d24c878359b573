/** The beginnings that only JSON is likely to have. A list of bare words, such as a note in brackets, is none of them. */
const BEGINNING = /^\s*(?:\[\s*){0,8}(?:\{\s*(?:["'}]|[\w$]{1,80}\s*:)|\[\s*["[])/;
/** The part of a text that is looked at for its beginning. */
const MOST_BEGINNING = 2_000;

/** Whether a text begins like JSON, or like lines of JSON, and cannot be read as such. */
export function isBrokenJson(text: string): boolean {
  return BEGINNING.test(text.slice(0, MOST_BEGINNING)) && !isJson(text) && !isJsonLines(text);
}

function isJsonLines(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
