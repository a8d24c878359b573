import type { Cell, ConsoleFacet } from '@tabularium/sdk';
import type { Link } from '../link.ts';
import { cellsOf } from '../query.ts';
import { classified, requireStatement, splitStatements } from '../statements.ts';
import type { Row, Tables } from '../tables.ts';

/** Rows of one event: an event is at most 16 MB. */
const ROWS_PER_EVENT = 500;
const VERBS = ['list', 'remove', 'wait'];

interface Answer {
  readonly changed?: number;
  readonly columns?: readonly { readonly name: string; readonly type: 'number' | 'string' }[];
  readonly rows?: readonly Row[];
  readonly truncated?: boolean;
}

/** Statements in the database's own language. */
export function consoleFacet(link: Link, tables: Tables): ConsoleFacet {
  return {
    split: splitStatements,
    async classify(statement, { signal }) {
      signal.throwIfAborted();
      return classified(statement);
    },
    async *run(statement, { maxRows, signal }) {
      link.begin(signal);
      const { effect } = requireStatement(statement);
      const began = performance.now();
      const json = { text: statement, maxRows };
      const answer = (await link.json({
        method: 'POST',
        path: '/statements',
        json,
        isReading: effect === 'read',
        signal,
      })) as Answer;
      const done = () => ({
        type: 'done' as const,
        truncated: answer.truncated === true,
        milliseconds: performance.now() - began,
      });
      const { columns, rows = [] } = answer;
      if (columns === undefined) {
        yield answer.changed === undefined ? done() : { ...done(), affectedRows: answer.changed };
        return;
      }
      yield {
        type: 'rowsBegin',
        columns: columns.map(({ name, type }) => ({ name, kind: type === 'number' ? 'decimal' : 'text' })),
      };
      for (let from = 0; from < rows.length; from += ROWS_PER_EVENT) {
        signal.throwIfAborted();
        const some = rows.slice(from, from + ROWS_PER_EVENT);
        yield { type: 'rows', rows: some.map((row): readonly Cell[] => cellsOf(row, columns)) };
      }
      yield done();
    },
    async complete(text, offset, { signal }) {
      const begun = /\w*$/.exec(text.slice(0, offset))?.[0] ?? '';
      const listed = await tables.list(signal).catch(() => []);
      const items = [
        ...VERBS.map((verb) => ({ label: verb, insert: verb, kind: 'keyword' as const })),
        ...listed.map(({ ref }) => ({ label: ref.name, insert: ref.name, kind: 'table' as const })),
      ];
      return { from: offset - begun.length, items: items.filter(({ label }) => label.startsWith(begun)) };
    },
    async examples({ signal }) {
      return (await tables.list(signal)).slice(0, 3).map(({ ref }) => `list ${ref.name}`);
    },
  };
}
