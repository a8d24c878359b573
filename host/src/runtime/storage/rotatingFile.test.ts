import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile } from './rotatingFile.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-rotation-'));
  path = join(folder, 'host.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BYTES = 1_000;
function fileOf(olderFiles: number): RotatingFile {
  const file = new RotatingFile(path);
  file.limit({ bytes: BYTES, olderFiles });
  return file;
}
const line = (letter: string, length = 400): string => `${letter.repeat(length)}\n`;
const letters = (name: string): string =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map(([letter]) => letter)
    .join('');

describe('RotatingFile', () => {
  it('rotates around a folder that has the name of an older file, and leaves it', async () => {
    mkdirSync(`${path}.1`);
    writeFileSync(join(`${path}.1`, 'own'), 'somebody else');
    const file = fileOf(2);
    for (const letter of 'abcdefg') await file.append(line(letter));
    expect(readdirSync(folder).sort()).toEqual(['host.log', 'host.log.1', 'host.log.2', 'host.log.3']);
    expect(readFileSync(join(`${path}.1`, 'own'), 'utf8')).toBe('somebody else');
    expect([letters('host.log.3'), letters('host.log.2'), letters('host.log')]).toEqual(['cd', 'ef', 'g']);
  });

  it('begins one new file where two processes find it full at once', async () => {
    const [one, other] = [fileOf(3), fileOf(3)];
    await one.append(line('a', 700));
    await other.append('');
    await Promise.all([one.append(line('b')), other.append(line('c'))]);
    expect(readdirSync(folder).sort()).toEqual(['host.log', 'host.log.1']);
    expect([...(letters('host.log.1') + letters('host.log'))].sort().join('')).toBe('abc');
  });

  it('loses no older file while two processes write', async () => {
    const files = [fileOf(20), fileOf(20)];
    const numbers = Array.from({ length: 40 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    await Promise.all(
      files.map(async (file, at) => {
        for (const letter of numbers.filter((_, index) => index % 2 === at)) await file.append(line(letter, 100));
      }),
    );
    const all = readdirSync(folder).filter((name) => name.startsWith('host.log'));
    expect([...all.map(letters).join('')].sort()).toEqual(numbers);
    // A file that was begun twice would leave one that is nearly empty.
    for (const name of all.filter((each) => each !== 'host.log'))
      expect(readFileSync(join(folder, name)).length).toBeGreaterThan(BYTES / 2);
  });

  it('rotates again after a process was killed while it rotated', async () => {
    const file = fileOf(2);
    await file.append(line('a', 900));
    writeFileSync(`${path}.lock`, '');
    await file.append(line('b', 900));
    expect(readdirSync(folder)).not.toContain('host.log.1');
    const before = new Date(Date.now() - 60_000);
    utimesSync(`${path}.lock`, before, before);
    await file.append(line('c', 900));
    await file.append(line('d', 900));
    expect([letters('host.log.1'), letters('host.log')]).toEqual(['abc', 'd']);
  });
});
