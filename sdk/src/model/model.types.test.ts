import { expectTypeOf, it } from 'vitest';
import type { ABSENT, Cell, PageCell, TaggedCell, UnreadCell, isUnread } from './cell.ts';
import type { Ability, Column, ColumnKind } from './column.ts';
import type { decodeBatch, decodePage, encodeBatch } from './batch.ts';
import type { FILTER_OPERATORS, Filter, FilterCondition, FilterOperator, NO_FILTER } from './filter.ts';
import type { BatchColumn, Page, PageBatch, PageHead, PagePosition, PageRequest, Placeholders, RowBatch } from './page.ts';
import type { RowKey } from './rowKey.ts';
import type { DriverTexts } from './driverText.ts';
import type { DroppedSort, Sort } from './sort.ts';
import type { ResultEvent, Statement, StatementClassification, StatementEffect } from './statement.ts';
import type { PagingMode, RowCount, TableDescription, TableKind, TableRef, TableSummary } from './table.ts';

it('cell.ts', () => {
  expectTypeOf<typeof ABSENT>().toExtend<TaggedCell>();
  expectTypeOf<['number', '9007199254740993']>().toExtend<Cell>();
  expectTypeOf<null | boolean | number | string>().toExtend<Cell>();
  expectTypeOf<bigint>().not.toExtend<Cell>();
  expectTypeOf<undefined>().not.toExtend<Cell>();
  expectTypeOf<['boolean', 'yes']>().not.toExtend<Cell>();
  // A placeholder isn't a value: it can neither be a key nor be written.
  expectTypeOf<UnreadCell>().not.toExtend<Cell>();
  expectTypeOf<PageCell>().toEqualTypeOf<Cell | UnreadCell>();
  expectTypeOf<typeof isUnread>().guards.toEqualTypeOf<UnreadCell>();
});

it('column.ts', () => {
  expectTypeOf<{ allowed: true }>().toExtend<Ability>();
  // Each rejection has a reason.
  expectTypeOf<{ allowed: false }>().not.toExtend<Ability>();
  expectTypeOf<Column['kind']>().toEqualTypeOf<ColumnKind>();
  expectTypeOf<Column['filterClass']>().toEqualTypeOf<string | undefined>();
});

it('batch.ts', () => {
  expectTypeOf<typeof encodeBatch>().toEqualTypeOf<(batch: PageBatch) => Uint8Array>();
  expectTypeOf<typeof decodeBatch>().toEqualTypeOf<(bytes: Uint8Array) => RowBatch>();
  expectTypeOf<typeof decodePage>().toEqualTypeOf<(bytes: Uint8Array) => PageBatch>();
});

it('filter.ts', () => {
  expectTypeOf<(typeof FILTER_OPERATORS)[number]>().toEqualTypeOf<FilterOperator>();
  expectTypeOf<typeof NO_FILTER>().toExtend<Filter>();
  expectTypeOf<Filter['conditions'][number]>().toEqualTypeOf<FilterCondition>();
  expectTypeOf<Filter['matchCase']>().toEqualTypeOf<boolean | undefined>();
});

it('page.ts', () => {
  expectTypeOf<Page>().toExtend<PageHead & { readonly batch: Uint8Array }>();
  expectTypeOf<PagePosition['from']>().toEqualTypeOf<'start' | 'offset' | 'cursor' | 'end'>();
  expectTypeOf<{ from: 'offset' }>().not.toExtend<PagePosition>();
  expectTypeOf<RowBatch>().toExtend<PageBatch>();
  expectTypeOf<PageBatch>().not.toExtend<RowBatch>();
  // A driver of an earlier contract has neither.
  expectTypeOf<PageRequest['columns']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<PageRequest['placeholders']>().toEqualTypeOf<Placeholders | undefined>();
  expectTypeOf<PageRequest['sorts']>().toEqualTypeOf<readonly Sort[]>();
  expectTypeOf<PageHead['droppedSorts']>().toEqualTypeOf<readonly DroppedSort[]>();
  expectTypeOf<RowBatch['columns'][number]>().toEqualTypeOf<BatchColumn>();
  expectTypeOf<RowBatch['rows'][number][number]>().toEqualTypeOf<Cell>();
});

it('rowKey.ts and sort.ts', () => {
  expectTypeOf<RowKey>().toEqualTypeOf<readonly Cell[]>();
  expectTypeOf<Sort['direction']>().toEqualTypeOf<'ascending' | 'descending'>();
  expectTypeOf<DroppedSort>().toEqualTypeOf<{ readonly column: string; readonly reason: string; readonly texts?: DriverTexts }>();
});

it('statement.ts', () => {
  expectTypeOf<StatementEffect>().toEqualTypeOf<'read' | 'write' | 'destructive'>();
  expectTypeOf<StatementClassification['tables']>().toEqualTypeOf<readonly TableRef[]>();
  expectTypeOf<ResultEvent['type']>().toEqualTypeOf<'rowsBegin' | 'rows' | 'text' | 'done'>();
  expectTypeOf<Statement>().toEqualTypeOf<{ readonly text: string; readonly start: number; readonly end: number }>();
});

it('table.ts', () => {
  expectTypeOf<TableRef>().toEqualTypeOf<{ readonly namespace: readonly string[]; readonly name: string }>();
  expectTypeOf<TableKind>().toEqualTypeOf<'table' | 'view' | 'materializedView'>();
  expectTypeOf<PagingMode>().toEqualTypeOf<'offset' | 'cursor'>();
  expectTypeOf<TableSummary['count']>().toEqualTypeOf<RowCount | undefined>();
  expectTypeOf<TableDescription['key']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<TableDescription['paging']>().toEqualTypeOf<PagingMode>();
});
