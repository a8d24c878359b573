import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartFile } from './partFile.ts';
import { partOf } from './partName.ts';

describe('the permissions of a written file', () => {
  let folder: string;
  let umask: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tabularium-test-'));
    umask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });

  const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

  it("are the owner's alone from the first byte, under every umask", async () => {
    const file = join(folder, 'rows.jsonl');
    const part = await PartFile.open(file, false);
    await part.write(Buffer.from('{}'));
    expect(await modeOf(partOf(file))).toBe('600');
    await part.finish();
    expect(await modeOf(file)).toBe('600');
  });

  it.each([true, false])('belong to no link and no pipe, with consent to replace: %s', async (overwrite) => {
    const file = join(folder, 'mine.txt');
    const link = join(folder, 'link');
    const pipe = join(folder, 'pipe');
    await writeFile(file, 'mine');
    await symlink('mine.txt', link);
    execFileSync('mkfifo', [pipe]);
    for (const place of [link, pipe]) {
      const code = overwrite ? 'FILE_UNWRITABLE' : 'FILE_EXISTS';
      await expect(PartFile.open(place, overwrite)).rejects.toMatchObject({ code });
    }
    expect([await readlink(link), await readFile(file, 'utf8'), (await stat(pipe)).isFIFO()]).toEqual(['mine.txt', 'mine', true]);
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('stay with the group of the file that is replaced', async () => {
    const file = join(folder, 'rows.jsonl');
    await writeFile(file, 'old');
    // Root may give a file to any group, everybody else to their own.
    const group = process.getuid?.() === 0 ? 4_321 : (process.getgroups?.().at(-1) ?? 0);
    await chown(file, process.getuid?.() ?? 0, group);
    await chmod(file, 0o640);
    await (await PartFile.open(file, true)).finish();
    expect([(await stat(file)).gid, await modeOf(file)]).toEqual([group, '640']);
  });

  it('stay those of the file that is replaced', async () => {
    const file = join(folder, 'rows.jsonl');
    await writeFile(file, 'old');
    await chmod(file, 0o640);
    const part = await PartFile.open(file, true);
    await part.write(Buffer.from('new'));
    await part.finish();
    expect(await modeOf(file)).toBe('640');
    expect(await readFile(file, 'utf8')).toBe('new');
  });
});
