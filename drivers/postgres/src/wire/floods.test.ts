import { spawn } from 'node:child_process';
import type { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../../../../scripts/testing/shareOf.ts';
import { FLOODED_MOMENTS, FLOODS, LARGE_FLOODS, floodingServer } from './floods.test-helper.ts';
import type { FloodOutcome } from './floodedProcess.test-helper.ts';

// One process serves all connections of a driver: what one server sends must end neither it nor the time of the others.

/** Megabytes, as a driver's process has. */
const HEAP = 256;
/**
 * Megabytes that the process may have in memory at any time: its program, what is kept, and what isn't collected yet. On a quiet machine it has 490, on a busy one, where the collector comes later, up to 670; without bounds it is
 * 1,500 and more, or its end.
 */
const RESIDENT = 900;
/** Milliseconds; other tests run beside this one. */
const LONGEST_PAUSE = 8_000;
/** Milliseconds in which a flood ends that is cancelled after one and a half seconds; a server that doesn't heed it has three more, and other tests run beside. */
const CANCELLED_WITHIN = 15_000;

let server: Server | undefined;
let port = 0;
beforeAll(async () => {
  ({ server, port } = await floodingServer());
});
afterAll(() => {
  server?.close();
});

async function outcomesOf(
  floods: readonly string[],
): Promise<{ readonly outcomes: readonly FloodOutcome[]; readonly end: string }> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=tabularium:source',
      '--no-warnings',
      `--max-old-space-size=${HEAP}`,
      fileURLToPath(new URL('floodedProcess.test-helper.ts', import.meta.url)),
      String(port),
      ...floods,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [printed, said] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (printed += data.toString('utf8')));
  child.stderr.on('data', (data: Buffer) => (said += data.toString('utf8')));
  const code = await new Promise<number | string | null>((resolve) =>
    child.once('close', (exit, signal) => resolve(exit ?? signal)),
  );
  const outcomes = printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FloodOutcome);
  return { outcomes, end: code === 0 ? '' : `${code}: ${said.slice(-2_000)}` };
}

describe.each(FLOODED_MOMENTS)('a flood at the moment "%s"', (moment) => {
  const kinds = shareOf(Object.keys(FLOODS), { of: 3, at: FLOODED_MOMENTS.indexOf(moment) });

  it('ends its own connection alone, whatever it consists of', async () => {
    const floods = kinds.map((kind) => `${kind}/${moment}`);
    const { outcomes, end } = await outcomesOf(floods);
    expect(end, `after ${outcomes.at(-1)?.flood ?? 'the start'}`).toBe('');
    expect(outcomes.map(({ flood }) => flood)).toEqual(floods);
    for (const { flood, codes, messages, milliseconds, longestPause, otherAnswers } of outcomes) {
      if (codes.includes('CANCELLED')) expect(milliseconds, flood).toBeLessThan(CANCELLED_WITHIN);
      expect(codes, `${flood}: ${messages.join()}`).not.toContain('DRIVER_FAULT');
      expect(codes, `${flood}: ${messages.join()}`).not.toContain('foreign');
      expect(longestPause, flood).toBeLessThan(LONGEST_PAUSE);
      expect(otherAnswers, flood).toBeGreaterThan(0);
    }
  });
});

it('ends floods on several connections at once, in the memory of one process', async () => {
  const { outcomes, end } = await outcomesOf([
    '5*rows of many short values/batch',
    '5*rows of a byte/batch',
    '5*rows of wide characters/batch',
  ]);
  expect(end).toBe('');
  for (const { codes, messages } of outcomes) {
    expect(new Set(codes)).toEqual(new Set(['TOO_LARGE']));
    for (const text of messages) expect(text).toContain(`127.0.0.1:${port}`);
  }
});

it('keeps the beginning of huge notices alone, on five connections whose answers come to their end', async () => {
  const { outcomes, end } = await outcomesOf(['5*notices of 30 MB/ended']);
  expect(end).toBe('');
  for (const { flood, codes, messages, resident } of outcomes) {
    expect(new Set(codes), `${flood}: ${messages.join()}`).toEqual(new Set(['none']));
    expect(resident, flood).toBeLessThan(RESIDENT);
  }
});

it.each(['batch', 'stream'] as const)(
  'bounds what large messages take on five connections at once, at the moment "%s", in the heap and outside of it',
  async (moment) => {
    const floods = Object.keys(LARGE_FLOODS).map((kind) => `5*${kind}/${moment}`);
    const { outcomes, end } = await outcomesOf(floods);
    expect(end, `after ${outcomes.at(-1)?.flood ?? 'the start'}`).toBe('');
    expect(outcomes.map(({ flood }) => flood)).toEqual(floods);
    for (const { flood, codes, messages, longestPause, resident } of outcomes) {
      expect(codes, `${flood}: ${messages.join()}`).not.toContain('DRIVER_FAULT');
      expect(codes, `${flood}: ${messages.join()}`).not.toContain('foreign');
      expect(codes, flood).not.toContain('none');
      for (const [index, code] of codes.entries())
        if (code === 'TOO_LARGE') expect(messages[index]).toContain(`127.0.0.1:${port}`);
      expect(longestPause, flood).toBeLessThan(LONGEST_PAUSE);
      expect(resident, flood).toBeLessThan(RESIDENT);
    }
  },
);
