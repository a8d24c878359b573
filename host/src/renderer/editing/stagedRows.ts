import { ABSENT, rowKeyText } from '@tabularium/sdk';
import type { Cell, Column, RowKey } from '@tabularium/sdk';
import type { SaveProblem, StageChange, StagedRow } from '../../common/editing.ts';
import { columnAtFault, ofColumn } from './columnAtFault.ts';
import { meanwhileText } from './meanwhileText.ts';
import { messageInWindowLanguage } from '../api/inWindowLanguage.ts';
import type { GridRow } from '../grid/model/pageCache.ts';
import { lackingFields } from '../../common/lackingFields.ts';
import { strings } from '../i18n/index.ts';
import { cellInside, memberNode } from '../grid/model/rowDocument.ts';
import { keyOfRow } from '../grid/model/wholeRows.ts';

type DescribedColumn = Pick<Column, 'name' | 'kind' | 'required'>;

/** The staged change of one row, by the places of its columns in the grid. */
export interface RowMarks {
  readonly kind: StagedRow['kind'];
  readonly changed: ReadonlySet<number>;
  /** Of a new row: the places of required fields without a value. */
  readonly lacking: ReadonlySet<number>;
  /** Why it was not saved, and the place of the cell at fault where that is known. */
  readonly problem?: { readonly place: number | undefined; readonly text: string };
  readonly isSending: boolean;
}

/** Rows by their ids, after a change. The order is that in which they were first staged. */
export function changedRows(
  before: ReadonlyMap<string, StagedRow>,
  change: Pick<StageChange, 'rows' | 'gone'>,
): ReadonlyMap<string, StagedRow> {
  const rows = new Map(before);
  for (const id of change.gone) rows.delete(id);
  for (const row of change.rows) rows.set(row.id, row);
  return rows;
}

/** Lays staged changes over the rows of a grid. Answers with the same objects while nothing changes, so that no row renders in vain. */
export class StagedOverlay {
  readonly #columns: readonly string[];
  readonly #keyPlaces: readonly number[];
  readonly #rows: ReadonlyMap<string, StagedRow>;
  readonly #described: ReadonlyMap<string, DescribedColumn>;
  readonly #problemText: (problem: SaveProblem) => string;
  readonly #marks: WeakMap<StagedRow, RowMarks>;
  readonly #merged: WeakMap<StagedRow, { readonly base: GridRow | undefined; readonly row: GridRow }>;
  /** Rows to be inserted; they are above the others. */
  readonly inserted: readonly StagedRow[];

  /**
   * @param columns - the grid's columns, in its order
   * @param key - the columns whose values name a row
   * @param described - the columns as the driver describes them, in any order
   * @param problemText - why a row was not saved, in the language of the window
   */
  constructor(
    columns: readonly string[],
    key: readonly string[],
    rows: ReadonlyMap<string, StagedRow>,
    described: readonly DescribedColumn[] = [],
    problemText: (problem: SaveProblem) => string = ({ code, message }) => messageInWindowLanguage(code, message),
  ) {
    this.#problemText = problemText;
    this.#columns = columns;
    this.#keyPlaces = key.map((name) => columns.indexOf(name));
    this.#rows = rows;
    this.#described = new Map(described.map((column) => [column.name, column]));
    this.#marks = new WeakMap();
    this.#merged = new WeakMap();
    this.inserted = [...rows.values()].filter(({ kind }) => kind === 'insert');
  }

  keyOf(row: GridRow): RowKey | undefined {
    return keyOfRow(row, this.#keyPlaces);
  }

  stagedFor(row: GridRow): StagedRow | undefined {
    if (this.#rows.size === 0) return undefined;
    const key = this.keyOf(row);
    return key === undefined ? undefined : this.#rows.get(rowKeyText(key));
  }

  /** A row as it will be. */
  merged(base: GridRow | undefined, staged: StagedRow): GridRow {
    const known = this.#merged.get(staged);
    if (known !== undefined && known.base === base) return known.row;
    const values = this.#values(staged);
    const row = this.#columns.map(
      (name, place) => values.get(name) ?? (values.has(name) ? null : (base?.[place] ?? (base === undefined ? ABSENT : null))),
    );
    this.#merged.set(staged, { base, row });
    return row;
  }

  /** The staged values of columns, also of those inside a member of the document that is staged as a whole. */
  #values({ cells }: StagedRow): ReadonlyMap<string, Cell> {
    const values = new Map<string, Cell>();
    for (const { column, value } of cells) {
      const inside = this.#columns.includes(column) ? [] : this.#columns.filter((name) => name.startsWith(`${column}.`));
      if (inside.length === 0) values.set(column, value);
      const member = memberNode(value);
      for (const name of inside) {
        const kind = this.#described.get(name)?.kind ?? 'json';
        values.set(name, member === undefined ? ABSENT : cellInside(member, name.slice(column.length + 1), { kind }));
      }
    }
    return values;
  }

  marks(staged: StagedRow): RowMarks {
    const known = this.#marks.get(staged);
    if (known !== undefined) return known;
    const lacking = lackingFields(staged, [...this.#described.values()]);
    const marks: RowMarks = {
      lacking: new Set(lacking.map((name) => this.#columns.indexOf(name))),
      kind: staged.kind,
      changed: new Set([...this.#values(staged).keys()].map((column) => this.#columns.indexOf(column))),
      ...(staged.problem === undefined ? {} : { problem: this.#problem(staged, staged.problem, lacking) }),
      isSending: staged.sending,
    };
    this.#marks.set(staged, marks);
    return marks;
  }

  #problem(staged: StagedRow, problem: SaveProblem, lacking: readonly string[]): NonNullable<RowMarks['problem']> {
    const { meanwhile } = problem;
    if (meanwhile !== undefined) {
      const column = meanwhile.is === 'changed' ? meanwhile.cells[0]?.column : undefined;
      return { place: this.#placeOf(column), text: meanwhileText(meanwhile) };
    }
    if (lacking.length > 0) return { place: this.#placeOf(lacking[0]), text: strings.editing.lacks(lacking) };
    const column = columnAtFault(staged, problem);
    return { place: this.#placeOf(column), text: ofColumn(column, this.#problemText(problem)) };
  }

  #placeOf(column: string | undefined): number | undefined {
    const place = column === undefined ? -1 : this.#columns.indexOf(column);
    return place === -1 ? undefined : place;
  }
}
