import type { ObjectKind, TableRef } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { chosenPlace } from './chosenPlace.ts';

const kind = { id: 'trigger', scope: 'table' } as ObjectKind;
const ref = (schema: string): TableRef => ({ namespace: [schema], name: 'orders' });

it('keeps the table of its schema where another schema has one of the same name', () => {
  const tables = [ref('archive'), ref('shop')];
  expect(chosenPlace(kind, { kind: 'trigger', table: ref('shop') }, tables)).toEqual({ kind: 'trigger', table: ref('shop') });
  expect(chosenPlace(kind, { kind: 'trigger', table: ref('gone') }, tables)).toEqual({ kind: 'trigger', table: ref('archive') });
});
