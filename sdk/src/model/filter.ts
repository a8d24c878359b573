/** The words of the filter bar. What each means for a database is said by its driver's manifest (`filtering.classes`). */
export type FilterOperator =
  | 'equals'
  | 'notEquals'
  | 'greaterThan'
  | 'greaterOrEqual'
  | 'lessThan'
  | 'lessOrEqual'
  | 'between'
  | 'in'
  | 'notIn'
  | 'contains'
  | 'notContains'
  | 'startsWith'
  | 'endsWith'
  | 'isNull'
  | 'isNotNull'
  | 'isEmpty'
  | 'isNotEmpty'
  | 'matchesRegex'
  | 'withinRadius'
  | 'withinPolygon';

/** Every {@link FilterOperator}, in the order in which a filter bar lists them. */
export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'between',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'isNull',
  'isNotNull',
  'isEmpty',
  'isNotEmpty',
  'matchesRegex',
  'withinRadius',
  'withinPolygon',
] as const satisfies readonly FilterOperator[];

/**
 * How many values an operator takes: none, one, two, or one or more. The two of `between` are the low and the high end; those of `withinRadius` a
 * point and a distance, `48.8566, 2.3522` (latitude, longitude, in degrees) and `5 km` (or `m`, `mi`). The value of `withinPolygon` is the corners in
 * order, `48, 2; 49, 2; 49, 3`, at least three.
 */
export const FILTER_VALUES: Readonly<Record<FilterOperator, 'none' | 'one' | 'two' | 'many'>> = {
  equals: 'one',
  notEquals: 'one',
  greaterThan: 'one',
  greaterOrEqual: 'one',
  lessThan: 'one',
  lessOrEqual: 'one',
  between: 'two',
  in: 'many',
  notIn: 'many',
  contains: 'one',
  notContains: 'one',
  startsWith: 'one',
  endsWith: 'one',
  isNull: 'none',
  isNotNull: 'none',
  isEmpty: 'none',
  isNotEmpty: 'none',
  matchesRegex: 'one',
  withinRadius: 'two',
  withinPolygon: 'one',
};

/** One row of the filter bar. */
export interface FilterCondition {
  /** The name of a column; one that is not there is refused. */
  readonly column: string;
  /** One that the manifest offers for the column's filter class; any other is refused. */
  readonly operator: FilterOperator;
  /** As the person typed them; the driver checks and converts them. As many as {@link FILTER_VALUES} says. */
  readonly values: readonly string[];
}

/** A whole filter. Without conditions and without raw text it lets every row pass. */
export interface Filter {
  /** `all`: every condition and the raw text must hold; `any`: one of them suffices. */
  readonly match: 'all' | 'any';
  /** In the order in which the filter bar shows them, which changes nothing. */
  readonly conditions: readonly FilterCondition[];
  /** An expression in the database's own language, sent verbatim; blank text counts as none. */
  readonly raw?: string;
  /** Whether letter case counts when text is compared, where the manifest's `caseControl` leaves the choice; absent: as the database does. */
  readonly matchCase?: boolean;
}

/** The filter that lets every row pass. */
export const NO_FILTER: Filter = { match: 'all', conditions: [] };
