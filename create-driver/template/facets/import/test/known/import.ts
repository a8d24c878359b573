import type { ConformancePlan } from '@tabularium/sdk/testing';

/** A row that the kit imports, in the database that `open` makes for the check alone. */
export const knownImports: Partial<ConformancePlan> = {
  imports: [
    {
      table: { namespace: [], name: 'planets' },
      row: '{"id":77,"name":"Vulcan","moons":0}',
      changed: '{"id":77,"name":"Vulcan II"}',
      rejected: ['{"name":"No id"}', '{"id":"text"}'],
      key: [77],
    },
  ],
};
