import type { SearchAnswer } from '@tabularium/sdk';
import { isObject } from '../guards.ts';
import type { ServerAddress } from '../serverAddress.ts';

/** How a language writes a JSON value. */
interface Syntax {
  readonly text: (text: string) => string;
  readonly list: readonly [string, string];
  readonly object: readonly [string, string];
  /** Between a name and its value. */
  readonly pair: string;
  readonly yes: string;
  readonly no: string;
}

const quoted = (text: string): string => JSON.stringify(text);
/** PHP and Ruby read nothing else in single quotes: no variable, no expression. */
const singleQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const PYTHON: Syntax = { text: quoted, list: ['[', ']'], object: ['{', '}'], pair: ': ', yes: 'True', no: 'False' };
const PHP: Syntax = { text: singleQuoted, list: ['[', ']'], object: ['[', ']'], pair: ' => ', yes: 'true', no: 'false' };
const RUBY: Syntax = { text: singleQuoted, list: ['[', ']'], object: ['{', '}'], pair: ' => ', yes: 'true', no: 'false' };

const NOWHERE: ServerAddress = { host: 'HOST', port: 443, protocol: 'https', path: '' };

/**
 * A search as the code of the server's own clients. The key comes from a variable of the environment, of the same name as in the command for a shell.
 *
 * @param address - absent: to be filled in
 * @param range - of a search of several collections together, whose answer is one result
 */
export function clientCode(
  body: { readonly union?: true; readonly searches: readonly object[] },
  range?: { readonly offset: number; readonly limit: number },
  address: ServerAddress = NOWHERE,
): SearchAnswer['code'] {
  const { host, port, protocol, path } = address;
  const node = (text: (value: string) => string, pair: (name: string, value: string) => string): string =>
    [
      pair('host', text(host)),
      pair('port', String(port)),
      ...(path === '' ? [] : [pair('path', text(path))]),
      pair('protocol', text(protocol)),
    ].join(', ');
  const isUnion = range !== undefined;
  // A union is one result with hits; separate searches are a list of them.
  const name = isUnion ? 'hits' : 'results';
  const parameters = (syntax: Syntax, none: string): string => (isUnion ? written(range, syntax) : none);
  const all: SearchAnswer['code'] = [
    {
      label: 'JavaScript',
      text: lines(
        "import { Client } from 'typesense';",
        '',
        'const client = new Client({',
        `  nodes: [{ ${node(quoted, (name, value) => `${name}: ${value}`)} }],`,
        '  apiKey: process.env.API_KEY,',
        '});',
        '',
        `const { ${name} } = await client.multiSearch.perform(${JSON.stringify(body, undefined, 2)}${isUnion ? `, ${JSON.stringify(range)}` : ''});`,
      ),
    },
    {
      label: 'Python',
      text: lines(
        'import os',
        '',
        'import typesense',
        '',
        'client = typesense.Client({',
        `    'nodes': [{${node(quoted, (name, value) => `'${name}': ${value}`)}}],`,
        "    'api_key': os.environ['API_KEY'],",
        '})',
        '',
        `${name} = client.multi_search.perform(${written(body, PYTHON)}, ${parameters(PYTHON, '{}')})['${name}']`,
      ),
    },
    {
      label: 'PHP',
      text: lines(
        '<?php',
        '',
        "require 'vendor/autoload.php';",
        '',
        '$client = new Typesense\\Client([',
        `    'nodes' => [[${node(singleQuoted, (name, value) => `'${name}' => ${value}`)}]],`,
        "    'api_key' => getenv('API_KEY'),",
        ']);',
        '',
        `$${name} = $client->multiSearch->perform(${written(body, PHP)}, ${parameters(PHP, '[]')})['${name}'];`,
      ),
    },
    {
      label: 'Ruby',
      text: lines(
        "require 'typesense'",
        '',
        'client = Typesense::Client.new(',
        `  nodes: [{ ${node(singleQuoted, (name, value) => `${name}: ${value}`)} }],`,
        "  api_key: ENV.fetch('API_KEY')",
        ')',
        '',
        `${name} = client.multi_search.perform(${written(body, RUBY)}, ${parameters(RUBY, '{}')})['${name}']`,
      ),
    },
    {
      label: 'Go',
      text: lines(
        'package main',
        '',
        'import (',
        '\t"context"',
        '\t"encoding/json"',
        '\t"fmt"',
        '\t"log"',
        '\t"os"',
        '',
        '\t"github.com/typesense/typesense-go/v3/typesense"',
        '\t"github.com/typesense/typesense-go/v3/typesense/api"',
        ')',
        '',
        'func main() {',
        '\tclient := typesense.NewClient(',
        `\t\ttypesense.WithServer(${quoted(`${protocol}://${host}:${port}${path}`)}),`,
        '\t\ttypesense.WithAPIKey(os.Getenv("API_KEY")),',
        '\t)',
        '\tvar searches api.MultiSearchSearchesParameter',
        `\tif err := json.Unmarshal([]byte(${quoted(JSON.stringify(body))}), &searches); err != nil {`,
        '\t\tlog.Fatal(err)',
        '\t}',
        '\tresult, err := client.MultiSearch.Perform(context.Background(), &api.MultiSearchParams{}, searches)',
        '\tif err != nil {',
        '\t\tlog.Fatal(err)',
        '\t}',
        '\tfmt.Println(result.Results)',
        '}',
      ),
    },
  ];
  // Its client reads the answer as a list of results.
  return isUnion ? all.filter(({ label }) => label !== 'Go') : all;
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** A value in a language, one member on a line. */
function written(value: unknown, syntax: Syntax, indent = ''): string {
  if (typeof value === 'string') return syntax.text(value.toWellFormed());
  if (typeof value === 'boolean') return value ? syntax.yes : syntax.no;
  const inner = `${indent}  `;
  const within = ([begin, end]: readonly [string, string], entries: readonly string[]): string =>
    entries.length === 0
      ? `${begin}${end}`
      : `${begin}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${end}`;
  if (Array.isArray(value)) {
    return within(
      syntax.list,
      value.map((entry: unknown) => written(entry, syntax, inner)),
    );
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return within(
    syntax.object,
    members.map(([name, member]) => `${syntax.text(name)}${syntax.pair}${written(member, syntax, inner)}`),
  );
}
