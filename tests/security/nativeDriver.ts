import { platformPackageJson } from '@tabularium/sdk/package';
import type { PackageFiles } from '@tabularium/sdk/package';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import type { TinyDriverOptions } from '../../registry/src/tinyDriver.test-helper.ts';

/** The platform that tests of packages run on, whatever the machine. */
export const TEST_PLATFORM = 'linux-x64';

const unconfined = { reason: 'It computes in native code.', grants: ['addons'] };

/** A driver with files for some platforms, unsigned. */
export function nativeDriver(options: TinyDriverOptions & { readonly platforms?: readonly string[] } = {}): PackageFiles {
  const { platforms = [TEST_PLATFORM, 'win32-x64'], ...rest } = options;
  return tinyDriver({ sdk: '^1.1', ...rest, manifest: { permissions: { unconfined }, platforms, ...rest.manifest } });
}

/** The platform package that belongs to a driver, unsigned. */
export function platformPackage(
  driver: PackageFiles,
  platform: string,
  options: {
    readonly packageJson?: Readonly<Record<string, unknown>>;
    readonly files?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
  } = {},
): PackageFiles {
  const main = JSON.parse(new TextDecoder().decode(driver.get('package.json'))) as { name: string; version: string };
  const json = { ...platformPackageJson(main, platform), ...options.packageJson };
  const { files = { 'native.node': `native code for ${platform}` } } = options;
  const encode = (content: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return new Map([
    ['package.json', encode(JSON.stringify(json))],
    ...Object.entries(files).map(([path, content]) => [path, encode(content)] as const),
  ]);
}
