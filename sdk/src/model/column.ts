import type { DriverTexts } from './driverText.ts';

/**
 * The kind of a value, for a program that shows it: alignment, editor, how a plain {@link Cell} is read. A host treats a kind that it
 * does not know as `text`.
 *
 * A value of these kinds is a text as the database writes it, and as the driver takes it back:
 *
 * - `enum`: one of the labels of a list, see {@link Column.values}.
 * - `array`: a list of values of one type, such as `{1,2,NULL}`. A list that the database writes as JSON is `json`.
 * - `range`: the values between two ends, such as `[2026-01-01,2026-02-01)`, or several such ranges.
 * - `interval`: a span of time, such as `1 mon 03:00:00`.
 * - `vector`: numbers of a fixed count that are compared by distance, such as `[0.12,-0.5]`.
 */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'uuid'
  | 'enum'
  | 'array'
  | 'range'
  | 'vector'
  | 'bytes'
  | 'json'
  | 'geo';

/** Whether something can be done, and if not, why: the reason is shown to people unchanged, or in their language. */
export type Ability =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: string; readonly texts?: DriverTexts };

/** A property of a column that the database's people look for by its name, such as an index of a kind. Shown as a mark, with a legend. */
export interface ColumnMark {
  /** One to three words in the database's own term, such as `Facet`; at most 40 characters. */
  readonly label: string;
  /** Its meaning for a person, in a few words. The same for all columns with that label. */
  readonly meaning: string;
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;
}

/**
 * The least and the greatest number of a column, both included, as JSON numbers: texts, because a double can't hold the ends of 64 bits. Of an `integer` column both are whole.
 */
export interface NumberRange {
  readonly least: string;
  readonly greatest: string;
}

/**
 * Where the values of a column come from that the database writes itself.
 *
 * - `identityAlways`: it numbers the rows, and takes no value from a new row.
 * - `identityByDefault`: it numbers those rows that come without a value.
 * - `stored`: it computes the value when the row is written.
 * - `virtual`: it computes the value when the row is read.
 */
export type GenerationKind = 'identityAlways' | 'identityByDefault' | 'stored' | 'virtual';

/** How the database writes a column. Except for `identityByDefault`, a host offers no value for it in a new row, and the column isn't editable. */
export interface ColumnGeneration {
  readonly kind: GenerationKind;
  /** The computation in the database's own language, 1 to 4,000 characters. Cut a longer one. Absent of an identity, and where the database doesn't say. */
  readonly expression?: string;
}

/** One column of a table. Columns are ordered as the table shows them. */
export interface Column {
  /** Unique within its table. A dotted name (`seller.name`) is one name, not a path. */
  readonly name: string;
  /** How values are shown and read. */
  readonly kind: ColumnKind;
  /** The database's own name of the type, such as `int32[]` or `NUMERIC(12,2)`. */
  readonly type: string;
  /** Whether a row may hold null here, or lack the field. */
  readonly nullable: boolean;
  /**
   * True where a new row needs a value here: the database neither computes one nor has a default, and takes neither null nor nothing. Absent: not
   * known.
   */
  readonly required?: boolean;
  /**
   * Of `integer` and `decimal`: the numbers that the column can store. A host refuses others where they are typed, and the driver refuses them in a change. Absent: not known, and the
   * driver alone decides.
   */
  readonly range?: NumberRange;
  /**
   * Of `integer` and `decimal`: what the column stores besides numbers, at most 8, each as the driver reads and takes it, such as `NaN` and `-Infinity`.
   * A host takes them where a number is typed, in letters of either case, and passes on the text given here. Absent or empty: numbers alone.
   */
  readonly specialValues?: readonly string[];
  /**
   * Of `enum`: the labels that the column takes, in the order of the database, each once, 1 to 1,000 of at most 1,000 characters. A host offers them where a value is
   * typed, and refuses others. Absent: not known or more than that, and the driver alone decides.
   */
  readonly values?: readonly string[];
  /**
   * The value of a new row that names none, as the database's own language writes it, such as `now()` or `'open'::text`: 1 to 4,000 characters. Cut a longer one. A host shows it and
   * computes nothing from it. Absent where there is none, where it is null, and of a column with `generated`.
   */
  readonly default?: string;
  /** Set where the database writes the values itself. Absent where it doesn't, or doesn't say. */
  readonly generated?: ColumnGeneration;
  /** The comment that the database stores with the column: text of people, never translated, 1 to 10,000 characters. Cut a longer one. Absent where there is none. */
  readonly comment?: string;
  /** Whether a value can be changed in an existing row, and why not. */
  readonly editable: Ability;
  /** Whether a page can be ordered by this column, and why not. */
  readonly sortable: Ability;
  /**
   * The name of the filter class in the manifest (`filtering.classes`) that lists this column's operators; absent when the
   * column cannot be filtered at all.
   */
  readonly filterClass?: string;
  /**
   * False where adding the values up says nothing: they refer to rows, or are codes, years or moments. True where it does. Absent: a host judges by
   * kind, key and name. It decides what a host sums and averages, and changes no value.
   */
  readonly quantity?: boolean;
  /** Properties in the database's own terms, at most 12, in the order to show them. Key, null, sorting, filters and editing are known from the above. */
  readonly marks?: readonly ColumnMark[];
  /** A note for people: a limit, that its values aren't stored. Nothing that another member says: a host shows both. */
  readonly note?: string;
  /** The note in other languages. */
  readonly texts?: DriverTexts;
}
