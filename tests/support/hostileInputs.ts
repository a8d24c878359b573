type Schema = Readonly<Record<string, unknown>>;

/** Objects with as many names as one may have; together they have no more names than a text may have. */
const MOST_WIDE = 15;

/** Texts and values of about `size` characters of JSON that make bad code slow. Each is JSON, since some are nested too deeply to be built. */
function hostileJson(size: number): ReadonlyMap<string, string> {
  const repeat = (text: string): string => text.repeat(Math.floor(size / text.length));
  const list = (element: string): string => `[${repeat(`${element},`)}${element}]`;
  const keys = (count: number, name: (index: number) => string, value: string): string =>
    `{${Array.from({ length: count }, (_, index) => `${JSON.stringify(name(index))}:${value}`).join(',')}}`;
  const texts: readonly (readonly [string, string])[] = [
    ['letters', 'a'],
    ['digits', '9'],
    ['zeros', '0'],
    ['spaces', ' '],
    ['lines', '\n'],
    ['quotes', '"'],
    ['single quotes', "'"],
    ['brackets', '('],
    ['commas', ','],
    ['colons', ':'],
    ['percents', '%'],
    ['surrogates', '\u{1F600}'],
    ['combining marks', 'e\u0301'],
    ['bidi controls', '\u202e'],
    ['statements', 'read; '],
    ['lines of statements', 'read 1\n'],
    ['filters', 'a:=1 && '],
    ['credentials', 'token="'],
    ['addresses', 'a.b://c.'],
    ['slashes', 'a/'],
    ['hyphens', 'a-'],
  ];
  return new Map([
    ...texts.map(([name, text]): [string, string] => [name, JSON.stringify(repeat(text))]),
    ['deep lists', `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
    ['deep objects', `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
    ['numbers', list('1')],
    ['empty objects', list('{}')],
    ['empty texts', list('""')],
    ['lists of lists', list('[]')],
    ['nulls', list('null')],
    ['texts', list('"a"')],
    ['wide', keys(Math.floor(size / 12), (index) => `k${index}`, '1')],
    ['wide numbers', keys(Math.floor(size / 12), (index) => String(index), '"a"')],
    // As much structure as fits the bounds of jsonShape.ts.
    [
      'many wide in bounds',
      `[${Array.from({ length: MOST_WIDE }, (_, one) => keys(Math.min(4_900, Math.floor(size / 12 / MOST_WIDE)), (index) => `${one}k${index}`, '1')).join(',')}]`,
    ],
    ['many deep', list(`${'['.repeat(150)}${']'.repeat(150)}`)],
    ['rows', list(`{"id":1,"title":"a","b":[1,2],"c":{"d":null}}`)],
    ['long key', `{${JSON.stringify(repeat('k'))}:1}`],
    ['prototype keys', '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1,"hasOwnProperty":null}'],
    ['huge number', '1e999'],
    ['long number', '9'.repeat(size)],
  ]);
}

/** A value that fits a JSON schema as far as the schema shows it. */
export function exampleOf(schema: Schema, text = 'x'): unknown {
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  const [first] = ((schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined) ?? [];
  if (first !== undefined) return exampleOf(first, text);
  switch (schema['type']) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      // A tuple has a schema for each place and none for what comes after.
      if (Array.isArray(schema['prefixItems'])) return (schema['prefixItems'] as Schema[]).map((place) => exampleOf(place, text));
      return [exampleOf((schema['items'] as Schema | undefined) ?? {}, text)];
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(([name, child]) => [
          name,
          exampleOf(child, text),
        ]),
      );
    default:
      return text;
  }
}

/** How deep the parts are that are replaced one by one: a value, a field of it, an element of a list in it. */
const DEPTH = 2;
const HOLE = '\u0000hole';

/** The example with each of its parts in turn replaced by a hostile value, and the hostile value alone: as JSON. */
export function* hostileVariants(example: unknown, size: number): Generator<{ readonly name: string; readonly json: string }> {
  const templates = [...holes(example, '')].map(([path, value]) => [path, JSON.stringify(value)] as const);
  for (const [name, json] of hostileJson(size)) {
    for (const [path, template] of templates)
      yield { name: `${name} at ${path}`, json: template.replace(JSON.stringify(HOLE), () => json) };
  }
}

function* holes(value: unknown, path: string, depth = DEPTH): Generator<readonly [path: string, value: unknown]> {
  yield [path === '' ? 'the whole' : path, HOLE];
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [key, child] of Object.entries(value)) {
    for (const [where, changed] of holes(child, `${path}.${key}`, depth - 1)) {
      const copy: unknown = structuredClone(value);
      Reflect.set(copy as object, key, changed);
      yield [where === 'the whole' ? `${path}.${key}` : where, copy];
    }
  }
}
