import { DriverError, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterCondition, FilterOperator } from '@tabularium/sdk';
import { isPlainName } from './columns.ts';
import { baseType, factsOf } from './fieldTypes.ts';
import type { FilterClass } from './fieldTypes.ts';
import { booleanLiteral, decimalLiteral, idLiteral, integerLiteral, textListLiteral, textLiteral } from './literals.ts';
import { withinPolygon, withinRadius } from './places.ts';
import type { CollectionSchema } from './schema.ts';
import { faultTexts } from './faultTexts.ts';

/** Operators that the server has for no field, with the labels of the filter bar. */
const IMPOSSIBLE: Readonly<Partial<Record<FilterOperator, string>>> = {
  isNull: 'is NULL',
  isNotNull: 'is not NULL',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  matchesRegex: 'matches regex',
  endsWith: 'ends with',
};

const COMPARISONS: Readonly<Partial<Record<FilterOperator, string>>> = {
  greaterThan: '>',
  greaterOrEqual: '>=',
  lessThan: '<',
  lessOrEqual: '<=',
};

const GEO: ReadonlySet<FilterOperator> = new Set(['withinRadius', 'withinPolygon']);

/** How one field's values are written. */
interface Target {
  readonly column: string;
  /** Undefined where the schema is hidden from the key. */
  readonly filterClass: FilterClass | undefined;
  readonly literal: (value: string) => string;
  readonly listLiteral: (value: string) => string;
  /** For comparisons. */
  readonly numberLiteral: (value: string) => string;
}

/**
 * The `filter_by` text of a filter; undefined when every document passes. A single clause has no brackets, several have brackets each:
 * to the server `&&` and `||` weigh the same, so nothing may depend on their order.
 *
 * @param schema - undefined when the key may not read it; values are then written as they look
 * @throws DriverError for what cannot be sent as it is meant
 */
export function filterText(filter: Filter, schema: CollectionSchema | undefined): string | undefined {
  const clauses = filter.conditions.map((condition) => clause(condition, schema));
  const raw = filter.raw ?? '';
  if (raw.trim() !== '') clauses.push(raw);
  if (clauses.length <= 1) return clauses[0];
  return clauses.map((text) => `(${text})`).join(filter.match === 'all' ? ' && ' : ' || ');
}

function clause({ column, operator, values }: FilterCondition, schema: CollectionSchema | undefined): string {
  const impossible = IMPOSSIBLE[operator];
  if (impossible !== undefined) {
    throw new DriverError('UNSUPPORTED', `The search server doesn't support the filter “${impossible}”.`, {
      details: {
        field: column,
        advice: 'Use another operator, or the raw filter.',
        texts: faultTexts('fault.filterOperator', { operator: impossible }, 'fault.otherOperator'),
      },
    });
  }
  const wanted = FILTER_VALUES[operator];
  const enough = wanted === 'one' ? values.length === 1 : wanted === 'two' ? values.length === 2 : values.length > 0;
  if (!enough) {
    throw new DriverError(
      'INVALID_INPUT',
      `The filter on “${column}” needs ${wanted === 'one' ? 'one value' : wanted === 'two' ? 'two values' : 'at least one value'}.`,
      { details: { field: column, texts: faultTexts('fault.filterValues', { column, wanted }) } },
    );
  }
  const target = targetOf(column, schema);
  if (target.filterClass === 'geo' && !GEO.has(operator)) {
    throw new DriverError('UNSUPPORTED', `The server filters points by distance or area only, and “${column}” holds points.`, {
      details: {
        field: column,
        advice: 'Use “is within a distance of” or “is within the area”.',
        texts: faultTexts('fault.filterPoints', { column }, 'fault.filterPoints.advice'),
      },
    });
  }
  const first = values[0] ?? '';
  switch (operator) {
    case 'equals':
      return `${column}:=${target.literal(first)}`;
    case 'notEquals':
      return `${column}:!=${target.literal(first)}`;
    case 'in':
      return listClause(target, ':=', ' || ', values);
    case 'notIn':
      return listClause(target, ':!=', ' && ', values);
    case 'greaterThan':
    case 'greaterOrEqual':
    case 'lessThan':
    case 'lessOrEqual':
      onlyNumbers(target);
      return `${column}:${COMPARISONS[operator]}${target.numberLiteral(first)}`;
    case 'between':
      onlyNumbers(target);
      return `${column}:[${target.numberLiteral(first)}..${target.numberLiteral(values[1] ?? '')}]`;
    case 'contains':
      onlyText(target);
      return `${column}:${textLiteral(column, first)}`;
    case 'notContains':
      onlyText(target);
      return `${column}:!${textLiteral(column, first)}`;
    case 'startsWith':
      onlyText(target);
      return `${column}:${textLiteral(column, first)}*`;
    case 'withinRadius':
      onlyPoints(target);
      return withinRadius(column, first, values[1] ?? '');
    case 'withinPolygon':
      onlyPoints(target);
      return withinPolygon(column, first);
    default:
      throw new DriverError('UNSUPPORTED', `The search server doesn't support the filter “${operator}”.`, {
        details: { field: column, texts: faultTexts('fault.filterOperator', { operator }) },
      });
  }
}

/** A text in double quotes. In a list version 30 takes them for a phrase, which finds longer texts as well; alone it compares. */
const PHRASE = /^\s*".*"\s*$/s;

/** One list of all values; a value that a list would not compare has a clause of its own. */
function listClause(target: Target, operator: ':=' | ':!=', join: ' || ' | ' && ', values: readonly string[]): string {
  const { column, filterClass } = target;
  const isAlone = (value: string): boolean => (filterClass === 'text' || filterClass === undefined) && PHRASE.test(value);
  const listed = values.filter((value) => !isAlone(value));
  const clauses = [
    ...(listed.length === 0 ? [] : [`${column}${operator}[${listed.map(target.listLiteral).join(',')}]`]),
    ...values.filter(isAlone).map((value) => `${column}${operator}${target.literal(value)}`),
  ];
  return clauses.length === 1 ? (clauses[0] ?? '') : `(${clauses.join(join)})`;
}

function onlyNumbers({ column, filterClass }: Target): void {
  if (filterClass === undefined || filterClass === 'integer' || filterClass === 'number') return;
  throw new DriverError(
    'UNSUPPORTED',
    `The search server compares numbers only, and “${column}” holds ${filterClass === 'boolean' ? 'true or false' : 'text'}.`,
    {
      details: {
        field: column,
        advice: 'Use “equals”, or filter by a numeric field.',
        texts: faultTexts(
          'fault.filterNumbersOnly',
          { column, holds: filterClass === 'boolean' ? 'boolean' : 'text' },
          'fault.filterNumbersOnly.advice',
        ),
      },
    },
  );
}

function onlyPoints({ column, filterClass }: Target): void {
  if (filterClass === undefined || filterClass === 'geo') return;
  throw new DriverError('UNSUPPORTED', `“${column}” does not hold points, so it cannot be filtered by distance or area.`, {
    details: {
      field: column,
      advice: 'Filter by a field of the type geopoint.',
      texts: faultTexts('fault.filterNoPoints', { column }, 'fault.filterNoPoints.advice'),
    },
  });
}

function onlyText({ column, filterClass }: Target): void {
  if (filterClass === undefined || filterClass === 'text') return;
  const what = filterClass === 'id' ? 'compares ids as a whole' : 'searches for words in strings only';
  throw new DriverError('UNSUPPORTED', `The search server ${what}, so this filter on “${column}” is unsupported.`, {
    details: {
      field: column,
      advice: 'Use “equals” or “in”.',
      texts: faultTexts(
        'fault.filterNoWords',
        { column, holds: filterClass === 'id' ? 'id' : 'other' },
        'fault.filterNoWords.advice',
      ),
    },
  });
}

function targetOf(column: string, schema: CollectionSchema | undefined): Target {
  if (column === 'id') return same(column, 'id', idLiteral);
  if (!isPlainName(column)) {
    throw new DriverError('UNSUPPORTED', `The name “${column}” cannot be written in a filter.`, {
      details: { field: column, texts: faultTexts('fault.filterName', { column }) },
    });
  }
  if (schema === undefined) return unknownTarget(column);
  const field = schema.fields.find(({ name }) => name === column);
  if (field === undefined) {
    throw new DriverError('STRUCTURE_CHANGED', `The collection has no field “${column}” to filter by.`, {
      details: {
        field: column,
        advice: 'Reload the structure: a field of an auto-schema collection exists only after a document has brought it.',
        texts: faultTexts('fault.noField', { column }, 'fault.noField.advice'),
      },
    });
  }
  const { filterClass, unfilterable } = factsOf(field.type);
  const reason = !field.index
    ? 'It is not indexed.'
    : field.dimensions > 0
      ? 'It is a vector.'
      : filterClass === undefined
        ? (unfilterable ?? 'Its type has no filter.')
        : undefined;
  if (reason !== undefined || filterClass === undefined) {
    throw new DriverError('UNSUPPORTED', `The field “${column}” cannot be filtered. ${reason}`, {
      details: {
        field: column,
        texts: faultTexts('fault.unfilterable', {
          column,
          why: !field.index ? 'index' : field.dimensions > 0 ? 'vector' : 'type',
        }),
      },
    });
  }
  switch (filterClass) {
    case 'integer': {
      const type = baseType(field.type) === 'int32' ? 'int32' : 'int64';
      return same(column, filterClass, (value) => integerLiteral(column, value, type));
    }
    case 'number':
      return same(column, filterClass, (value) => decimalLiteral(column, value));
    case 'boolean':
      return same(column, filterClass, (value) => booleanLiteral(column, value));
    case 'geo':
      return same(column, filterClass, (value) => textLiteral(column, value));
    case 'text':
    case 'id':
      return {
        ...same(column, 'text', (value) => textLiteral(column, value)),
        listLiteral: (value) => textListLiteral(column, value),
      };
  }
}

function same(column: string, filterClass: FilterClass, literal: (value: string) => string): Target {
  return { column, filterClass, literal, listLiteral: literal, numberLiteral: literal };
}

const LOOKS_NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** A field of which nothing is known: what looks like a number or a truth value is written as one, which text fields understand too. */
function unknownTarget(column: string): Target {
  const plain = (value: string): boolean => LOOKS_NUMERIC.test(value.trim()) || /^(?:true|false)$/.test(value.trim());
  return {
    column,
    filterClass: undefined,
    literal: (value) => (plain(value) ? value.trim() : textLiteral(column, value)),
    listLiteral: (value) => (plain(value) ? value.trim() : textListLiteral(column, value)),
    numberLiteral: (value) => (LOOKS_NUMERIC.test(value.trim()) ? value.trim() : decimalLiteral(column, value)),
  };
}
