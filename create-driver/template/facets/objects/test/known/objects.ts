import type { ConformancePlan } from '@tabularium/sdk/testing';

/** A view that the kit adds, changes and removes. */
export const knownObjects: Partial<ConformancePlan> = {
  objects: [
    {
      object: { kind: 'view', name: 'kit-view' },
      document: '{"table":"planets"}',
      changed: '{"table":"moons","note":"smaller"}',
      refused: ['{}', '{"table":"no such table"}', '{"table":"planets","size":1}'],
    },
  ],
};
