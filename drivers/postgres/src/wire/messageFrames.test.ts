import fc from 'fast-check';
import { expect, it } from 'vitest';
import { message } from './floods.test-helper.ts';
import { MessageFrames } from './messageFrames.ts';
import { MessageMeter } from './messageMeter.ts';

const frames = (): MessageFrames => new MessageFrames(new MessageMeter('db.example:5432'), 'db.example:5432');

/** The messages that the library is given for these bytes, which come in pieces that end at these places. */
function given(bytes: Buffer, ends: readonly number[] = []): Buffer {
  const own = frames();
  const pieces: Buffer[] = [];
  const places = [...new Set(ends.map((end) => end % (bytes.length + 1)))].toSorted((one, other) => one - other);
  for (const [index, from] of [0, ...places].entries()) {
    const part = bytes.subarray(from, places[index] ?? bytes.length);
    for (let at = 0; at < part.length;) {
      const read = own.read(part, at);
      expect(read.end).toBeGreaterThan(at);
      at = read.end;
      pieces.push(...read.pieces);
    }
  }
  return Buffer.concat(pieces);
}

const said = (type: string, text: string): Buffer => message(type, `SX\0VERROR\0CXX000\0M${text}\0Wleft out\0\0`);
const READY = message('Z', 'I');

it('gives the same whole messages, however their bytes come', () => {
  const one = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((body) => message('D', body)),
    fc.constantFrom(READY, message('1'), message('C', 'SELECT 1\0'), message('I')),
    fc.string({ maxLength: 20 }).map((text) => said('N', text.replaceAll('\0', ''))),
    fc.string({ maxLength: 20 }).map((text) => said('E', text.replaceAll('\0', ''))),
    fc.uint8Array({ maxLength: 20 }).map((body) => message('d', body)),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 20 }), (messages, ends) => {
      const bytes = Buffer.concat([READY, ...messages]);
      expect(given(bytes, ends).equals(given(bytes))).toBe(true);
      const plain = Buffer.concat([READY, ...messages.filter((own) => !'NEd'.includes(String.fromCodePoint(own[0] ?? 0)))]);
      expect(given(plain, ends).equals(plain)).toBe(true);
    }),
  );
});

it('gives every message whole, and keeps nothing of what is not used', () => {
  const own = frames();
  const row = message('D', Buffer.alloc(100_000, 1));
  expect(own.read(Buffer.concat([READY, row.subarray(0, 50_000)]), 0).pieces).toEqual([READY]);
  expect(own.retainedBytes).toBe(50_000);
  expect(own.read(row.subarray(50_000), 0).pieces).toEqual([row]);
  expect(own.retainedBytes).toBe(0);
  const notice = said('N', 'n'.repeat(100_000));
  for (let at = 0; at < notice.length - 1_000; at += 1_000) {
    expect(own.read(notice.subarray(at, at + 1_000), 0).pieces).toEqual([]);
    expect(own.retainedBytes).toBe(0);
  }
});

it('gives the beginning of the texts of an error, of whole characters, and its severity in no language', () => {
  const text = given(Buffer.concat([READY, said('E', '\u{20AC}'.repeat(100_000))])).subarray(READY.length);
  expect(text.readUInt32BE(1)).toBe(text.length - 1);
  const fields = new Map(
    text
      .toString('utf8', 5)
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  expect([...fields.keys()]).toEqual(['S', 'C', 'M']);
  expect(fields.get('S')).toBe('ERROR');
  expect(fields.get('M')).toBe('\u{20AC}'.repeat(2_730));
});

it.each([
  ['no code', 'SERROR\0Mwrong\0\0', /db\.example:5432 reported an error .* “wrong”/],
  ['a code that is none', 'SERROR\0Cxx\0Mwrong\0\0', /db\.example:5432 .* “wrong”/],
  ['no severity', 'CXX000\0Mwrong\0\0', /db\.example:5432 .* “wrong”/],
  ['nothing', '\0', /db\.example:5432/],
  ['a text without an end', 'SERROR\0CXX000\0Mwrong', /protocol/],
  ['fields without an end', 'SERROR\0CXX000\0Mwrong\0', /protocol/],
])('blames the server for an error with %s', (_title, body, words) => {
  expect(() => given(Buffer.concat([READY, message('E', body)]))).toThrow(
    expect.objectContaining({ code: 'BAD_ANSWER', message: expect.stringMatching(words) as string }) as Error,
  );
});
