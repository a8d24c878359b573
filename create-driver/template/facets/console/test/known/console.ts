import type { ConformancePlan } from '@tabularium/sdk/testing';

/** Statements of the language, and what they do. */
export const knownConsole: Partial<ConformancePlan> = {
  console: {
    script: { text: 'list planets;\n remove moons 3 ; list moons', statements: 3 },
    classified: [
      { statement: 'list planets', effect: 'read' },
      { statement: 'remove planets 3', effect: 'destructive' },
    ],
    reads: [
      { statement: 'list planets', rows: [7] },
      { statement: 'list moons', rows: [3] },
      { statement: 'wait 1', rows: [0] },
    ],
    refused: ['show planets', 'list', 'remove planets', 'list planets moons'],
  },
};
