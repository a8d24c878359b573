/**
 * Indents a JSON text by two spaces. It works on the text and never on values, so that every number keeps its digits, `1.0` its zero
 * and every member its place.
 *
 * @param json - a valid JSON text
 */
export function prettyJson(json: string): string {
  let out = '';
  let depth = 0;
  let copied = 0;
  const breakLine = (): string => `\n${'  '.repeat(depth)}`;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    switch (character) {
      case '"':
        at = endOfString(json, at);
        break;
      case '{':
      case '[': {
        const next = skipBlanks(json, at + 1);
        out += json.slice(copied, at + 1);
        const closing = json[next];
        if (closing === '}' || closing === ']') {
          out += closing;
          at = next;
        } else {
          depth += 1;
          out += breakLine();
          at = next - 1;
        }
        copied = at + 1;
        break;
      }
      case '}':
      case ']':
        depth -= 1;
        out += json.slice(copied, at) + breakLine() + character;
        copied = at + 1;
        break;
      case ',':
        out += json.slice(copied, at + 1) + breakLine();
        at = skipBlanks(json, at + 1) - 1;
        copied = at + 1;
        break;
      case ':':
        out += `${json.slice(copied, at)}: `;
        at = skipBlanks(json, at + 1) - 1;
        copied = at + 1;
        break;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        out += json.slice(copied, at);
        copied = at + 1;
        break;
      default:
    }
  }
  return out + json.slice(copied);
}

/** The index of the closing quote. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1;
  return at;
}
