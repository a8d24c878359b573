import type { Manifest, ManifestInput } from '@tabularium/sdk/manifest';
import { manifestSchema } from '@tabularium/sdk/manifest';

/** The least that a manifest has: one field, no permission. A test names only the parts that it is about. */
export function plainManifest(changes: Partial<ManifestInput> = {}): Manifest {
  return manifestSchema.parse({
    manifestVersion: 1,
    id: 'fixture',
    sdk: '^1.1',
    title: 'Fixture',
    tagline: 'Keeps things in order.',
    category: 'other',
    icon: 'M0 0h24v24H0z',
    terms: {
      table: { one: 'Table', other: 'Tables' },
      row: { one: 'Row', other: 'Rows' },
      column: { one: 'Column', other: 'Columns' },
    },
    connection: { fields: [{ id: 'host', label: 'Host', type: 'text' }] },
    permissions: {},
    reading: { maxSorts: 1 },
    ...changes,
  } satisfies ManifestInput);
}

/** Terms of a driver that differ from those of {@link plainManifest}. */
export const BOX_TERMS: ManifestInput['terms'] = {
  table: { one: 'Box', other: 'Boxes' },
  row: { one: 'Thing', other: 'Things' },
  column: { one: 'Trait', other: 'Traits' },
};
