import { expect, it } from 'vitest';
import { clientCode } from './clientCode.ts';

/** Everything that a language could read as something of its own. */
const SEARCHES = [
  {
    collection: 'articles',
    q: String.raw`it's "a" \n $x {$y} #{z} \u0041 %s ` + '`b` ${c}\n\tü💥 ?>',
    'odd "name"': "'\\",
    prefix: false,
    exhaustive_search: true,
    limit: 10,
    list: [],
  },
  { collection: 'articles', q: '*' },
];

const codes = new Map(clientCode({ searches: SEARCHES }).map(({ label, text }) => [label, text]));

/** A reader of the literals of a language, to hold what was written to what was meant. */
function read(
  source: string,
  { pair, quote, map }: { readonly pair: string; readonly quote: string; readonly map: string },
): unknown {
  let at = 0;
  const skip = (): void => {
    while (/[\s,]/.test(source.charAt(at))) at += 1;
  };
  const literal = (): unknown => {
    skip();
    const sign = source.charAt(at);
    if (sign === quote) {
      let end = at + 1;
      while (source.charAt(end) !== quote) end += source.charAt(end) === '\\' ? 2 : 1;
      const text = source.slice(at, end + 1);
      at = end + 1;
      return quote === '"' ? (JSON.parse(text) as unknown) : text.slice(1, -1).replaceAll(/\\([\\'])/g, '$1');
    }
    if (sign === '[' || sign === '{') {
      at += 1;
      const list: unknown[] = [];
      const members: [string, unknown][] = [];
      for (skip(); source.charAt(at) !== ']' && source.charAt(at) !== '}'; skip()) {
        const first = literal();
        if (source.startsWith(pair, at)) {
          at += pair.length;
          members.push([String(first), literal()]);
        } else list.push(first);
      }
      at += 1;
      return members.length > 0 || sign === map ? Object.fromEntries(members) : list;
    }
    const word = /^[\w.+-]+/.exec(source.slice(at))?.[0] ?? '';
    at += word.length;
    return JSON.parse(word.toLowerCase()) as unknown;
  };
  return literal();
}

it.each([
  ['JavaScript', 'perform(', { pair: ': ', quote: '"', map: '{' }],
  ['Python', 'perform(', { pair: ': ', quote: '"', map: '{' }],
  ['PHP', 'perform(', { pair: ' => ', quote: "'", map: '' }],
  ['Ruby', 'perform(', { pair: ' => ', quote: "'", map: '{' }],
])('the code of %s says the same searches', (label, before, syntax) => {
  const text = codes.get(label) ?? '';
  expect(read(text.slice(text.indexOf(before) + before.length), syntax)).toEqual({ searches: SEARCHES });
});

it('the code of Go has the searches as one text', () => {
  const text = codes.get('Go') ?? '';
  const [, literal = ''] = /\[\]byte\((".*")\), &searches\)/.exec(text) ?? [];
  expect(JSON.parse(JSON.parse(literal) as string)).toEqual({ searches: SEARCHES });
});

it('no code has a key or an address', () => {
  expect([...codes.keys()]).toEqual(['JavaScript', 'Python', 'PHP', 'Ruby', 'Go']);
  for (const text of codes.values()) {
    expect(text).toContain('API_KEY');
    expect(text).toContain('HOST');
  }
});

it('asks for the hits of a union, and where they begin', () => {
  const searches = [
    { collection: 'books', q: 'a' },
    { collection: 'films', q: 'a' },
  ];
  const union = new Map(clientCode({ union: true, searches }, { offset: 20, limit: 10 }).map(({ label, text }) => [label, text]));
  expect([...union.keys()]).toEqual(['JavaScript', 'Python', 'PHP', 'Ruby']);
  expect(union.get('JavaScript')).toContain('const { hits } = await client.multiSearch.perform({\n  "union": true,');
  expect(union.get('JavaScript')).toContain('}, {"offset":20,"limit":10});');
  expect(union.get('Python')).toMatch(/"union": True,[^]*\}, \{\n {2}"offset": 20,\n {2}"limit": 10,\n\}\)\['hits'\]/);
  expect(union.get('PHP')).toMatch(/'union' => true,[^]*'offset' => 20,[^]*\)\['hits'\];/);
});

it('has the address of the connection, whatever is in it', () => {
  const address = { host: 'a\'b"c', port: 8108, protocol: 'http', path: '/search' } as const;
  const written = new Map(clientCode({ searches: SEARCHES }, undefined, address).map(({ label, text }) => [label, text]));
  expect(written.get('JavaScript')).toContain(
    String.raw`nodes: [{ host: "a'b\"c", port: 8108, path: "/search", protocol: "http" }]`,
  );
  expect(written.get('Python')).toContain(
    String.raw`'nodes': [{'host': "a'b\"c", 'port': 8108, 'path': "/search", 'protocol': "http"}]`,
  );
  expect(written.get('PHP')).toContain(
    String.raw`[['host' => 'a\'b"c', 'port' => 8108, 'path' => '/search', 'protocol' => 'http']]`,
  );
  expect(written.get('Ruby')).toContain(String.raw`nodes: [{ host: 'a\'b"c', port: 8108, path: '/search', protocol: 'http' }]`);
  expect(written.get('Go')).toContain(String.raw`typesense.WithServer("http://a'b\"c:8108/search")`);
});
