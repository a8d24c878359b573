import { DriverError } from '@tabularium/sdk';
import type { ImportMode } from '@tabularium/sdk';
import { collectionPath } from '../paths.ts';
import { faultTexts } from '../faultTexts.ts';

/**
 * Values are stored as they come or rejected: left to itself, the server would make “1.5” of 1.50 in a string field, and 1 of true in a number field,
 * without an error.
 */
const PARAMETERS = 'dirty_values=reject';

type ModeFacts = Pick<ImportMode, 'id' | 'label' | 'help' | 'effect' | 'repeated'>;

const MODES: readonly ModeFacts[] = [
  {
    id: 'create',
    label: 'Create',
    help: 'Adds new documents. A document whose id is there already is rejected, and stays as it is.',
    effect: 'write',
    repeated: 'reported',
  },
  {
    id: 'upsert',
    label: 'Upsert',
    help: 'Adds new documents, and replaces those whose id is there already: fields that the new document lacks are lost.',
    effect: 'destructive',
    repeated: 'same',
  },
  {
    id: 'update',
    label: 'Update',
    help: 'Changes the given fields of documents that are there. Their other fields stay; a document that is not there is rejected.',
    effect: 'write',
    repeated: 'same',
  },
  {
    id: 'emplace',
    label: 'Emplace',
    help: 'Adds new documents, and changes the given fields of those whose id is there already. Their other fields stay.',
    effect: 'write',
    repeated: 'same',
  },
];

/** The modes of a collection, each with its request. */
export function importModes(collection: string): readonly ImportMode[] {
  return MODES.map((mode) => ({
    ...mode,
    text: `POST ${importPath(collection, mode.id)}`,
    texts: { label: { id: `import.${mode.id}.label` }, help: { id: `import.${mode.id}.help` } },
  }));
}

/** @throws DriverError `INVALID_INPUT` for a mode that there is not */
export function importPath(collection: string, mode: string): string {
  if (!MODES.some(({ id }) => id === mode)) {
    throw new DriverError(
      'INVALID_INPUT',
      `There is no import mode “${mode}”. There are ${MODES.map(({ id }) => id).join(', ')}.`,
      {
        details: { field: 'mode', texts: faultTexts('fault.importMode', { mode, modes: MODES.map(({ id }) => id).join(', ') }) },
      },
    );
  }
  return `${collectionPath(collection)}/documents/import?action=${mode}&${PARAMETERS}`;
}
