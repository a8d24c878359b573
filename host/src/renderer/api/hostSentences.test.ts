import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsValues, TestStep } from '../../common/connection.ts';
import { HostError, originOf } from '../../common/errors.ts';
import { checkSettings } from '../../common/formValues.ts';
import { HOST_SENTENCES, englishOf, hostSentence, sentenceIn } from '../../common/hostSentences.ts';
import type { HostSentenceId } from '../../common/hostSentences.ts';
import { readConnectionFile } from '../../runtime/connections/connectionFile.ts';
import { ConnectionTest } from '../../runtime/data/connectionTest.ts';
import type { ConnectionTestParts } from '../../runtime/data/connectionTest.ts';
import { testGrant } from '../../runtime/drivers/broker/broker.test-helper.ts';
import { connectionSentence } from '../../runtime/drivers/broker/connectionErrors.ts';
import { probeOrigin } from '../../runtime/drivers/broker/probeOrigin.ts';
import { DriverPolicy, policySchema } from '../../runtime/drivers/policy/driverPolicy.ts';
import { contractFault } from '../../runtime/drivers/registry/contractFault.ts';
import { labelOf, messageOf } from '../connections/testSteps.ts';
import { de } from '../i18n/de/index.ts';
import { en } from '../i18n/en/index.ts';
import { speakWords } from '../i18n/index.ts';
import { textInWindowLanguage } from './inWindowLanguage.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const ids = Object.keys(HOST_SENTENCES) as HostSentenceId[];
const ENGLISH =
  /\b(?:the|of|and|is|are|isn't|not|to|with|this|that|you|your|from|for|or|has|have|must|enter|skipped|server's|driver|connection|value)\b/i;

const namesIn = (template: string): readonly string[] =>
  [...template.matchAll(/\{(\w+)(?::lower)?\}/gu)].map(([, name]) => String(name));

/** A sentence with a mark for each of its values. */
function marked(id: HostSentenceId): { readonly id: HostSentenceId; readonly values: Record<string, string> } {
  return { id, values: Object.fromEntries(namesIn(HOST_SENTENCES[id]).map((name) => [name, `zebra-${name}`])) };
}

describe('the German sentences of the host', () => {
  it.each(ids)('%s has the values of the English one and no English word', (id) => {
    const text = sentenceIn(de.errors.sentences, marked(id));
    expect(namesIn(de.errors.sentences[id]).toSorted()).toEqual(namesIn(HOST_SENTENCES[id]).toSorted());
    expect(text).not.toMatch(/[{}]/u);
    expect(text.replaceAll(/zebra-\w+/gu, 'X')).not.toMatch(ENGLISH);
  });

  it('differ from each other where the English ones do', () => {
    expect(new Set(ids.map((id) => de.errors.sentences[id])).size).toBe(ids.length);
  });
});

describe('a value of a sentence', () => {
  it('is never searched for braces itself', () => {
    expect(englishOf(hostSentence('serverNotHttp', { address: '{address}' }))).toBe(
      '{address} did not answer as an HTTP server does.',
    );
  });

  it('may be a sentence, which is translated too', () => {
    const sentence = hostSentence('policyKernelRequired', { reason: hostSentence('kernelNoLandlock') });
    expect(sentenceIn(de.errors.sentences, sentence)).toMatch(/hier nicht gibt\. Diesem Kernel fehlt Landlock/);
  });
});

const manifest = plainManifest({
  connection: {
    fields: [
      { id: 'text', label: 'Feld', type: 'text', required: true, maxLength: 3 },
      { id: 'number', label: 'Feld', type: 'number', min: 1, max: 9, integer: true },
      { id: 'toggle', label: 'Feld', type: 'toggle', default: false },
      { id: 'select', label: 'Feld', type: 'select', options: [{ value: 'a', label: 'A' }] },
      { id: 'file', label: 'Feld', type: 'file', readBy: 'host' },
      { id: 'secret', label: 'Feld', type: 'secret', required: true },
    ],
  },
  reading: { maxSorts: 0 },
});

const WRONG: readonly SettingsValues[] = [
  {},
  { text: 'abcd', number: 'x', toggle: 'x', select: 'b', file: 1, other: 1 },
  { text: 1, number: 1.5 },
  { number: 0 },
  { number: 10 },
  { text: 'a\r\nb', file: 'a\u0000' },
];

const WRONG_FILES: readonly unknown[] = [
  '{',
  '{"a" 1}',
  '[]',
  { format: 'tabularium-connections', version: 2, connections: [] },
  { format: 'tabularium-connections', version: 1, connections: Array.from({ length: 10_001 }, () => ({})) },
  {
    format: 'tabularium-connections',
    version: 1,
    connections: [
      1,
      {},
      { name: 'n'.repeat(500), driver: '', settings: { a: [] }, access: { aiPolicy: 'maybe' }, unknown: 1 },
      { name: 'A', driver: 'x', settings: {}, secretsFromEnvironment: { a: 'not a name' }, color: 'mauve' },
    ],
  },
];

/** Steps of Test Connection with a driver that is missing, and with parts that fail later. */
function connectionTest(more: object): AsyncGenerator<TestStep> {
  const driver = { manifest, version: '1.0.0' };
  const parts = {
    drivers: { ensureInstalled: async () => driver },
    secrets: { resolveInput: async () => ({}) },
    probe: { probe: () => [] },
    connector: {
      connect: async () => {
        throw new HostError('TOKEN_UNKNOWN');
      },
    },
    ...more,
  } as unknown as ConnectionTestParts;
  const input = { name: 'X', driver: 'x', settings: {}, secrets: {} };
  return new ConnectionTest(parts).run(input as never, undefined, new AbortController().signal);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a window that speaks German', () => {
  beforeAll(() => speakWords(de));
  afterAll(() => speakWords(en));

  it('shows no English in what is wrong with a form', () => {
    const problems = WRONG.flatMap((settings) => checkSettings(manifest, settings, new Set()));
    expect(new Set(problems.map(({ sentence }) => sentence.id)).size).toBe(12);
    for (const { sentence } of problems) {
      const { message, ...origin } = { message: englishOf(sentence), ...originOf(new HostError('INVALID_REQUEST', sentence)) };
      expect(textInWindowLanguage(message, origin)).not.toMatch(ENGLISH);
    }
  });

  it('shows no English in what is wrong with a file of connections', () => {
    const problems = WRONG_FILES.map((file) => (typeof file === 'string' ? file : JSON.stringify(file)))
      .map(readConnectionFile)
      .flatMap((file) => [...file.problems, ...file.connections.flatMap((connection) => connection.problems)]);
    expect(new Set(problems.map(({ sentence }) => sentence.id)).size).toBeGreaterThan(7);
    for (const { message, sentence } of problems) {
      // The parser's own report is quoted, and a value of the file has the path that leads to it.
      const shown = textInWindowLanguage(message, { sentence }).replace(/„[^“]*“/u, '');
      expect(shown.replace(/^[\w.]+: /u, '')).not.toMatch(ENGLISH);
    }
  });

  it('shows no English in the lines of Test Connection', async () => {
    const port = await freePort();
    const { signal } = new AbortController();
    const steps = [
      ...(await all(connectionTest({}))),
      ...(await all(
        connectionTest({
          secrets: {
            resolveInput: async () => {
              throw new HostError('SECRET_MISSING');
            },
          },
        }),
      )),
      ...(await all(
        connectionTest({
          drivers: {
            ensureInstalled: async () => {
              throw new HostError('DRIVER_NOT_COMPATIBLE', contractFault('Version 2.0.0', '^99.0'));
            },
          },
        }),
      )),
      ...(await all(probeOrigin(testGrant({ scheme: 'https', host: '127.0.0.1', port }), signal))),
    ];
    expect(new Set(steps.map(({ outcome }) => outcome))).toEqual(new Set(['running', 'ok', 'failed', 'skipped']));
    for (const step of steps) expect(`${labelOf(step)}: ${messageOf(step, manifest)}`).not.toMatch(ENGLISH);
    expect(steps.map((step) => messageOf(step, manifest))).toContain(
      `Unter 127.0.0.1:${port} nimmt kein Server Verbindungen an. ${de.errors.kinds.CONNECTION_REFUSED.advice}`,
    );
  });

  it.each([
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ETIMEDOUT',
    'UND_ERR_BODY_TIMEOUT',
    'ECONNRESET',
    'CERT_HAS_EXPIRED',
    'EPROTO',
  ])('shows no English for a server that fails with %s', (code) => {
    const grant = testGrant({ scheme: 'https', host: '127.0.0.1', port: 1 });
    const sentence = connectionSentence(Object.assign(new Error('x'), { code }), grant);
    if (sentence === undefined) throw new Error('The failure has a sentence.');
    expect(textInWindowLanguage(englishOf(sentence), { sentence })).not.toMatch(ENGLISH);
  });

  it("shows no English of the administrator's policy", async () => {
    const rules = [
      { registries: [], drivers: [], publishers: [], widerGrants: [], offline: true, developerFolders: false },
      { registries: ['https://r.example'], drivers: ['x'], widerGrants: ['files'], requireKernelWall: true },
    ];
    for (const rule of rules) {
      const policy = new DriverPolicy(async () => policySchema.parse({ formatVersion: 1, ...rule }));
      const sentences = await policy.sentences();
      expect(sentences.length).toBeGreaterThan(3);
      for (const sentence of sentences) expect(textInWindowLanguage(englishOf(sentence), { sentence })).not.toMatch(ENGLISH);
    }
  });

  it('shows a text without an origin, or of a code that it lacks, as it came', () => {
    expect(textInWindowLanguage('New.', undefined)).toBe('New.');
    expect(textInWindowLanguage('New.', { code: 'FROM_A_NEWER_HOST' })).toBe('New.');
    expect(textInWindowLanguage('New.', { sentence: { id: 'fromANewerHost' as HostSentenceId, values: {} } })).toBe('New.');
  });
});
