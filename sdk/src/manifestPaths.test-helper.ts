import { z } from 'zod';
import { manifestSchema } from './manifest.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** One value of the manifest, as the schema has it. */
export interface ManifestPath {
  readonly required: boolean;
  readonly default?: unknown;
}

/** Members with the same parts as another one, which the page describes once. */
const ALIKE = new Set(['permissions.http.furtherOrigins[].credentials', 'permissions.http.furtherOrigins[].tls']);

/** Every path of the manifest: `connection.fields[].label` for a member of a list's items, `filtering.classes.*` for one of any name. */
export function manifestPaths(): Map<string, ManifestPath> {
  const paths = new Map<string, ManifestPath>();
  walk(z.toJSONSchema(manifestSchema, { io: 'input' }), '', paths);
  return paths;
}

function walk(schema: Schema, path: string, paths: Map<string, ManifestPath>): void {
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    if (typeof value === 'boolean') continue;
    const inner = path === '' ? name : `${path}.${name}`;
    const found = {
      required: schema.required?.includes(name) ?? false,
      ...(value.default === undefined ? {} : { default: value.default }),
    };
    const known = paths.get(inner);
    // Alternatives share a member: it is required when each of them requires it.
    paths.set(inner, known === undefined ? found : { ...found, ...known, required: known.required && found.required });
    if (!ALIKE.has(inner)) walk(value, inner, paths);
  }
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.*`, paths);
  if (schema.items !== undefined && !Array.isArray(schema.items) && typeof schema.items === 'object')
    walk(schema.items, `${path}[]`, paths);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) if (typeof part === 'object') walk(part, path, paths);
}
