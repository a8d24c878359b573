/**
 * A JSON text with line breaks and indentation. Only white space changes: numbers keep every digit, which a parse and print would not
 * (9007199254740993 becomes 9007199254740992). A text that isn't JSON comes out with its structure marks spread, never shorter.
 */
export function indentJson(text: string): string {
  let output = '';
  let depth = 0;
  let index = 0;
  const breakLine = (): void => {
    output += `\n${'  '.repeat(Math.max(0, depth))}`;
  };
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '"') {
      const end = stringEnd(text, index);
      output += text.slice(index, end);
      index = end;
      continue;
    }
    index += 1;
    if (/\s/.test(character)) continue;
    if (character === '{' || character === '[') {
      const rest = /^\s*[}\]]/.exec(text.slice(index, index + 100));
      if (rest !== null) {
        output += character + rest[0].trim();
        index += rest[0].length;
        continue;
      }
      depth += 1;
      output += character;
      breakLine();
    } else if (character === '}' || character === ']') {
      depth -= 1;
      breakLine();
      output += character;
    } else if (character === ',') {
      output += character;
      breakLine();
    } else {
      output += character === ':' ? ': ' : character;
    }
  }
  return output;
}

/** The index after the closing quote; the end of the text where there is none. */
function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '\\') index += 2;
    else if (character === '"') return index + 1;
    else index += 1;
  }
  return text.length;
}
