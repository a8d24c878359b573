import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventReader } from './eventStream.ts';
import { LineReader } from './lines.ts';

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  chunks.push(bytes.subarray(start));
  return chunks;
}

describe('LineReader', () => {
  it('cuts the same lines whatever the chunks are', () => {
    const line = fc.stringMatching(/^[^\r\n]{1,20}$/u);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(7)), fc.constantFrom('\n', '\r\n'), (texts, sizes, end) => {
        const read: string[] = [];
        const reader = new LineReader(1_000, (bytes) => read.push(bytes.toString()), expect.fail);
        for (const chunk of cut(Buffer.from(texts.join(end)), sizes)) reader.push(chunk);
        reader.end();
        expect(read).toEqual(texts);
      }),
    );
  });

  it('drops a line that is too long, reports it once, and continues with the next', () => {
    const read: string[] = [];
    let reported = 0;
    const reader = new LineReader(
      4,
      (bytes) => read.push(bytes.toString()),
      () => {
        reported += 1;
      },
    );
    for (const text of ['12', '34', '56', '78\nok\n', 'lon', 'ger\n', 'end']) reader.push(Buffer.from(text));
    reader.end();
    expect(read).toEqual(['ok', 'end']);
    expect(reported).toBe(2);
  });
});

describe('EventReader', () => {
  it('reads the data of events and nothing else', () => {
    const read: string[] = [];
    const reader = new EventReader((bytes) => read.push(bytes.toString()));
    const stream =
      ': hello\n\nevent: message\nid: 7\ndata: {"a":1}\n\ndata:{"b":2}\r\n\r\ndata: {\ndata: "c":3}\n\nretry: 5\n\ndata: {"unfinished"';
    for (const chunk of cut(
      Buffer.from(stream),
      Array.from({ length: 200 }, () => 1),
    ))
      reader.push(chunk);
    expect(read).toEqual(['{"a":1}', '{"b":2}', '{ "c":3}']);
  });
});
