import type { SearchAnswer } from '@tabularium/sdk';

/** A search as the code of the server's own client for JavaScript; address and key are left to be filled in. */
export function clientCode(searches: readonly object[]): SearchAnswer['code'] {
  const text = [
    "import { Client } from 'typesense';",
    '',
    'const client = new Client({',
    "  nodes: [{ host: 'HOST', port: 443, protocol: 'https' }],",
    '  apiKey: process.env.TYPESENSE_API_KEY,',
    '});',
    '',
    `const { results } = await client.multiSearch.perform(${JSON.stringify({ searches }, undefined, 2)});`,
    '',
  ].join('\n');
  return [{ label: 'JavaScript', text }];
}
