import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { manifestSchema } from '../../sdk/src/manifest.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The name of the file in the SDK's `dist`, which the `$schema` of a new project names. */
export const PACKAGE_SCHEMA = 'package.schema.json';

/**
 * The JSON schema of a driver's package.json: the manifest as the host reads it, with the meanings of its reference, so that an editor completes and
 * explains it. Rules between members are not in it; `tabularium-driver check` looks at them.
 *
 * @returns JSON
 */
export function packageSchema(root: string): string {
  const manifest = z.toJSONSchema(manifestSchema, { io: 'input' });
  const meanings = meaningsIn(readFileSync(join(root, 'docs/reference/manifest.md'), 'utf8'));
  describe(manifest, '', meanings);
  const { $schema, ...tabularium } = manifest;
  const schema = {
    $schema,
    title: 'package.json of a driver for Tabularium',
    type: 'object',
    required: ['name', 'version', 'tabularium'],
    properties: { tabularium: { ...tabularium, description: 'The manifest of the driver.' } },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The last column of the reference's tables, by the path in the first. */
function meaningsIn(reference: string): ReadonlyMap<string, string> {
  return new Map(
    reference
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line): [string, string] => {
        const cells = line.split('|').map((cell) => cell.trim());
        return [(cells[1] ?? '').replaceAll('`', ''), cells[4] ?? ''];
      }),
  );
}

/** Writes the meaning of every path into the schema. */
function describe(schema: Schema, path: string, meanings: ReadonlyMap<string, string>): void {
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    if (typeof value === 'boolean') continue;
    const inner = path === '' ? name : `${path}.${name}`;
    const meaning = meanings.get(inner);
    if (meaning !== undefined && value.$ref === undefined) value.description = meaning;
    describe(value, inner, meanings);
  }
  if (typeof schema.additionalProperties === 'object') describe(schema.additionalProperties, `${path}.*`, meanings);
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) describe(schema.items, `${path}[]`, meanings);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (typeof part === 'object') describe(part, path, meanings);
}
