import type { Statement } from '@tabularium/sdk';

/**
 * The statements that a person means by "run": the selected text as it was selected, split again; else the statement at the cursor, or
 * the last one before it where the cursor is between two. Their places are those in the whole text.
 */
export async function chooseStatements(
  all: readonly Statement[],
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  split: (part: string) => Promise<readonly Statement[]>,
): Promise<readonly Statement[]> {
  if (from !== to) {
    const part = text.slice(from, to);
    if (part.trim() === '') return [];
    return (await split(part)).map((each) => ({ ...each, start: each.start + from, end: each.end + from }));
  }
  const at = all.find(({ start, end }) => start <= from && from <= end) ?? all.findLast(({ end }) => end <= from) ?? all[0];
  return at === undefined ? [] : [at];
}
