import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildStale } from './build/buildStale.ts';
import { driverFolders } from './build/catalogue.ts';
import { allTargets } from './build/targets.ts';
import { writeChecksums } from './package/checksums.ts';
import { packDrivers } from './package/driverPackages.ts';
import { layOut } from './package/layOut.ts';
import { makeLinuxArchives } from './package/linuxArchives.ts';
import { makeMcpBundle } from './package/mcpBundle.ts';
import { packNpmPackages } from './package/npmPackages.ts';
import { PLATFORM_NAMES, platformOf } from './package/platforms.ts';
import { registryEntry, registryPlaceSchema } from './package/registryEntry.ts';
import { root, workFolder } from './paths.ts';

const usage = `Usage: npm run package -- [--output FOLDER] [--layout-only] [--registry-name NAME --download-url URL] [platform...]

Lays out the application in dist/package/<platform>: the host with all it needs to run, the bundled Node, and the bridge as an executable.
Without a platform: for this one. Platforms: ${PLATFORM_NAMES.join(', ')}.
Beside them tabularium-<version>.mcpb, the bundle that MCP clients install; with a name in the MCP registry and the address where the bundle will lie,
server.json, the entry of the registry.
For Linux also tabularium-<version>-<platform>.tar.gz and, where dpkg-deb is there, a Debian package, with the Containerfile for it. Then the packages for
a registry of npm, the drivers, the bill of materials, and SHA256SUMS of all these files. --layout-only leaves all that out. The drivers are signed with a key
that is made for this checkout; to release them, sign them again with your own: tabularium-driver sign ARCHIVE --key ID.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: join(root, 'dist', 'package') },
    'layout-only': { type: 'boolean', default: false },
    'registry-name': { type: 'string' },
    'download-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const print = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  if (values.help) {
    print(usage);
  } else {
    const { 'registry-name': registryName, 'download-url': downloadUrl, 'layout-only': layoutOnly } = values;
    if ((registryName === undefined) !== (downloadUrl === undefined))
      throw new Error('--registry-name and --download-url go together: the entry of the registry holds both.');
    const place =
      registryName === undefined ? undefined : registryPlaceSchema.parse({ name: registryName, downloadUrl: downloadUrl ?? '' });
    const names = positionals.length === 0 ? [`${process.platform}-${process.arch}`] : positionals;
    const platforms = names.map(platformOf);
    await buildStale({
      root,
      workFolder,
      targets: allTargets(root).filter(({ group }) => !layoutOnly || group !== 'drivers'),
      log: print,
    });
    const output = resolve(values.output);
    const files: string[] = [];
    for (const platform of platforms) {
      const laidOut = await layOut({
        root,
        platform,
        output: join(output, platform.name),
        cache: join(root, '.local', 'package-cache'),
        log: (line) => print(`${platform.name}: ${line}`),
      });
      process.stdout.write(`${JSON.stringify(laidOut)}\n`);
      for (const line of laidOut.missing) print(`${platform.name}: ${line}`);
      if (layoutOnly || platform.os !== 'linux') continue;
      const archives = await makeLinuxArchives({ root, platform, laidOut, output });
      process.stdout.write(`${JSON.stringify(archives)}\n`);
      files.push(archives.archive);
      if (archives.debianPackage === undefined)
        print(`${platform.name}: no Debian package, because this machine has no dpkg-deb.`);
      else files.push(archives.debianPackage);
    }
    // An entry of an earlier bundle has another digest.
    await rm(join(output, 'server.json'), { force: true });
    const bundle = await makeMcpBundle({ root, output });
    process.stdout.write(`${JSON.stringify(bundle)}\n`);
    files.push(bundle.file);
    if (place !== undefined) {
      const entry = await registryEntry(bundle, place);
      await writeFile(join(output, 'server.json'), `${JSON.stringify(entry, null, 2)}\n`);
    }
    if (!layoutOnly) {
      const tarballs = await packNpmPackages({ root, output });
      const drivers = await packDrivers({
        folders: driverFolders(root).map((folder) => join(root, 'drivers', folder)),
        output,
        keyFolder: join(root, '.local', 'package-key'),
      });
      const bill = join(output, `tabularium-${bundle.version}.cdx.json`);
      await copyFile(join(root, 'host/dist/sbom.cdx.json'), bill);
      const container = join(output, 'Containerfile');
      await copyFile(join(import.meta.dirname, 'package/linux/Containerfile'), container);
      const checksums = await writeChecksums(output, [...files, ...tarballs, ...drivers, bill, container]);
      process.stdout.write(`${JSON.stringify({ checksums })}\n`);
    }
  }
} catch (error) {
  print(
    error instanceof z.ZodError
      ? error.issues.map(({ message }) => message).join(' ')
      : error instanceof Error
        ? error.message
        : String(error),
  );
  process.exitCode = 1;
}
