/** The lines that a change adds to a text and removes from it, line by line, with two lines around; for files of settings, which are short. */
export function lineDiff(before: string, after: string): string {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < a.length - start && same < b.length - start && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  if (start === a.length && start === b.length) return '';
  const context = 2;
  return [
    ...a.slice(Math.max(0, start - context), start).map((line) => `  ${line}`),
    ...a.slice(start, a.length - same).map((line) => `- ${line}`),
    ...b.slice(start, b.length - same).map((line) => `+ ${line}`),
    ...a.slice(a.length - same, a.length - same + context).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
