import { expect, it } from 'vitest';
import { apiBlocks, commandBlocks, driverBlocks, mcpBlocks } from '../support/blockFuzz.ts';
import type { Block } from '../support/blockFuzz.ts';

// The longest time that one call keeps the event loop from turning, whatever it is sent.

const SIZE = 1_000_000;
const MOST_MILLISECONDS = 100;
const PATIENT = { timeout: 3_600_000 };

async function slow(blocks: AsyncIterable<Block>): Promise<readonly Block[]> {
  const found: Block[] = [];
  for await (const block of blocks) if (block.milliseconds > MOST_MILLISECONDS) found.push(block);
  return found;
}

it('no MCP method blocks the host', PATIENT, async () => {
  expect(await slow(mcpBlocks(SIZE, MOST_MILLISECONDS))).toEqual([]);
});

it('no procedure of the API blocks the host', PATIENT, async () => {
  expect(await slow(apiBlocks(SIZE, MOST_MILLISECONDS))).toEqual([]);
});

it('no command blocks the host', PATIENT, async () => {
  expect(await slow(commandBlocks(SIZE, MOST_MILLISECONDS))).toEqual([]);
});

it('no message of a driver blocks the host', PATIENT, async () => {
  expect(await slow(driverBlocks(SIZE, MOST_MILLISECONDS))).toEqual([]);
});
