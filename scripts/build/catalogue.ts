import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the host finds the drivers of this repository before any registry has answered. Committed, so that drift shows in review. */
export const cataloguePath = 'host/catalogue/first-party.json';

interface DriverPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tabularium: unknown;
}

function readDriverPackage(file: string): DriverPackage | undefined {
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof json !== 'object' || json === null) throw new Error(`${file} is not a JSON object.`);
  const fields = json as Record<string, unknown>;
  if (fields['tabularium'] === undefined) return undefined;
  const { name, version, description, tabularium } = fields;
  if (typeof name !== 'string' || typeof version !== 'string' || typeof description !== 'string') {
    throw new Error(`${file} needs "name", "version" and "description" beside its "tabularium" field.`);
  }
  return { name, version, description, tabularium };
}

/** The folders of drivers/ that are packages. */
export function driverFolders(root: string): string[] {
  const drivers = join(root, 'drivers');
  if (!existsSync(drivers)) return [];
  return readdirSync(drivers, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(drivers, entry.name, 'package.json')))
    .map((entry) => entry.name)
    .sort();
}

/** The text that the committed catalogue must have. */
export function renderCatalogue(root: string): string {
  const drivers = driverFolders(root)
    .map((folder) => readDriverPackage(join(root, 'drivers', folder, 'package.json')))
    .filter((driver) => driver !== undefined);
  return `${JSON.stringify({ formatVersion: 1, drivers }, null, 2)}\n`;
}

export function readCatalogue(root: string): string | undefined {
  const file = join(root, cataloguePath);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
