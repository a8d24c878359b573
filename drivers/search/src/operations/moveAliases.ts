import { DriverError, listOfNames } from '@tabularium/sdk';
import type { DescribedRequest, DriverTexts } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { jsonRequest } from '../objects/objectSource.ts';
import { aliasPath } from '../paths.ts';
import { tableRef } from '../tables.ts';
import { aliasTarget } from '../aliases.ts';
import { operationField } from './operationField.ts';
import { readSchema } from './readSchema.ts';
import { textHash } from './textHash.ts';
import {
  MOST_OF_LABEL,
  MOST_OF_LIST,
  describedOperation,
  inputMembers,
  requestOperation,
  said,
  step,
} from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';
import { faultTexts } from '../faultTexts.ts';

/** A new target of an alias; without one the alias is removed. */
export interface AliasMove {
  readonly alias: string;
  readonly collection?: string;
  /** The collection that it has to lead to until then; empty: none. An undo takes back its own move and no later one. */
  readonly from?: string;
}

const MOST_MOVES = 20;

/** Leads aliases to other collections. */
export function moveAliases(source: OperationSource): SearchOperation {
  const operation = describedOperation({
    id: 'move-aliases',
    label: 'Move aliases',
    help: 'Leads aliases to other collections, so that applications that use them read those at once.',
    effect: 'destructive',
  });
  const form = {
    document: JSON.stringify({ moves: [{ alias: '', collection: '' }] }),
    fields: [
      operationField({
        type: 'list',
        path: ['moves'],
        label: 'Aliases',
        required: true,
        fields: [
          { type: 'text', path: ['alias'], label: 'Alias', required: true },
          {
            type: 'table',
            path: ['collection'],
            label: 'Collection',
            help: 'Empty: the alias is removed.',
            required: false,
          },
        ],
      }),
    ],
    presets: [],
  };
  return requestOperation(source, { on: 'server', operation, form: async () => form }, async (call, signal) => {
    const moves = movesOf(inputMembers(call)['moves']);
    const before: AliasMove[] = [];
    for (const { alias, collection, from: expected } of moves) {
      const from = await aliasTarget(alias, source.client, signal);
      if (expected !== undefined && expected !== (from ?? '')) throw movedMeanwhile(alias, from);
      if (collection === undefined) {
        if (from === undefined)
          throw new DriverError('NOT_FOUND', `There is no alias “${alias}”.`, {
            details: { field: 'moves', texts: faultTexts('fault.noAlias', { alias }) },
          });
      } else {
        const { name } = await readSchema(collection, source.client, signal);
        if (name !== collection) {
          throw new DriverError('INVALID_INPUT', `“${collection}” is an alias. An alias can’t lead to another one.`, {
            details: {
              field: 'moves',
              advice: `Choose “${name}”, its collection.`,
              texts: faultTexts('fault.aliasOfAlias', { name: collection }, 'fault.aliasOfAlias.advice', { name }),
            },
          });
        }
      }
      before.push({ alias, ...(from === undefined ? {} : { collection: from }) });
    }
    const removes = moves.some(({ collection }) => collection === undefined);
    const list = moves.map(({ alias, collection }) =>
      collection === undefined ? `${alias} (removed)` : `${alias} → ${collection}`,
    );
    const moved = listOfNames(list, MOST_OF_LIST);
    return {
      effect: removes ? 'destructive' : 'write',
      consequence: `Applications that use an alias read its new collection at once: ${moved}. No collection is changed.`,
      texts: said('consequence', 'operationPlan.move-aliases', { moved: list }),
      steps: [step('aliases', 'Move the aliases', moves.map(moveRequest))],
      ...(removes ? { confirm: moves.find(({ collection }) => collection === undefined)?.alias ?? '' } : {}),
      affected: moves.map(({ alias, collection }) => ({
        table: tableRef(alias),
        becomes: collection === undefined ? ('gone' as const) : ('changed' as const),
      })),
      // The host takes 4,000 characters, which long names exceed: cut off, the last aliases would not be compared.
      basis: textHash(JSON.stringify(before)),
      result: () => ({
        type: 'result',
        message: `Moved: ${moved}.`,
        texts: said('message', 'operationResult.move-aliases', { moved: list }),
        undo: undoOf(before, new Map(moves.map(({ alias, collection = '' }) => [alias, collection]))),
      }),
    };
  });
}

/** The request that leads an alias to its new collection, or removes it. */
export function moveRequest({ alias, collection }: AliasMove): DescribedRequest {
  const path = aliasPath(alias);
  return collection === undefined
    ? { method: 'DELETE', path }
    : jsonRequest('PUT', path, JSON.stringify({ collection_name: collection }));
}

/**
 * The operation that takes a move back.
 *
 * @param now - where each alias leads after the move; empty: nowhere
 */
export function undoOf(
  before: readonly AliasMove[],
  now: ReadonlyMap<string, string>,
): {
  label: string;
  texts: ReturnType<typeof said>;
  call: { place: { on: 'server' }; operation: string; input: string };
} {
  const aliases = before.map(({ alias }) => alias);
  return {
    label: `Move ${listOfNames(aliases, MOST_OF_LABEL)} back`,
    texts: said('label', 'operationUndo.move-aliases', { aliases }),
    call: {
      place: { on: 'server' },
      operation: 'move-aliases',
      input: JSON.stringify({ moves: before.map((move) => ({ ...move, from: now.get(move.alias) ?? '' })) }),
    },
  };
}

function movedMeanwhile(alias: string, now: string | undefined): DriverError {
  return new DriverError(
    'CONFLICT',
    `The alias “${alias}” leads to ${now === undefined ? 'nothing' : `“${now}”`} by now, so it was not moved.`,
    {
      details: {
        field: 'moves',
        advice: 'Look at the alias, and move it by hand if it is wrong.',
        texts: faultTexts(
          'fault.aliasMoved',
          { alias, leads: now === undefined ? 'nowhere' : 'there', now: now ?? '' },
          'fault.aliasByHand',
        ),
      },
    },
  );
}

function movesOf(moves: ExactValue): readonly AliasMove[] {
  const fault = (message: string, texts: DriverTexts): DriverError =>
    new DriverError('INVALID_INPUT', message, { details: { field: 'moves', texts } });
  if (!Array.isArray(moves) || moves.length === 0) throw fault('Name an alias.', faultTexts('fault.whichAlias'));
  if (moves.length > MOST_MOVES)
    throw fault(`At most ${MOST_MOVES} aliases are moved at once.`, faultTexts('fault.manyAliases', { most: MOST_MOVES }));
  const all = moves.map((move: ExactValue): AliasMove => {
    const alias = isExactObject(move) ? move['alias'] : undefined;
    const collection = isExactObject(move) ? move['collection'] : undefined;
    if (typeof alias !== 'string' || alias.trim() === '') throw fault('An alias has no name.', faultTexts('fault.aliasUnnamed'));
    if (collection !== undefined && collection !== null && typeof collection !== 'string')
      throw fault(`The collection of “${alias}” must be a name.`, faultTexts('fault.aliasTarget', { alias }));
    const from = isExactObject(move) ? move['from'] : undefined;
    return {
      alias: alias.trim(),
      ...(typeof collection === 'string' && collection.trim() !== '' ? { collection } : {}),
      ...(typeof from === 'string' ? { from } : {}),
    };
  });
  const twice = all.find(({ alias }, place) => all.findIndex((one) => one.alias === alias) !== place);
  if (twice !== undefined)
    throw fault(`The alias “${twice.alias}” is named twice.`, faultTexts('fault.aliasTwice', { alias: twice.alias }));
  return all;
}
