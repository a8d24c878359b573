import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { z } from 'zod';
import { NOTICE_FILES } from '../../sdk/src/cli/notices/writeNotices.ts';

const hostSchema = z.object({ version: z.string(), license: z.string(), homepage: z.url().optional() });

/** A regular file that its owner writes and everyone reads. */
const FILE_MODE = 0o100644;

/** The bundle as a client installs it. */
export interface McpBundle {
  readonly file: string;
  readonly version: string;
}

/**
 * Makes the bundle that clients with a button for it install: the bridge, which runs on the client's own Node. The same on every platform, and
 * from the same sources byte for byte the same, so that anyone can compare the digest of a download. Its own tool checks the manifest and packs it.
 *
 * @param output - the folder that the bundle goes into
 * @throws Error when the tool refuses the manifest
 */
export async function makeMcpBundle({ root, output }: { readonly root: string; readonly output: string }): Promise<McpBundle> {
  const { version, license, homepage } = hostSchema.parse(JSON.parse(await readFile(join(root, 'host/package.json'), 'utf8')));
  const file = join(output, `tabularium-${version}.mcpb`);
  const staging = `${file}.staging-${process.pid}`;
  const content = join(staging, 'content');
  try {
    await mkdir(join(content, 'server'), { recursive: true });
    await copyFile(join(root, 'host/dist/bridge.cjs'), join(content, 'server/tabularium-mcp.cjs'));
    await copyFile(join(root, 'host/icons/tabularium-512.png'), join(content, 'icon.png'));
    await copyFile(join(root, 'host/LICENSE'), join(content, 'LICENSE'));
    for (const name of NOTICE_FILES) await copyFile(join(root, 'host/dist', name), join(content, name));
    const manifest = mcpBundleManifest({ version, license, homepage });
    await writeFile(join(content, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const packed = join(staging, 'packed.mcpb');
    const tool = join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, 'pack', content, packed], {
      cwd: staging,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`mcpb refused the bundle, and nothing was replaced:\n${stdout}${stderr}`);
    await writeFile(packed, reproducible(await readFile(packed)));
    await rename(packed, file);
    return { file, version };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The same archive for the same content: the tool gives entries the time of the run and the order of the disk, so each run had another digest. */
function reproducible(archive: Uint8Array): Uint8Array {
  const entries = Object.entries(unzipSync(archive)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The first day that an archive can name, in the time zone of this machine, because archives have no zone.
  return zipSync(Object.fromEntries(entries), { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: FILE_MODE << 16 });
}

/** The manifest of the bundle. The tools of a client depend on what its owner allows, so none is listed. */
function mcpBundleManifest({ version, license, homepage }: z.output<typeof hostSchema>): Readonly<Record<string, unknown>> {
  return {
    manifest_version: '0.3',
    name: 'tabularium',
    display_name: 'Tabularium',
    version,
    description: 'Reads, and where you allow it changes, the databases that you have saved in Tabularium.',
    long_description:
      'Connects this client to Tabularium on this computer. Tabularium must be installed; the bundle starts it where it does not run. Which connections a client sees, and whether it may change data, is set in Tabularium. Credentials stay there.',
    author: { name: 'The Tabularium authors' },
    ...(homepage === undefined ? {} : { homepage }),
    icon: 'icon.png',
    license,
    keywords: ['database', 'sql', 'sqlite', 'typesense', 'search'],
    server: {
      type: 'node',
      entry_point: 'server/tabularium-mcp.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/server/tabularium-mcp.cjs'] },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  };
}
