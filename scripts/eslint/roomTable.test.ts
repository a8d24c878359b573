import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { isTestFile } from './floorTable.ts';
import { roomLists, roomOf } from './roomTable.ts';

const sources = (floor: string): string[] =>
  globSync(`${floor}/**/*.{ts,tsx}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isTestFile(file));

describe.each(roomLists)('the rooms of $floor', ({ floor, rooms }) => {
  it('cover every source file', () => {
    expect(sources(floor).length).toBeGreaterThan(100);
    expect(sources(floor).filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('hold at least two files each', () => {
    const files = sources(floor).map((file) => roomOf(file)?.name);
    expect(rooms.filter((room) => files.filter((name) => name === room).length < 2)).toEqual([]);
  });
});

describe('roomOf', () => {
  it('takes the longest folder, and puts the files of the floor itself last', () => {
    expect(roomOf('host/src/runtime/drivers/trust/trustStore.ts')?.name).toBe('drivers/trust');
    expect(roomOf('host/src/runtime/drivers/driverUse.ts')?.name).toBe('drivers');
    expect(roomOf('host/src/runtime/composition.ts')?.name).toBe('(floor)');
    expect(roomOf('host/src/runtime/unknown/file.ts')).toBeUndefined();
    expect(roomOf('host/src/common/errors.ts')).toBeUndefined();
  });
});
