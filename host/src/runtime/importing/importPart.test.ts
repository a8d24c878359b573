import { expect, it } from 'vitest';
import { ImportPart } from './importPart.ts';
import { RowMapping } from './rowMapping.ts';

const MEGABYTE = 1024 * 1024;

it('is full by the bytes of the rows that it keeps, also where the mapping leaves the large ones out', () => {
  const format = { format: 'jsonl', gzip: false, separator: ',', header: true } as const;
  const start = { offset: 0, line: 1 };
  const part = new ImportPart(new RowMapping(format, [], [{ source: 'html', target: null }]), start);
  const bytes = new TextEncoder().encode(`{"id":"a","html":"${'x'.repeat(200 * 1024)}"}`);
  let added = 0;
  while (!part.isFull && added < 100) {
    added += 1;
    part.add({ bytes, line: added, next: { offset: added * bytes.length, line: added + 1 } }, false);
  }
  expect(part.content.length).toBe(11 * added);
  // Of each row its source is in memory, in case the server rejects it.
  expect(added * bytes.length).toBeLessThan(3 * MEGABYTE);
});
