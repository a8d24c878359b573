import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Author, manifest } from './cli.test-helper.ts';
import { ownPlatform } from './package/ownPlatform.ts';
import { readArchive } from './package/readArchive.ts';
import { publishAll } from './publish/publishArchive.ts';
import type { ArchiveToPublish } from './publish/publishArchive.ts';

const OTHER = 'win32-arm64';
const unconfined = { reason: 'It computes in native code.', grants: ['addons'] };
const signing = ['--passphrase-env', 'PASSPHRASE'];

let author: Author;

beforeEach(async () => {
  author = await Author.create();
  await declare();
  await author.write({ [`platforms/${ownPlatform()}/x.node`]: 'own', [`platforms/${OTHER}/x.node`]: 'other' });
  await author.run(['keys', 'create', '--name', 'Ada', '--id', 'ada', ...signing]);
});
afterEach(() => author[Symbol.asyncDispose]());

/** Declares platforms in the manifest. */
async function declare(changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await author.change({
    tabularium: { ...manifest, sdk: '^1.1', permissions: { unconfined }, platforms: [ownPlatform(), OTHER], ...changes },
  });
}

async function packed(): Promise<Record<string, unknown>> {
  await author.run(['build']);
  return author.json(['pack', ...signing]);
}

/** The problems of the checks that failed. */
async function problems(): Promise<string> {
  const { checks } = await author.json(['check']);
  return JSON.stringify((checks as { outcome: string }[]).filter(({ outcome }) => outcome === 'failed'));
}

describe('a driver with native files', () => {
  it('is packed into an archive of its own and one for each platform, all signed by one key', async () => {
    const answer = await packed();
    expect(answer).toMatchObject({
      name: '@shelf/tabularium-driver',
      platforms: [
        { platform: ownPlatform(), name: `@shelf/tabularium-driver-${ownPlatform()}`, version: '1.2.3' },
        { platform: OTHER, file: join(author.folder, `shelf-tabularium-driver-${OTHER}-1.2.3.tgz`) },
      ],
    });
    const main = await readArchive(String(answer['file']));
    expect([...main.keys()].filter((path) => /platform/.test(path))).toEqual([]);
    const part = await readArchive(join(author.folder, `shelf-tabularium-driver-${OTHER}-1.2.3.tgz`));
    expect([...part.keys()].sort()).toEqual(['LICENSE', 'package.json', 'tabularium.signature.json', 'x.node']);
    expect(JSON.parse(new TextDecoder().decode(part.get('package.json')))).toMatchObject({
      os: ['win32'],
      cpu: ['arm64'],
      tabulariumPlatform: { driver: '@shelf/tabularium-driver', platform: OTHER },
    });
    const keyOf = (files: typeof main): unknown =>
      (JSON.parse(new TextDecoder().decode(files.get('tabularium.signature.json'))) as { keyId: unknown }).keyId;
    expect(keyOf(part)).toBe(keyOf(main));
  });

  it('has the files of this machine where a host puts them, after a build', async () => {
    await author.run(['build']);
    expect(await readFile(join(author.folder, 'platform/x.node'), 'utf8')).toBe('own');
    await author.write({ [`platforms/${ownPlatform()}/x.node`]: 'newer', [`platforms/${ownPlatform()}/lib/y.so`]: 'y' });
    await author.run(['build']);
    expect(await readFile(join(author.folder, 'platform/x.node'), 'utf8')).toBe('newer');
    await rm(join(author.folder, 'platforms', ownPlatform(), 'lib'), { recursive: true });
    await author.run(['build']);
    expect((await readdir(join(author.folder, 'platform'))).filter((name) => !name.startsWith('.'))).toEqual(['x.node']);
  });

  it('loses no folder "platform" of the author’s own', async () => {
    await author.write({ 'platform/notes.txt': 'mine' });
    expect(await author.run(['build'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the folder exists already') as string,
    });
    expect(await readFile(join(author.folder, 'platform/notes.txt'), 'utf8')).toBe('mine');
  });

  it('is checked, with the sizes of its platform packages', async () => {
    await author.run(['build']);
    const { checks } = await author.json(['check']);
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'platforms', outcome: 'passed' }),
        expect.objectContaining({ id: 'entry', outcome: 'passed' }),
      ]),
    );
    await declare({ platforms: [OTHER] });
    await rm(join(author.folder, 'platforms', ownPlatform()), { recursive: true });
    const { checks: others } = await author.json(['check']);
    expect(others).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'entry', outcome: 'skipped', findings: [expect.stringContaining(ownPlatform())] }),
      ]),
    );
  });

  it.each([
    ['the grant for native code', () => declare({ permissions: {} }), /tabularium\.platforms: Native code needs the grant/],
    [
      'all of its platforms',
      () => declare({ platforms: [ownPlatform(), OTHER, 'darwin-arm64'] }),
      /platforms\/darwin-arm64 has no files/,
    ],
    [
      'a platform for each folder',
      () => declare({ platforms: [ownPlatform()] }),
      /platforms\/win32-arm64 belongs to no platform/,
    ],
    ['a platform that exists', () => declare({ platforms: ['linux-amd64'] }), /tabularium\.platforms\.0: Use a platform such as/],
    ['a platform once', () => declare({ platforms: [OTHER, OTHER] }), /listed twice/],
    [
      'names for its files',
      () => author.write({ [`platforms/${OTHER}/package.json`]: {} }),
      /take the place of a file that pack makes/,
    ],
    ['files that may ship', () => author.write({ [`platforms/${OTHER}/id_rsa`]: 'x' }), /id_rsa would ship/],
    ['files of its own', () => author.write({ 'package.json': '{' }), /not JSON/],
  ])('is refused without %s', async (_what, change, message) => {
    await author.run(['build']);
    await change();
    expect(await problems()).toMatch(message);
    expect((await author.run(['pack', ...signing])).code).toBe(1);
  });

  it('ships no file that a link among them leads to', async () => {
    await author.run(['build']);
    await symlink('/etc/hosts', join(author.folder, `platforms/${OTHER}/hosts`));
    expect(await problems()).toContain('leads out of the folder of the driver, to /etc/hosts');
  });

  it('ships its platforms in no other way', async () => {
    await author.run(['build']);
    await author.change({
      files: ['dist/index.js', 'platforms'],
      tabularium: { ...manifest, sdk: '^1.1', permissions: { unconfined }, platforms: [ownPlatform(), OTHER] },
    });
    expect(await problems()).toContain('which it may not bring itself');
  });

  it('is published from its archives, if they are all there and signed by one key', async () => {
    const { file } = await packed();
    const place = join(author.folder, `shelf-tabularium-driver-${OTHER}-1.2.3.tgz`);
    const part = await readFile(place);
    const publish = () => author.run(['publish', String(file), '--dry-run']);
    expect(await author.run(['publish', place])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is a platform package') as string,
    });
    await author.run(['keys', 'create', '--name', 'Bob', '--id', 'bob', ...signing]);
    expect(await author.run(['sign', place, '--key', 'bob', ...signing])).toMatchObject({ code: 0 });
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringContaining('is signed by another key') as string });
    await rm(place);
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringContaining(`${place} does not exist`) as string });
    await mkdir(join(author.folder, 'elsewhere'));
    await writeFile(place, part.subarray(0, 100));
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringContaining("isn't a driver package") as string });
    expect((await stat(String(file))).isFile()).toBe(true);
  });
});

describe('publishing', () => {
  const archive = (name: string): ArchiveToPublish => ({
    name,
    version: '1.0.0',
    file: `${name}.tgz`,
    integrity: `sha512-${name}`,
  });
  const release = { main: archive('main'), platforms: [archive('main-linux-x64'), archive('main-win32-x64')] };
  const options = { registry: undefined, tag: undefined, access: undefined, dryRun: false, npmOptions: [] };

  /** npm, whose registry has these versions, by `name` or `name@version`. */
  function npm(has: Readonly<Record<string, string>>, failing?: string) {
    const published: string[] = [];
    return {
      published,
      ask: async (words: readonly string[]) => {
        const found = has[words[1] ?? ''];
        return found === undefined
          ? { code: 1, stdout: '', stderr: 'npm error code E404' }
          : { code: 0, stdout: JSON.stringify(found), stderr: '' };
      },
      run: async (words: readonly string[]) => {
        published.push(words[1] ?? '');
        return words[1] === failing ? 1 : 0;
      },
    };
  }

  it('sends the driver itself last, so that no host sees it without its parts', async () => {
    const fake = npm({});
    await publishAll(fake, release, options);
    expect(fake.published).toEqual(['main-linux-x64.tgz', 'main-win32-x64.tgz', 'main.tgz']);
  });

  it('does not send the driver itself when a part failed, and sends the rest the next time', async () => {
    const broken = npm({}, 'main-win32-x64.tgz');
    await expect(publishAll(broken, release, options)).rejects.toMatchObject({ code: 'PUBLISH_FAILED' });
    expect(broken.published).not.toContain('main.tgz');
    const again = npm({ 'main-linux-x64': '1.0.0', 'main-linux-x64@1.0.0': 'sha512-main-linux-x64' });
    await publishAll(again, release, options);
    expect(again.published).toEqual(['main-win32-x64.tgz', 'main.tgz']);
  });

  it('sends nothing where the version is published, or a part of it with other content', async () => {
    const done = npm({ main: '1.0.0' });
    await expect(publishAll(done, release, options)).rejects.toMatchObject({ code: 'VERSION_EXISTS' });
    expect(done.published).toEqual([]);
    const other = npm({ 'main-linux-x64': '1.0.0', 'main-linux-x64@1.0.0': 'sha512-other' });
    await expect(publishAll(other, release, options)).rejects.toMatchObject({ code: 'VERSION_EXISTS' });
    expect(other.published).toEqual([]);
  });
});
