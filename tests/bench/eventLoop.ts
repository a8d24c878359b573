import { apiBlocks, commandBlocks, driverBlocks, mcpBlocks } from '../support/blockFuzz.ts';
import type { Budget } from './budget.ts';
import { atMost } from './budget.ts';

const SIZE = 1_000_000;
const LIMIT = 100;
/** Each third case: with all of them this took longer than all other measurements. tests/security/fuzz.long.test.ts tries each. */
const STEP = 3;

/** The longest block of the event loop under the fuzz of MCP, API, commands and driver messages: a third of its cases. */
export async function eventLoopBudget(): Promise<readonly Budget[]> {
  let longest = 0;
  for (const blocksOf of [mcpBlocks, apiBlocks, commandBlocks, driverBlocks]) {
    for await (const { name, milliseconds } of blocksOf(SIZE, LIMIT, STEP)) {
      if (milliseconds > LIMIT) process.stderr.write(`${name} blocks the event loop for ${Math.round(milliseconds)} ms\n`);
      longest = Math.max(longest, milliseconds);
    }
  }
  return [atMost('event loop: longest block under the MCP and API fuzz', longest, LIMIT, 'milliseconds')];
}
