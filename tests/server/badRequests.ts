/**
 * Makes the calls of `bad-requests.json` through the driver's console, and writes down what a person reads. The server has to be new and empty,
 * and its bootstrap key the one that the recordings name.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isDriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { keyHeaders } from '../../drivers/search/src/fixture.test-helper.ts';
import { driver } from '../../drivers/search/src/index.ts';
import { root } from '../../scripts/paths.ts';
import { readRecordings, recordingSets } from '../sandbox/src/index.ts';
import type { Recording } from '../sandbox/src/index.ts';
import { badRequestsFile } from './badRequestsFile.ts';
import type { ReadError } from './badRequestsFile.ts';

const { url, version } = parseArgs({ options: { url: { type: 'string' }, version: { type: 'string' } } }).values;
if (url === undefined || version === undefined) {
  console.error('Usage: node --conditions=tabularium:source tests/server/badRequests.ts --url URL --version 29.0|30.0-dev');
  process.exit(2);
}

const { signal } = new AbortController();
const sessions = new Map<string, { readonly session: Session; readonly http: TestHttp }>();

async function sessionOf(key: string): Promise<Session> {
  const known = sessions.get(key);
  if (known !== undefined) return known.session;
  const http = createTestHttp(url ?? '', { credentials: keyHeaders(key) });
  const session = await driver.definition.connect({}, { http, log: () => undefined }, { signal });
  sessions.set(key, { session, http });
  return session;
}

const statementOf = ({ method, path, body = '' }: Recording): string => `${method} ${path}${body === '' ? '' : `\n${body}`}`;

async function readError(recording: Recording): Promise<ReadError | undefined> {
  const { console: requests } = await sessionOf(recording.key ?? '');
  if (requests === undefined) throw new Error('The driver has no console.');
  try {
    for await (const event of requests.run(statementOf(recording), { maxRows: 1_000, signal })) void event;
    return undefined;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const { n, group } = recording;
    return { n, asked: `${group}: ${recording.case}`, code: error.code, message: error.message, advice: error.advice };
  }
}

const set = recordingSets.find(({ file }) => file.pathname.endsWith('/bad-requests.json'));
if (set === undefined) throw new Error('There are no recordings of bad requests.');
const read: ReadError[] = [];
for (const recording of readRecordings(set)) {
  const error = await readError(recording);
  if (error !== undefined) read.push(error);
}
for (const { session, http } of sessions.values()) {
  await session.close();
  http.close();
}
const file = join(root, badRequestsFile(version));
writeFileSync(file, `[\n${read.map((error) => JSON.stringify(error)).join(',\n')}\n]\n`);
console.log(`${read.length} errors written to ${badRequestsFile(version)}.`);
