/** The name of a member that one object of a JSON text has twice; undefined where each has each once. @param text - valid JSON */
export function twiceNamed(text: string): string | undefined {
  /** The names of each object that is open; undefined stands for an array. */
  const open: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else {
      let after = index + token.length;
      while (/\s/.test(text.charAt(after))) after += 1;
      if (text.charAt(after) !== ':') continue;
      const name = JSON.parse(token) as string;
      const names = open.at(-1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return undefined;
}
