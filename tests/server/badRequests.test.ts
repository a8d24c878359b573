import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namingVersion } from '../../drivers/search/src/console/otherVersion.ts';
import { parseRequest } from '../../drivers/search/src/console/request.ts';
import { requestLine, serverError, serverWords } from '../../drivers/search/src/serverErrors.ts';
import { root } from '../../scripts/paths.ts';
import { isDriverError } from '../../sdk/src/index.ts';
import { answerFor, readRecordings, recordingSets } from '../sandbox/src/index.ts';
import { badRequestsFile } from './badRequestsFile.ts';
import type { ReadError } from './badRequestsFile.ts';

const recordings = recordingSets.filter(({ file }) => file.pathname.endsWith('/bad-requests.json')).flatMap(readRecordings);

/** Their texts depend on what the key has done before. */
const KEYS = 'ACCESS_REFUSED';
/** An advice that an error of a known text never needs. */
const GENERAL = /^(?:Fix the value named in the message\.|Read the server's message in the details\.)$/;

describe.each([
  ['29.0', '29.0'],
  ['30.0-dev', '30.0'],
] as const)('what a person reads of bad requests to a real server of %s', (build, version) => {
  const read = JSON.parse(readFileSync(join(root, badRequestsFile(build)), 'utf8')) as ReadError[];

  it('is of hundreds of errors, and says what to do for each', () => {
    expect(read.length).toBeGreaterThan(250);
    const vague = read.filter(({ advice }) => GENERAL.test(advice));
    expect(vague.map(({ n, asked, message }) => `#${n} ${asked}: ${message}`)).toEqual([]);
  });

  it('is what the driver makes of the recorded answers today', () => {
    for (const recording of recordings) {
      const answer = answerFor(recording, version);
      const found = read.find(({ n }) => n === recording.n);
      if (answer === undefined || answer.status < 400) {
        if (answer !== undefined && found !== undefined) expect(found.code).toBe('INVALID_INPUT');
        continue;
      }
      const line = requestLine(recording.method, recording.path);
      const error = serverError(answer.status, serverWords(answer.body), line);
      if (error.code === KEYS) {
        expect(found?.code).toBe(KEYS);
        continue;
      }
      const named = namingVersion(error, parseRequest(`${recording.method} ${recording.path}`), build);
      if (!isDriverError(named)) throw new Error('It is an error of the driver.');
      expect(found).toMatchObject({ n: recording.n, code: named.code, message: named.message, advice: named.advice });
    }
  });
});
