import type { SearchForm, SearchOptionValue, Session, TableRef, TableSummary } from '@tabularium/sdk';
import { DriverError, NO_FILTER, isDriverError } from '@tabularium/sdk';
import { mustSearchTogether } from '../../../common/mustSearchTogether.ts';
import { searchTableEventSchema, searchTableRequestSchema } from '../../../common/searchApi.ts';
import type { SearchTableEvent } from '../../../common/searchApi.ts';
import { findTable } from '../../../common/tableName.ts';
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
    const tables = await listed(session, signal);
    const refOf = (name: string): TableRef => findTable(tables, name)?.ref ?? { namespace: [], name };
    const table = refOf(named);
    const others = alsoIn.map(refOf);
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

async function listed(session: Session, signal: AbortSignal): Promise<readonly TableSummary[]> {
  try {
    return await session.listTables({ signal });
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
    throw error;
  }
}

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
