import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** The folders of the packages that a registry of npm gets. The host's programs contain what they use of the SDK. */
const PUBLISHED = ['host', 'sdk', 'create-driver'];

const packedSchema = z.array(z.object({ filename: z.string() })).min(1);

/** Packs the packages for a registry of npm. @returns the tarballs */
export async function packNpmPackages({ root, output }: { readonly root: string; readonly output: string }): Promise<string[]> {
  const tarballs: string[] = [];
  for (const folder of PUBLISHED) {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--ignore-scripts'], {
      cwd: join(root, folder),
      // A path may have blanks, and on Windows a shell would split it: npm is a script there.
      env: { ...process.env, npm_config_pack_destination: output },
      shell: process.platform === 'win32',
    });
    const packed: unknown = JSON.parse(stdout);
    const [only] = packedSchema.parse(Array.isArray(packed) ? packed : Object.values(packed as object));
    tarballs.push(join(output, only?.filename ?? ''));
  }
  return tarballs;
}
