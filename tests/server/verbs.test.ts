import { startSandbox } from '@tabularium/sandbox';
import { expect, it } from 'vitest';
import { ADMIN_KEY, open } from '../../drivers/search/src/fixture.test-helper.ts';
import { checkVerbs } from './verbs.ts';

it.each(['29.0'] as const)('the classifier holds against the sample server %s', { timeout: 1_800_000 }, async (version) => {
  await using sandbox = await startSandbox({ version, apiKey: ADMIN_KEY });
  const session = await open(sandbox);
  try {
    const { wrong, ...counts } = await checkVerbs(
      session,
      async (method, path, body) => {
        const headers = { 'x-typesense-api-key': ADMIN_KEY };
        const response = await fetch(`${sandbox.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
        return { status: response.status, text: await response.text() };
      },
      'check-',
    );
    expect(wrong).toEqual([]);
    // Empty segments and the rest are real spellings there too: without them the check would hold nothing.
    expect(counts.lossesSeen).toBeGreaterThan(60);
    expect(counts.changesSeen).toBeGreaterThan(30);
  } finally {
    await session.close();
  }
});
