import { DriverError } from '@tabularium/sdk';
import type { SearchFacet, SearchForm, SearchRequest, TableRef } from '@tabularium/sdk';
import { tablePath } from '../link.ts';
import type { Link } from '../link.ts';
import { queryOf } from '../query.ts';
import type { Row, Tables } from '../tables.ts';

interface Answer {
  readonly found: number;
  readonly outOf: number;
  readonly hits: readonly {
    readonly row: Row;
    readonly score: number;
    readonly highlights: readonly {
      readonly field: string;
      readonly parts: readonly { readonly text: string; readonly isMatch: boolean }[];
    }[];
  }[];
  readonly facets: readonly {
    readonly column: string;
    readonly values: readonly { readonly value: string | number; readonly rows: number }[];
  }[];
}

const ANYWHERE = 'anywhere';

function unknown(what: string, name: string): DriverError {
  return new DriverError('INVALID_INPUT', `There is no ${what} “${name}”.`, { details: { field: name } });
}

/** Ranked search: the server looks for the words, counts and ranks. */
export function searchFacet(link: Link, tables: Tables): SearchFacet {
  async function form(table: TableRef, signal: AbortSignal): Promise<SearchForm> {
    const columns = await tables.columns(table, signal);
    return {
      fields: columns.filter(({ kind }) => kind === 'text').map(({ name }) => ({ name, isDefault: true })),
      facets: columns.filter(({ name }) => name !== 'id').map(({ name }) => name),
      options: [
        {
          id: ANYWHERE,
          type: 'switch',
          label: 'Find inside words',
          help: 'Otherwise a word of yours has to begin a word of the row.',
          group: 'Matching',
          default: false,
        },
      ],
    };
  }

  /** The body of the request. What is not in the form is refused by name. */
  async function bodyOf(request: SearchRequest, signal: AbortSignal) {
    const { table, text, options, offset, limit, alsoIn = [] } = request;
    const known = await form(table, signal);
    for (const { name } of request.fields) if (!known.fields.some((field) => field.name === name)) throw unknown('field', name);
    for (const name of request.facets) if (!known.facets.includes(name)) throw unknown('facet', name);
    for (const id of Object.keys(options)) if (!known.options.some((option) => option.id === id)) throw unknown('option', id);
    if (alsoIn.length > 0) throw new DriverError('UNSUPPORTED', 'One table is searched at a time.');
    const anywhere = options[ANYWHERE] ?? false;
    if (typeof anywhere !== 'boolean') throw unknown('value of the option', ANYWHERE);
    const { query, droppedSorts } = await queryOf(request, tables, signal);
    const chosen = request.fields.length > 0 ? request.fields : known.fields;
    const fields = chosen.map(({ name }) => name);
    return { json: { ...query, text, fields, facets: request.facets, anywhere, offset, limit }, droppedSorts };
  }

  return {
    form: (table, { signal }) => form(table, signal),
    async search(request, { signal }) {
      const { json, droppedSorts } = await bodyOf(request, signal);
      const path = tablePath(request.table, 'search');
      const answer = (await link.json({ method: 'POST', path, json, isReading: true, signal })) as Answer;
      return {
        found: answer.found,
        outOf: answer.outOf,
        isCutOff: false,
        hits: answer.hits.map(({ row, score, highlights }) => ({
          key: [row['id'] ?? null],
          document: JSON.stringify(row),
          highlights,
          score: String(score),
          explanation: [],
          marks: [],
        })),
        facets: answer.facets.map(({ column, values }) => ({
          column,
          values: values.slice(0, 250).map(({ value, rows }) => ({ value: String(value), rows })),
        })),
        leftOut: [],
        droppedSorts,
        request: { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) },
        code: [],
        notes: [],
      };
    },
  };
}
