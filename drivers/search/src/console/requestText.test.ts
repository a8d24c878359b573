import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequest } from './request.ts';
import { splitRequests } from './requestText.ts';

describe('splitting a text into requests', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['blanks and comments', ' \n# a\n// b\n', []],
    ['one', 'GET /collections', ['GET /collections']],
    ['one with a body', '  POST /x\n{"a":1}\n', ['POST /x\n{"a":1}']],
    ['two without anything between', 'GET /a\nget /b', ['GET /a', 'get /b']],
    [
      'comments between, none of them in a request',
      '# one\nGET /a\n\n# two\n// three\nPOST /b\n{}\n\n### end\n',
      ['GET /a', 'POST /b\n{}'],
    ],
    ['Windows line ends', 'GET /a\r\nPOST /b\r\n{\r\n}\r\n', ['GET /a', 'POST /b\r\n{\r\n}']],
    ['blank lines inside a body', 'POST /b\n{"a":1}\n\n{"b":2}', ['POST /b\n{"a":1}\n\n{"b":2}']],
    ['text before the first request', 'SELECT 1;\n\nGET /a', ['SELECT 1;', 'GET /a']],
    ['words that begin like a method', 'GETTING\nGET /a', ['GETTING', 'GET /a']],
    ['a method inside JSON', 'POST /a\n{"m":\n"GET /x"}', ['POST /a\n{"m":\n"GET /x"}']],
  ])('%s', (_name, text, statements) => {
    const found = splitRequests(text);
    expect(found.map((statement) => statement.text)).toEqual(statements);
    for (const { text: part, start, end } of found) expect(text.slice(start, end)).toBe(part);
  });

  it('never loses a character that is not blank or comment', () => {
    const line = fc.oneof(fc.constantFrom('GET /a', 'post /b', '{"x": 1}', '# c', '', '  ', '// c', 'words', '\r'), fc.string());
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        let end = 0;
        for (const statement of splitRequests(text)) {
          expect(
            text
              .slice(end, statement.start)
              .split('\n')
              .every((between) => /^\s*(?:$|#|\/\/)/.test(between)),
          ).toBe(true);
          expect(text.slice(statement.start, statement.end)).toBe(statement.text);
          end = statement.end;
        }
        expect(
          text
            .slice(end)
            .split('\n')
            .every((between) => /^\s*(?:$|#|\/\/)/.test(between)),
        ).toBe(true);
      }),
    );
  });
});

describe('a request', () => {
  it('has method, path and body, the body byte for byte', () => {
    const body = '{"id":"1"}\n{oops\n\n  [1]';
    const request = parseRequest(
      `# import\npost /collections/a%2Fb/documents/import?action=create HTTP/1.1\n\n# body\n${body}\n`,
    );
    expect(request).toMatchObject({
      method: 'POST',
      body,
      path: { encoded: '/collections/a%2Fb/documents/import?action=create' },
    });
    expect(request.path.segments).toEqual(['collections', 'a/b', 'documents', 'import']);
  });

  it.each([
    ['SELECT * FROM books', 'SQL'],
    ['DELETE FROM books', 'SQL'],
    ['delete from books where id = 1', 'SQL'],
    ['INSERT INTO books VALUES (1)', 'SQL'],
    ['UPDATE books SET a = 1', 'SQL'],
    ['DELETE', 'SQL'],
    ['GET', "doesn't begin with a method and a path"],
    ['GET collections', "doesn't begin with a method and a path"],
    ['fetch /collections', "doesn't begin with a method and a path"],
    ['GET http://evil.example/collections', 'Not a path'],
    ['GET //evil.example', 'Not a path'],
    ['GET /\\evil.example', 'Not a path'],
    ['GET \\\\evil.example', 'Not a path'],
    ['GET /a\nGET /b', 'One request'],
    ['', 'One request'],
    ['GET /a\nContent-Type: application/json\n\n{}', 'no headers'],
    ['GET /keys/abc', "doesn't answer other paths"],
  ])('%j is refused, saying “%s”', (text, words) => {
    expect(() => parseRequest(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(words) as string }),
    );
  });
});
