import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCLI } from 'vitest/node';
import { root } from '../paths.ts';
import { PAGE_TESTS, pageTestArguments } from './pageTests.ts';

it.each([true, false])('vitest runs every page test (update: %s)', (update) => {
  expect(parseCLI(['vitest', ...pageTestArguments(update)]).filter).toEqual(PAGE_TESTS);
});

it('every page test is a file', () => {
  expect(PAGE_TESTS.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
