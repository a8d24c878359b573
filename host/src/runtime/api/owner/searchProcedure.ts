import type { SearchForm, SearchOptionValue, TableRef } from '@tabularium/sdk';
import { DriverError, NO_FILTER } from '@tabularium/sdk';
import { mustSearchTogether } from '../../../common/mustSearchTogether.ts';
import { searchTableEventSchema, searchTableRequestSchema } from '../../../common/searchApi.ts';
import type { SearchTableEvent } from '../../../common/searchApi.ts';
import { findWrittenTable, noList } from '../../data/namespaceLister.ts';
import { streamsOn } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';

/** Searches a table by words. */
export const searchProcedure = ownerProcedure
  .input(searchTableRequestSchema)
  .output(streamsOn(searchTableEventSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<SearchTableEvent, void, undefined> {
    const { alsoIn, connectionId, filter, options, table: named, ...rest } = input;
    const { session, manifest } = yield* openSession(ctx, connectionId, signal);
    const { search } = session;
    if (search === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} has no ranked search.`);
    // A table that the credentials may read but not list is named as it is.
    const listed = await session.listTables({ signal }).catch(noList);
    const refOf = async (name: string): Promise<TableRef> =>
      (await findWrittenTable(session, name, signal, listed)) ?? { namespace: [], name };
    const table = await refOf(named);
    const others = await Promise.all(alsoIn.map(refOf));
    const form = await search.form(table, { signal });
    mustSearchTogether({ alsoIn: others }, form);
    const answer = await search.search(
      {
        table,
        ...rest,
        ...(others.length === 0 ? {} : { alsoIn: others }),
        filter: filter === undefined ? NO_FILTER : { ...NO_FILTER, raw: filter },
        options: Object.fromEntries(options.map(({ id, value }) => [id, optionValue(form, id, value)])),
      },
      { signal },
    );
    const [dropped] = answer.droppedSorts;
    if (dropped !== undefined) {
      throw new DriverError('UNSUPPORTED', `The hits cannot be sorted by "${dropped.column}": ${dropped.reason}`, {
        details: { advice: 'Leave out this --sort.' },
      });
    }
    yield { type: 'answer', answer };
  });

/** @throws DriverError `INVALID_INPUT` for an option that is not there, or a text that isn't a value of it */
function optionValue(form: SearchForm, id: string, text: string): SearchOptionValue {
  const option = form.options.find((one) => one.id === id);
  if (option === undefined) {
    throw invalid(id, `There is no option "${id}".`, `The options are: ${form.options.map((one) => one.id).join(', ')}.`);
  }
  switch (option.type) {
    case 'switch':
      if (text === 'true' || text === 'false') return text === 'true';
      throw invalid(id, `The option "${id}" is true or false.`);
    case 'number': {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
      if (value >= option.minimum && value <= option.maximum) return value;
      throw invalid(id, `The option "${id}" is a whole number from ${option.minimum} to ${option.maximum}.`);
    }
    case 'choice':
      if (option.choices.some((choice) => choice.value === text)) return text;
      throw invalid(id, `The option "${id}" is one of ${option.choices.map((choice) => choice.value).join(', ')}.`);
    case 'text':
      return text;
  }
}

function invalid(field: string, message: string, advice?: string): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field, ...(advice === undefined ? {} : { advice }) } });
}
