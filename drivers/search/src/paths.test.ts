import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectionPath, encodeSegment } from './paths.ts';
import { parsePath } from './console/requestPath.ts';

describe('a name as a segment of a path', () => {
  it('comes back as it was, and can be read as nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const segment = encodeSegment(name);
        expect(segment).toMatch(/^[A-Za-z0-9\-_~%]*$/);
        expect(decodeURIComponent(segment)).toBe(name.toWellFormed());
      }),
    );
  });

  it.each([
    ['..', '/collections/%2E%2E'],
    ['.', '/collections/%2E'],
    ['a/b', '/collections/a%2Fb'],
    ['a b+c%', '/collections/a%20b%2Bc%25'],
    ['x?y#z', '/collections/x%3Fy%23z'],
    ["it's (`1`)*", '/collections/it%27s%20%28%601%60%29%2A'],
    ['💥\ud800', '/collections/%F0%9F%92%A5%EF%BF%BD'],
  ])('%s', (name, path) => {
    expect(collectionPath(name)).toBe(path);
  });
});

describe('a path that somebody typed', () => {
  it('is refused or stays on the server, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl(),
          fc.string({ unit: 'binary' }).map((text) => `/${text}`),
        ),
        (typed) => {
          let encoded: string;
          try {
            ({ encoded } = parsePath(typed));
          } catch {
            return;
          }
          expect(encoded).toMatch(/^\/(?!\/)[!-[\]-~]*$/);
          expect(new URL(encoded, 'http://server.example:8108').origin).toBe('http://server.example:8108');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '//evil.example/x',
    '/\\evil.example',
    '\\\\evil',
    'http://evil.example/',
    'collections',
    '',
    '/a\nHost: x',
    '/a\u0000',
  ])('%j is refused', (typed) => {
    expect(() => parsePath(typed)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it.each([
    ['/collections/../keys', '/collections/%2E%2E/keys'],
    ['/a b/ö?q=x y&filter_by=n:>5 && s:=`t`', '/a%20b/%C3%B6?q=x%20y&filter_by=n:%3E5%20%26%26%20s:=%60t%60'],
    ['/collections/a%2Fb/documents/100%', '/collections/a%2Fb/documents/100%25'],
    ['/x#y', '/x%23y'],
  ])('%s', (typed, encoded) => {
    expect(parsePath(typed).encoded).toBe(encoded);
  });
});
