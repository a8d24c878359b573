import { expect, it } from 'vitest';
import { partOfText } from './partOfText.ts';

const never = new AbortController().signal;

it('keeps each row and line of a text with more rows than a part of a file has', async () => {
  const text = '{}\n'.repeat(45_000);
  const part = await partOfText(text, { format: 'jsonl' }, [], never);
  expect(part.rows).toBe(45_000);
  expect([part.document(44_999), part.lineOf(44_999)]).toEqual(['{}', 45_000]);
  expect(part.rejected(30_000, 'no')).toEqual({ line: 30_001, message: 'no', row: '{}' });
});
