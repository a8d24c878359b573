import { activityExamples } from './activityExamples.test-helper.ts';
import { hostExamples } from './hostExamples.test-helper.ts';
import { searchExamples } from './searchExamples.test-helper.ts';
import { structureExamples } from './structureExamples.test-helper.ts';

/** One call of a command and the JSON that it prints. */
export interface CommandExample {
  /** After `tabularium `. */
  readonly line: string;
  readonly answer: unknown;
}

const connection = {
  id: '3f0e2c9a-7b1c-4b6e-9f39-0a4a3a1d2b10',
  name: 'Shop',
  driver: 'search',
  settings: { host: 'search.example', port: 443, ssl: 'verifyFull' },
  secrets: { apiKey: { kind: 'environment', variable: 'SHOP_KEY' } },
  access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
  color: 'gray',
  createdAt: '2026-03-02T09:15:00.000Z',
  updatedAt: '2026-03-02T09:15:00.000Z',
};
const operationRun = '0b0f4b7e-52a8-4a35-9a2f-6d6a5f0f7a11';
const named = { id: connection.id, name: connection.name };
const fingerprint = '6c1f 09ab 4e2d 77c0 5b3a 91de 0f84 2c6b 8d17 e3a5 40f9 b26c 1d70 a8e4 93b5 5fc2';
const publisher = { id: 'acme', name: 'Acme', fingerprint, origin: 'thirdParty' };
const installed = {
  id: 'search',
  packageName: '@acme/driver-search',
  version: '1.4.0',
  current: true,
  installedAt: '2026-03-02T09:14:00.000Z',
  publisher,
};
const catalogue = { state: 'signed', fingerprint, version: 12, expiresAt: '2026-09-01T00:00:00.000Z' };
const registry = {
  url: 'https://registry.example/',
  name: 'Acme',
  scopes: ['@acme'],
  packages: [],
  downloadOrigins: [],
  catalogue,
  hasCredential: false,
  from: 'settings',
};
const token = { id: 'k7Qm', name: 'laptop', scope: 'readOnly' };
const home = '/home/ada/.local/share/tabularium';

/** At least one for each command. */
export const commandExamples: Readonly<Record<string, readonly CommandExample[]>> = {
  serve: [
    {
      line: 'serve',
      answer: { ready: true, ui: 'http://127.0.0.1:40123/?key=…', mcp: 'http://127.0.0.1:23508/mcp', home },
    },
  ],
  open: [{ line: 'open --json', answer: { opened: 'app' } }],
  docs: [{ line: 'docs --no-open --json', answer: { url: 'http://127.0.0.1:40125/', version: '1.2.3' } }],
  url: [{ line: 'url --json', answer: { url: 'http://127.0.0.1:40123/?key=…' } }],
  doctor: [
    {
      line: 'doctor --json',
      answer: {
        checks: [
          { name: 'database', ok: true, finding: 'The database is sound; 3 backups are kept.', advice: null },
          {
            name: 'clients',
            ok: false,
            finding: "Cursor (/home/ada/.cursor/mcp.json) starts /opt/old/tabularium-mcp, which doesn't exist.",
            advice: 'Connect it again: Settings, Integrations, or "tabularium mcp config".',
          },
        ],
      },
    },
  ],
  support: [{ line: 'support --output report.txt --json', answer: { file: '/home/ada/report.txt', characters: 12_480 } }],
  backup: [
    {
      line: 'backup --output shop.db --json',
      answer: { file: '/home/ada/shop.db', bytes: 225_280, createdAt: '2026-03-02T09:15:00.000Z' },
    },
  ],
  restore: [
    {
      line: 'restore shop.db --yes --json',
      answer: { restored: '/home/ada/shop.db', kept: `${home}/backups/replaced-2026-03-02.db` },
    },
  ],
  ...hostExamples,
  'connections list': [
    { line: 'connections list --json', answer: { connections: [{ ...connection, effectiveExternalClients: 'readOnly' }] } },
  ],
  'connections add': [
    {
      line: 'connections add --driver search --name Shop --host search.example --api-key-env SHOP_KEY --json',
      answer: {
        ...connection,
        warnings: ['The environment variable SHOP_KEY is not set. Set it before the connection is used.'],
      },
    },
  ],
  'connections remove': [{ line: 'connections remove Shop --json', answer: named }],
  'connections rename': [{ line: 'connections rename Store Shop --json', answer: named }],
  'connections forget-host-key': [
    { line: 'connections forget-host-key Shop --json', answer: { server: 'bastion.example:22', forgotten: true } },
  ],
  'connections sign-in': [{ line: 'connections sign-in Shop --way device --json', answer: { ...named, storedIn: 'store' } }],
  'connections sign-out': [{ line: 'connections sign-out Shop --json', answer: { ...named, wasSignedIn: true, revoked: true } }],
  'connections test': [
    {
      line: 'connections test Shop --json',
      answer: {
        ok: true,
        steps: [
          { id: 'tcp', label: 'TCP', outcome: 'ok', message: 'Connected to search.example:443.', milliseconds: 12 },
          { id: 'driver:0', label: 'Key', outcome: 'ok', message: 'The key can read all tables.', milliseconds: 31 },
        ],
      },
    },
  ],
  'connections confirm': [
    { line: 'connections confirm Shop --json', answer: { name: 'Shop', question: null } },
    {
      line: 'connections confirm Shop --to https://new.example --code 0123456789abcdef0123456789abcdef --json',
      answer: { name: 'Shop', confirmed: ['https://new.example'] },
    },
  ],
  'connections export': [
    { line: 'connections export --file shop.json --json', answer: { file: '/home/ada/shop.json', connections: 1 } },
  ],
  'connections import': [
    {
      line: 'connections import shop.json --on-conflict rename --json',
      answer: { connections: [{ index: 0, name: 'Shop 2', outcome: 'renamed', connectionId: connection.id }] },
    },
  ],
  'drivers list': [
    {
      line: 'drivers list --json',
      answer: {
        drivers: [{ ...installed, pinned: false, disabled: false, usedBy: ['Shop'] }],
        catalogues: [{ registry: registry.url, ...catalogue }],
      },
    },
  ],
  'drivers search': [
    {
      line: 'drivers search text --json',
      answer: {
        drivers: [
          {
            id: 'search',
            title: 'Search server',
            tagline: 'Full-text search over JSON documents.',
            category: 'search',
            packageName: '@acme/driver-search',
            state: 'updateAvailable',
            installedVersion: '1.4.0',
            availableVersion: '1.5.0',
          },
        ],
        refreshedAt: '2026-03-02T09:10:00.000Z',
        catalogues: [{ registry: registry.url, ...catalogue }],
      },
    },
  ],
  'drivers install': [
    { line: 'drivers install search --json', answer: { id: 'search', version: '1.4.0', milliseconds: 187, publisher } },
    { line: 'drivers install --file search-1.4.0.tgz --json', answer: installed },
  ],
  'drivers options': [
    {
      line: 'drivers options search --json',
      answer: { options: [{ flags: '--host <text>', description: 'Host (required)' }] },
    },
  ],
  'drivers update': [
    {
      line: 'drivers update --json',
      answer: { updated: [{ id: 'search', version: '1.5.0', openSessions: ['Shop'] }], passedOver: [], failed: [] },
    },
  ],
  'drivers rollback': [{ line: 'drivers rollback search --json', answer: installed }],
  'drivers pin': [{ line: 'drivers pin search 1.4.0 --json', answer: installed }],
  'drivers unpin': [{ line: 'drivers unpin search --json', answer: { id: 'search' } }],
  'drivers enable': [{ line: 'drivers enable search --json', answer: { id: 'search' } }],
  'drivers disable': [{ line: 'drivers disable search --json', answer: { id: 'search' } }],
  'drivers remove': [{ line: 'drivers remove search --json', answer: { id: 'search' } }],
  'drivers unload': [{ line: 'drivers unload search --json', answer: { id: 'search' } }],
  'drivers bundle': [{ line: 'drivers bundle search --json', answer: { file: '/home/ada/search-1.4.0.tgz', bytes: 61_204 } }],
  'drivers load': [
    {
      line: 'drivers load ./my-driver --json',
      answer: {
        ...installed,
        version: '0.0.1',
        publisher: { id: 'developer', name: 'my-driver', fingerprint: '', origin: 'developerFolder' },
        developerFolder: '/home/ada/my-driver',
      },
    },
  ],
  'drivers trust': [
    {
      line: 'drivers trust --json',
      answer: {
        publishers: [{ ...publisher, keyId: fingerprint.replaceAll(' ', ''), addedAt: '2026-03-02T09:13:00.000Z' }],
      },
    },
  ],
  'drivers allow': [{ line: 'drivers allow legacy sqlite files --json', answer: { id: 'legacy', grants: ['sqlite', 'files'] } }],
  'drivers registries list': [{ line: 'drivers registries list --json', answer: { registries: [registry] } }],
  'drivers registries add': [
    {
      line: 'drivers registries add https://registry.example --name Acme --scope @acme --json',
      answer: { registries: [registry] },
    },
  ],
  'drivers registries remove': [
    { line: 'drivers registries remove https://registry.example --json', answer: { registries: [] } },
  ],
  'drivers network': [
    {
      line: 'drivers network --proxy http://proxy.example:3128 --json',
      answer: { offline: false, proxy: 'http://proxy.example:3128', certificateAuthorityFile: '' },
    },
  ],
  'tokens create': [
    {
      line: 'tokens create --name laptop --expires 30d --json',
      answer: { ...token, expiresAt: '2026-04-01T09:15:00.000Z', token: 'tab_…' },
    },
  ],
  'tokens list': [
    {
      line: 'tokens list --json',
      answer: {
        tokens: [
          {
            ...token,
            prefix: 'tab_k7Qm',
            connections: 'all',
            createdAt: '2026-03-02T09:15:00.000Z',
            lastUsedAt: null,
            expiresAt: '2026-04-01T09:15:00.000Z',
            revokedAt: null,
          },
        ],
      },
    },
  ],
  'tokens revoke': [
    {
      line: 'tokens revoke laptop --json',
      answer: { id: token.id, name: token.name, revokedAt: '2026-03-05T18:00:00.000Z' },
    },
  ],
  'mcp config': [
    {
      line: 'mcp config --client vscode --json',
      answer: {
        client: 'vscode',
        title: 'VS Code',
        format: 'json',
        key: 'servers',
        file: '/home/ada/.config/Code/User/mcp.json',
        entry: { type: 'stdio', command: '/opt/tabularium/tabularium-mcp' },
        text: '{\n  "servers": {\n    "tabularium": {\n      "type": "stdio",\n      "command": "/opt/tabularium/tabularium-mcp"\n    }\n  }\n}\n',
      },
    },
    {
      line: 'mcp config --client vscode --write --yes --json',
      answer: { client: 'vscode', file: '/home/ada/.config/Code/User/mcp.json', diff: '', backup: null, changed: false },
    },
  ],
  'mcp check': [
    {
      line: 'mcp check --json',
      answer: { bridge: '/opt/tabularium/tabularium-mcp', ok: true, tools: ['list_connections'], milliseconds: 143 },
    },
  ],
  'integrations register-url': [
    {
      line: 'integrations register-url --json',
      answer: { state: 'registered', file: '/home/ada/.local/share/applications/tabularium-url.desktop' },
    },
  ],
  'integrations unregister-url': [{ line: 'integrations unregister-url --json', answer: { state: 'unchanged' } }],
  tables: [
    {
      line: 'tables Shop --json',
      answer: {
        tables: [
          { name: 'products', rows: 1_204 },
          { name: 'events', rows: 90_000_000, estimated: true },
        ],
      },
    },
    {
      line: 'tables Shop --json',
      answer: {
        tables: [],
        namedTables: [{ name: 'products', openedByName: true }],
        findings: [
          {
            label: 'Tables',
            outcome: 'warning',
            message: 'The key may not list tables. Open a table by its name.',
          },
        ],
      },
    },
  ],
  query: [
    {
      line: `query Shop 'GET /collections/products/documents/1' --json`,
      answer: { json: { id: '1', name: 'Chair' }, truncated: false, status: '200 OK', milliseconds: 4.3 },
    },
  ],
  ...searchExamples,
  ...structureExamples,
  'operations list': [
    {
      line: 'operations list Shop --table products --json',
      answer: {
        operations: [
          {
            ...{ operation: 'reindex', label: 'Reindex and swap', effect: 'write', resumable: true, allowed: true },
            help: 'Makes a new collection of a changed schema and leads the aliases there.',
          },
        ],
      },
    },
  ],
  'operations form': [
    {
      line: 'operations form Shop delete-by-query --table products --json',
      answer: { operation: 'delete-by-query', input: '{"filter":""}', presets: [] },
    },
  ],
  'operations plan': [
    {
      line: 'operations plan Shop delete-by-query filter.json --table products --json',
      answer: {
        operation: 'delete-by-query',
        effect: 'destructive',
        consequence: '12 documents of “products_2026” are found by the filter now.',
        steps: [
          {
            title: 'Delete documents of products_2026',
            statements: ['DELETE FROM products_2026 WHERE NOT in_stock'],
          },
        ],
        confirm: 'products_2026',
        rows: 12,
        affected: [{ table: 'products_2026', becomes: 'changed' }],
      },
    },
  ],
  'operations run': [
    {
      line: 'operations run Shop delete-by-query filter.json --table products --yes --confirm products_2026 --json',
      answer: {
        ...{ run: operationRun, operation: 'delete-by-query', connection: connection.id, state: 'done' },
        ...{ message: 'Deleted 12 documents of “products_2026”.', affectedRows: 12, rejected: 0, canResume: false },
      },
    },
  ],
  'operations runs': [
    {
      line: 'operations runs --json',
      answer: {
        runs: [
          {
            ...{ run: operationRun, operation: 'reindex', connection: connection.id, state: 'interrupted' },
            ...{ rejected: 0, canResume: true },
          },
        ],
      },
    },
  ],
  'operations resume': [
    {
      line: `operations resume ${operationRun} --json`,
      answer: {
        ...{ run: operationRun, operation: 'reindex', connection: connection.id, state: 'done', rejected: 0, canResume: false },
        message: '“products” leads to “products_2026-11-25” with 200,000 documents. “products_2026” is kept until you delete it.',
        ...{ affectedRows: 200_000, undo: 'Move products back' },
      },
    },
  ],
  'operations leave': [{ line: `operations leave ${operationRun} --json`, answer: { left: operationRun } }],
  'operations undo': [
    {
      line: `operations undo ${operationRun} --json`,
      answer: {
        ...{ run: operationRun, operation: 'move-aliases', connection: connection.id, state: 'done' },
        ...{ message: 'Moved: products → products_2026.', rejected: 0, canResume: false, undo: 'Move products back' },
      },
    },
  ],
  'objects kinds': [
    {
      line: 'objects kinds Shop --json',
      answer: {
        kinds: [
          {
            ...{ kind: 'alias', name: 'Aliases', scope: 'server', canSave: true, canRemove: true },
            help: 'A second name for a collection.',
          },
          {
            ...{ kind: 'synonym', name: 'Synonyms', scope: 'table', canSave: true, canRemove: true },
            help: 'Words that a search takes for each other.',
          },
        ],
      },
    },
  ],
  'objects list': [
    {
      line: 'objects list Shop synonym --table products --json',
      answer: { kind: 'synonym', objects: [{ name: 'sofas', facts: { synonyms: 'sofa, couch' } }] },
    },
  ],
  'objects get': [
    {
      line: 'objects get Shop synonym sofas --table products --json',
      answer: { name: 'sofas', document: '{"root":"","synonyms":["sofa","couch"]}' },
    },
  ],
  'objects save': [
    {
      line: 'objects save Shop alias shop alias.json --replace --json',
      answer: {
        name: 'shop',
        consequence: 'The alias “shop” leads to the collection “products_2” instead of “products_1”.',
        requests: [{ method: 'PUT', path: '/aliases/shop', body: '{"collection_name":"products_2"}' }],
        done: true,
      },
    },
  ],
  'objects remove': [
    {
      line: 'objects remove Shop preset old --yes --json',
      answer: {
        ...{ name: 'old', consequence: 'The preset “old” is removed.', done: true },
        requests: [{ method: 'DELETE', path: '/presets/old' }],
      },
    },
  ],
  ...activityExamples,
  'copy-plan': [
    {
      line: 'copy-plan Shop products Archive products --json',
      answer: {
        ...{ rows: 1_200, rowsThere: 0, mode: 'create', request: 'INSERT INTO main."products" ("id", "name") VALUES (?, ?)' },
        ...{ asText: [], problems: [], confirm: 'products' },
      },
    },
  ],
  copy: [
    {
      line: 'copy Shop products Archive --create --json',
      answer: { read: 1_200, written: 1_200, rejected: 0 },
    },
  ],
  import: [
    {
      line: 'import Shop products --file products.csv --mode upsert --rejected rejected.jsonl --json',
      answer: { read: 1_200, written: 1_198, rejected: 2 },
    },
  ],
  'objects export': [
    {
      line: 'objects export Shop synonym --table products --output synonyms.json --json',
      answer: { file: '/home/ada/synonyms.json', objects: 12 },
    },
  ],
  'objects import': [
    {
      line: 'objects import Shop synonym synonyms.json --table products --json',
      answer: {
        ...{ added: ['sofas'], changed: ['lamps'], same: ['desks'], done: true },
        failed: [{ name: 'chairs', message: 'The document has no “synonyms” (Synonyms).' }],
      },
    },
  ],
  'relevance list': [
    {
      line: 'relevance list --json',
      answer: {
        sets: [
          {
            ...{ id: '6f7c0c1e-52c5-4b0e-8d46-0d2a9b1c7e55', name: 'Everyday words', connection: 'Shop' },
            ...{ table: 'products', queries: 40, judgments: 312 },
          },
        ],
      },
    },
  ],
  'relevance run': [
    {
      line: 'relevance run "Everyday words" --fail-below 0.8 --json',
      answer: {
        ...{ set: 'Everyday words', connection: 'Shop', depth: 10, relevantFrom: 1, queries: 1 },
        configurations: [
          {
            ...{ name: 'default', ndcg: 0.83, reciprocalRank: 1, precision: 0.2, recall: 0.5 },
            ...{ measured: 1, zeroResults: 0, failed: 0, unjudged: 8, hits: 10, overlap: null },
          },
        ],
        perQuery: [
          {
            query: 'oak table',
            metrics: [{ ndcg: 0.83, reciprocalRank: 1, precision: 0.2, recall: 0.5, found: 12, unjudged: 8, overlap: null }],
          },
        ],
        ok: true,
      },
    },
  ],
  'relevance export': [
    {
      line: 'relevance export "Everyday words" --output words.csv --format csv --json',
      answer: { file: '/home/ada/words.csv', queries: 40, judgments: 312 },
    },
  ],
  'relevance import': [
    {
      line: 'relevance import Shop products words.csv --name "Everyday words" --json',
      answer: {
        ...{ set: 'Everyday words', id: '6f7c0c1e-52c5-4b0e-8d46-0d2a9b1c7e55', merged: true },
        ...{ queries: 40, judgments: 312 },
      },
    },
  ],
  'relevance recorded': [
    {
      line: 'relevance recorded Shop products --without-hits --into "Everyday words" --json',
      answer: {
        ...{ recordings: ['no hits'], found: 2 },
        queries: [
          { text: 'oak tabel', count: 31 },
          { text: 'hammock', count: 4, filter: 'color:=red' },
        ],
        set: { id: '6f7c0c1e-52c5-4b0e-8d46-0d2a9b1c7e55', name: 'Everyday words', added: 2 },
      },
    },
  ],
  'relevance differences': [
    {
      line: 'relevance differences "Everyday words" --second "No typos" --json',
      answer: {
        ...{ set: 'Everyday words', depth: 10, first: 'default', second: 'No typos' },
        queries: [{ text: 'oak tabel', found: [12, 0], overlap: 0, shared: 0, moved: 0, gained: 0, lost: 10 }],
      },
    },
  ],
  rows: [
    {
      line: 'rows Shop products --limit 2 --sort price:desc --columns id,name,price --json',
      answer: {
        columns: ['id', 'name', 'price'],
        rows: [
          ['7', 'Table', 249.5],
          ['1', 'Chair', 89],
        ],
        total: 1_204,
      },
    },
  ],
  export: [
    {
      line: 'export Shop products --format jsonl --output products.jsonl --json',
      answer: {
        rows: 1_204,
        bytes: 310_442,
        bytesPerSecond: 9_800_000,
        milliseconds: 32,
        expected: { rows: 1_204, exact: true },
        file: '/home/ada/products.jsonl',
        format: 'jsonl',
        table: 'products',
      },
    },
  ],
};
