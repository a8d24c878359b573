import { describe, expect, it } from 'vitest';
import { readObjectFile, writeObjectFile } from './objectFile.ts';

const EXACT = '{"n":12345678901234567890,"f":1.0}';

describe('a file of objects', () => {
  it('is read back as it was written, each document to the letter', () => {
    const objects = [
      { name: 'a "b"\n', document: EXACT },
      { name: 'ö💥', document: '{ "text" : "x" }' },
      { name: '__proto__', document: '{"__proto__":{"x":1}}' },
    ];
    const text = writeObjectFile('word', objects);
    expect(text).toContain('12345678901234567890');
    expect(readObjectFile('word', text)).toEqual(objects);
    expect(readObjectFile('word', `\uFEFF${text}`)).toEqual(objects);
    expect(readObjectFile('word', writeObjectFile('word', []))).toEqual([]);
  });

  it.each([
    ['nothing', '', 'Line 1'],
    ['text', 'hello', 'Line 1'],
    ['JSON that ends too early', '{"kind":"word",\n"objects":[', 'Line 2'],
    ['a comment', '{"kind":"word", // x\n"objects":[]}', 'Line 1'],
    ['a list', '[]', 'as an export writes it'],
    ['another kind', '{"kind":"rule","objects":[]}', '“rule”, not “word”'],
    ['no list', '{"kind":"word","objects":{}}', 'as an export writes it'],
    ['an object without a name', '{"kind":"word","objects":[\n{"document":{}}]}', 'Line 2 of the file: the object has no “name”'],
    ['an empty name', '{"kind":"word","objects":[{"name":"","document":{}}]}', 'no “name”'],
    ['an entry that is a number', '{"kind":"word","objects":[1]}', 'no “name”'],
    ['a document that is a text', '{"kind":"word","objects":[{"name":"a","document":"{}"}]}', '“a” has no “document”'],
    ['a kind twice', '{"kind":"rule",\n"kind":"word","objects":[]}', 'Line 2 of the file has “kind” a second time'],
    [
      'a document twice',
      '{"kind":"word","objects":[{"name":"a","document":{},"document":{"a":1}}]}',
      'has “document” a second time',
    ],
    ['one name twice', '{"kind":"word","objects":[{"name":"a","document":{}},\n{"name":"a","document":{}}]}', 'Line 2'],
  ])('with %s is refused with the place', (_name, text, says) => {
    expect(() => readObjectFile('word', text)).toThrow(says);
    expect(() => readObjectFile('word', text)).toThrow('Nothing was changed.');
  });
});
