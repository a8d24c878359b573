import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UPLOAD_STAYS, Uploads } from './uploads.ts';

let home: string;
let uploads: Uploads;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tabularium-uploads-'));
  uploads = new Uploads(home);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(home, { recursive: true, force: true });
});

it('removes the file of a dialog that is gone, and none that is still asked about or that an import took', async () => {
  const [left, used, taken] = [await uploads.open('a', 1), await uploads.open('b', 1), await uploads.open('c', 1)];
  await uploads.add(used, 0, Buffer.from('x'));
  uploads.release(taken);
  vi.advanceTimersByTime(UPLOAD_STAYS - 1);
  await uploads.whole(used);
  vi.advanceTimersByTime(1);
  await vi.waitFor(async () =>
    expect((await readdir(uploads.folder)).toSorted()).toEqual([`${used}.source`, `${taken}.source`].toSorted()),
  );
  await expect(uploads.whole(left)).rejects.toThrow('This file is not on the list any more. Choose it again.');
  vi.advanceTimersByTime(UPLOAD_STAYS);
  await vi.waitFor(async () => expect(await readdir(uploads.folder)).toEqual([`${taken}.source`]));
});
