import { expectTypeOf, it } from 'vitest';
import type { HttpRequest } from '../capabilities/http.ts';
import type { Session } from '../driver.ts';
import type { CallOptions } from '../callOptions.ts';
import type { Cell } from '../model/cell.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { ResultEvent, StatementEffect } from '../model/statement.ts';
import type { RowCount, TableRef } from '../model/table.ts';
import type { Completion, CompletionList, ConsoleFacet, DescribedRequest } from './console.ts';
import type { RunOptions } from './runOptions.ts';
import type { Assignment, ChangeOutcome, EditsFacet, PreparedChange, RowChange } from './edits.ts';
import type { ExportEvent, ExportFacet, ExportRequest, ExportSplice, SpliceSummary } from './export.ts';
import type { ExpressionsFacet, ReadExpressions, SentExpression } from './expressions.ts';
import type { Metric, MetricsFacet, MetricsReading, MetricUnit } from './metrics.ts';
import type { ImportFacet, ImportMode, RowOutcome } from './import.ts';
import type { ObjectChange, ObjectField, ObjectKind, ObjectPage, ObjectsFacet } from './objects.ts';
import type {
  OperationEvent,
  OperationForm,
  OperationPlace,
  OperationPlan,
  OperationUndo,
  OperationsFacet,
} from './operations.ts';
import type { CreatedPrincipal, Principal, PrincipalField, PrincipalInput, PrincipalsFacet } from './principals.ts';
import type { ReadRows, RowsFacet, RowsRequest } from './rows.ts';
import type { SearchAnswer, SearchFacet, SearchHit, SearchOption, SearchRequest } from './search.ts';
import type { SuggestedValue, SuggestionRequest, Suggestions, SuggestionsFacet } from './suggestions.ts';
import type { OperationResult, PlannedOperation, TableOperation, TableOperationsFacet } from './tableOperations.ts';

it('every facet is optional, found by its presence', () => {
  expectTypeOf<Session['console']>().toEqualTypeOf<ConsoleFacet | undefined>();
  expectTypeOf<Session['edits']>().toEqualTypeOf<EditsFacet | undefined>();
  expectTypeOf<Session['export']>().toEqualTypeOf<ExportFacet | undefined>();
  expectTypeOf<Session['tableOperations']>().toEqualTypeOf<TableOperationsFacet | undefined>();
  expectTypeOf<Session['principals']>().toEqualTypeOf<PrincipalsFacet | undefined>();
  expectTypeOf<Session['metrics']>().toEqualTypeOf<MetricsFacet | undefined>();
  expectTypeOf<Session['suggestions']>().toEqualTypeOf<SuggestionsFacet | undefined>();
  expectTypeOf<Session['expressions']>().toEqualTypeOf<ExpressionsFacet | undefined>();
  expectTypeOf<Session['rows']>().toEqualTypeOf<RowsFacet | undefined>();
  expectTypeOf<Session['search']>().toEqualTypeOf<SearchFacet | undefined>();
  expectTypeOf<Session['objects']>().toEqualTypeOf<ObjectsFacet | undefined>();
  expectTypeOf<Session['operations']>().toEqualTypeOf<OperationsFacet | undefined>();
});

it('every call that waits can be cancelled', () => {
  type Last<F> = F extends (...parameters: [...infer _, infer O]) => unknown ? O : never;
  expectTypeOf<Last<EditsFacet['prepare']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<EditsFacet['apply']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ExportFacet['rows']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ExportFacet['splice']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<TableOperationsFacet['run']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<PrincipalsFacet['create']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<MetricsFacet['read']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<SuggestionsFacet['values']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ExpressionsFacet['ofRead']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<RowsFacet['read']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<SearchFacet['form']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<SearchFacet['search']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ObjectsFacet['list']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ObjectsFacet['plan']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<Last<ObjectsFacet['apply']>>().toEqualTypeOf<CallOptions>();
  expectTypeOf<RunOptions['signal']>().toEqualTypeOf<AbortSignal>();
});

it('console.ts', () => {
  // A driver without completions keeps the contract.
  expectTypeOf<Omit<ConsoleFacet, 'complete' | 'describeRequest' | 'examples'>>().toExtend<ConsoleFacet>();
  // A described request holds no signal and no credential of its own.
  expectTypeOf<keyof DescribedRequest>().toEqualTypeOf<'method' | 'path' | 'headers' | 'body'>();
  expectTypeOf<Completion['kind']>().toEqualTypeOf<'keyword' | 'request' | 'table' | 'column' | 'parameter' | 'value'>();
  expectTypeOf<CompletionList['items'][number]>().toEqualTypeOf<Completion>();
  expectTypeOf<ReturnType<ConsoleFacet['run']>>().toEqualTypeOf<AsyncIterable<ResultEvent>>();
});

it('edits.ts', () => {
  expectTypeOf<Assignment['value']>().toEqualTypeOf<Cell>();
  expectTypeOf<RowChange['kind']>().toEqualTypeOf<'insert' | 'update' | 'delete'>();
  // A new row has no key yet, and a deleted one has no values.
  expectTypeOf<{ kind: 'insert'; key: RowKey }>().not.toExtend<RowChange>();
  expectTypeOf<{ kind: 'delete'; assignments: [] }>().not.toExtend<RowChange>();
  expectTypeOf<EditsFacet['atomicity']>().toEqualTypeOf<'all' | 'each'>();
  // Each rejection has a reason.
  expectTypeOf<{ ready: false }>().not.toExtend<PreparedChange>();
  expectTypeOf<{ index: number; outcome: 'saved' }>().toExtend<ChangeOutcome>();
  expectTypeOf<{ index: number; outcome: 'failed' }>().not.toExtend<ChangeOutcome>();
  expectTypeOf<{ index: number; outcome: 'unknown' }>().not.toExtend<ChangeOutcome>();
});

it('export.ts', () => {
  expectTypeOf<ExportRequest['columns']>().toEqualTypeOf<readonly string[] | undefined>();
  // A body or a signal of its own has no place in what the host sends.
  expectTypeOf<ExportSplice['request']>().toEqualTypeOf<Pick<HttpRequest, 'method' | 'path' | 'headers'>>();
  expectTypeOf<SpliceSummary>().toEqualTypeOf<{ readonly status: number; readonly lines: number; readonly lastLine: string }>();
  expectTypeOf<ExportEvent['type']>().toEqualTypeOf<'begin' | 'rows'>();
  expectTypeOf<ReturnType<ExportFacet['splice']>>().toEqualTypeOf<Promise<ExportSplice | undefined>>();
});

it('tableOperations.ts', () => {
  expectTypeOf<TableOperation['effect']>().toEqualTypeOf<StatementEffect>();
  expectTypeOf<PlannedOperation['target']>().toEqualTypeOf<TableRef>();
  expectTypeOf<PlannedOperation['count']>().toEqualTypeOf<RowCount | undefined>();
  // The confirmed target is always handed back.
  expectTypeOf<Parameters<TableOperationsFacet['run']>['length']>().toEqualTypeOf<4>();
  expectTypeOf<OperationResult['affectedRows']>().toEqualTypeOf<number | undefined>();
});

it('principals.ts', () => {
  // A listed principal has no place for a secret; one that was just made has.
  expectTypeOf<Principal>().not.toHaveProperty('secret');
  expectTypeOf<CreatedPrincipal['secret']>().toEqualTypeOf<{ readonly label: string; readonly value: string } | undefined>();
  expectTypeOf<PrincipalInput[string]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<PrincipalField['type']>().toEqualTypeOf<'text' | 'list' | 'time' | 'secret' | 'flag' | 'choice'>();
});

it('metrics.ts', () => {
  expectTypeOf<Metric['value']>().toEqualTypeOf<number>();
  expectTypeOf<Metric['unit']>().toEqualTypeOf<MetricUnit>();
  // A missing figure is left out, not null.
  expectTypeOf<{ id: 'a'; label: 'A'; unit: 'count'; value: null }>().not.toExtend<Metric>();
  expectTypeOf<keyof MetricsReading['problems'][number]>().toEqualTypeOf<'source' | 'message' | 'texts'>();
});

it('suggestions.ts', () => {
  expectTypeOf<SuggestionRequest['table']>().toEqualTypeOf<TableRef>();
  expectTypeOf<SuggestedValue['rows']>().toEqualTypeOf<number | undefined>();
  // Whether there may be others is always said.
  expectTypeOf<{ values: readonly SuggestedValue[] }>().not.toExtend<Suggestions>();
});

it('expressions.ts', () => {
  expectTypeOf<ReadExpressions['parts']>().toEqualTypeOf<readonly SentExpression[]>();
  // Sorts that are not sent are always reported.
  expectTypeOf<{ parts: [] }>().not.toExtend<ReadExpressions>();
});

it('rows.ts', () => {
  expectTypeOf<RowsRequest['keys']>().toEqualTypeOf<readonly RowKey[]>();
  expectTypeOf<RowsRequest['columns']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<keyof ReadRows>().toEqualTypeOf<'rowCount' | 'batch' | 'documents'>();
});

it('search.ts', () => {
  // An option's default is of its own type.
  expectTypeOf<Extract<SearchOption, { type: 'number' }>['default']>().toEqualTypeOf<number>();
  expectTypeOf<Extract<SearchOption, { type: 'switch' }>['default']>().toEqualTypeOf<boolean>();
  expectTypeOf<SearchOption['type']>().toEqualTypeOf<'switch' | 'number' | 'text' | 'choice'>();
  // A document is a text, so that its numbers keep their digits.
  expectTypeOf<SearchHit['document']>().toEqualTypeOf<string>();
  // The request that was sent, and dropped sorts, are always said.
  expectTypeOf<Omit<SearchAnswer, 'request'>>().not.toExtend<SearchAnswer>();
  expectTypeOf<Omit<SearchAnswer, 'droppedSorts'>>().not.toExtend<SearchAnswer>();
  expectTypeOf<SearchRequest['limit']>().toEqualTypeOf<number>();
});

it('objects.ts', () => {
  // A change says which document it began from; a removal may.
  expectTypeOf<Extract<ObjectChange, { action: 'save' }>['was']>().toEqualTypeOf<string | null>();
  expectTypeOf<keyof Extract<ObjectChange, { action: 'remove' }>>().toEqualTypeOf<'action' | 'object' | 'was'>();
  // A list holds small fields, and no further list.
  expectTypeOf<Extract<ObjectField, { type: 'list' }>['fields'][number]['type']>().not.toEqualTypeOf<ObjectField['type']>();
  expectTypeOf<ObjectKind['scope']>().toEqualTypeOf<'server' | 'table'>();
  expectTypeOf<ObjectPage['next']>().toEqualTypeOf<string | undefined>();
});

it('operations.ts', () => {
  // A table operation has a name of its own for each part: a session may have both facets.
  expectTypeOf<OperationPlace['on']>().toEqualTypeOf<'server' | 'namespace' | 'table'>();
  expectTypeOf<Extract<OperationEvent, { type: 'result' }>['undo']>().toEqualTypeOf<OperationUndo | undefined>();
  expectTypeOf<Omit<OperationPlan, 'basis'>>().not.toExtend<OperationPlan>();
  expectTypeOf<OperationForm['fields'][number]>().toEqualTypeOf<ObjectField>();
});

it('import.ts', () => {
  // A row is a text, so that its numbers keep their digits.
  expectTypeOf<Parameters<ImportFacet['write']>[1]>().toEqualTypeOf<readonly string[]>();
  // A mode always says what it loses, and whether an import can be resumed.
  expectTypeOf<ImportMode['effect']>().toEqualTypeOf<'write' | 'destructive'>();
  expectTypeOf<ImportMode['repeated']>().toEqualTypeOf<'same' | 'reported'>();
  // Only a rejected row can be there already.
  expectTypeOf<keyof Extract<RowOutcome, { outcome: 'written' }>>().toEqualTypeOf<'outcome'>();
});
