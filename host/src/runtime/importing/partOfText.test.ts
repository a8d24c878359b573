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

it.each(['jsonl', 'json'] as const)('rejects a row of %s that has a member twice, by its name', async (format) => {
  const rows = ['{"id":"1","price":1}', '{"id":"2","price":1,"price":2}', '{"id":"3","o":{"x":1,"x":2}}'];
  const text = format === 'json' ? `[${rows.join(',\n')}]` : rows.join('\n');
  const part = await partOfText(text, { format }, [], never);
  expect(part.rows).toBe(1);
  expect(part.unfit).toEqual([
    { line: 2, message: '“price” is twice in the row. Leave in the one that you mean.', row: rows[1] },
    { line: 3, message: '“x” is twice in “o”. Leave in the one that you mean.', row: rows[2] },
  ]);
});
