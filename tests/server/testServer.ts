import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createTestHttp } from '@tabularium/sdk/testing';
import { driver } from '../../drivers/search/src/index.ts';
import { checkVerbs } from './verbs.ts';

// Usage: npm run test:server -- --url URL --api-key-env VAR [--report FILE]. Holds the search driver to a real server. The key must be allowed
// to do everything. It adds collections, aliases, presets, stopwords and keys whose names begin with "tabularium-check-", and removes them.
// Ends with 1 when a check fails.

const { values } = parseArgs({
  options: { url: { type: 'string' }, 'api-key-env': { type: 'string' }, report: { type: 'string' } },
});
const { url, 'api-key-env': variable, report } = values;
const key = variable === undefined ? undefined : process.env[variable];
if (url === undefined || key === undefined || key === '') {
  console.error('Usage: npm run test:server -- --url URL --api-key-env VAR [--report FILE]. The variable VAR holds the key.');
  process.exit(2);
}
const { origin, hostname } = new URL(url);
const http = createTestHttp(origin, { credentials: { 'X-TYPESENSE-API-KEY': key, 'X-SEARCH-API-KEY': key } });
const session = await driver.definition.connect(
  { host: hostname },
  { http, log: () => undefined },
  { signal: AbortSignal.timeout(30_000) },
);
try {
  const verbs = await checkVerbs(session, async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { 'x-typesense-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  });
  const result = { url: origin, version: session.server.version ?? 'unknown', checks: [{ name: 'verbs', ...verbs }] };
  if (report !== undefined) writeFileSync(report, `${JSON.stringify(result, null, 2)}\n`);
  const { wrong, ...counts } = verbs;
  console.log(`${origin} (${result.version}): verbs: ${JSON.stringify(counts)}, ${wrong.length} wrong`);
  for (const line of wrong) console.log(`  ${JSON.stringify(line)}`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await session.close();
  http.close();
}
