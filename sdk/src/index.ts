// Everything exported here is public API: an addition is a promise.
export { defineDriver } from './driver.ts';
export type { Driver, DriverContext, DriverDefinition, Finding, Session, Settings } from './driver.ts';
export type { CallOptions } from './callOptions.ts';
export { driverText, listOfNames } from './driverTexts.ts';
export { DRIVER_ERRORS, DriverError, isDriverError } from './errors.ts';
export type { DriverErrorCode, DriverErrorDetails, DriverErrorKind, RowsDifference } from './errors.ts';
export type { FileCapability } from './capabilities/file.ts';
export type { HttpCapability, HttpOrigin, HttpRequest, HttpResponse } from './capabilities/http.ts';
export type { DriverSocket, SocketCapability } from './capabilities/socket.ts';
export type {
  ActivityFacet,
  EndOutcome,
  EndRequest,
  EndWay,
  RunningEntries,
  RunningEntry,
  RunningState,
  SlowStatement,
  SlowStatements,
} from './facets/activity.ts';
export type {
  CompleteOptions,
  Completion,
  CompletionList,
  ConsoleFacet,
  ConsolePlace,
  DescribedRequest,
} from './facets/console.ts';
export type { RunOptions } from './facets/runOptions.ts';
export type {
  ConsoleContext,
  ConsoleNotice,
  ConsoleSession,
  SessionEvent,
  SessionRunOptions,
  StatementParameter,
} from './facets/consoleSession.ts';
export type { Assignment, ChangeOutcome, EditsFacet, PreparedChange, RowChange } from './facets/edits.ts';
export type { ExplainFacet, ExplainOptions, PlanNode, StatementPlan } from './facets/explain.ts';
export type { ExportEvent, ExportFacet, ExportRequest, ExportSplice, SpliceSummary } from './facets/export.ts';
export type { ExpressionsFacet, ReadExpressions, SentExpression } from './facets/expressions.ts';
export type {
  ImportAnswer,
  ImportFacet,
  ImportForm,
  ImportMode,
  RowOutcome,
  WriteOutcome,
  WrittenRows,
  ImportProblem,
  ImportSplice,
  ImportTarget,
  ImportedTables,
  NewTableNamespaceOptions,
} from './facets/import.ts';
export type { Metric, MetricsFacet, MetricsReading, MetricUnit, NodeReading, NodeState } from './facets/metrics.ts';
export type { NamedTablesFacet } from './facets/namedTables.ts';
export type { ListPageOptions, NamespacePage, NamespaceSummary, NamespacesFacet, TablePage } from './facets/namespaces.ts';
export type {
  HitPlacement,
  ObjectChange,
  ObjectDocument,
  ObjectField,
  ObjectKind,
  ObjectPage,
  ObjectPlace,
  ObjectRef,
  ObjectSummary,
  ObjectValueField,
  ObjectsFacet,
  PlannedChange,
} from './facets/objects.ts';
export type {
  AffectedTable,
  Operation,
  OperationCall,
  OperationEvent,
  OperationForm,
  OperationPlace,
  OperationPlan,
  OperationPreset,
  OperationRunOptions,
  OperationStep,
  OperationUndo,
  OperationsFacet,
} from './facets/operations.ts';
export type {
  CreatedPrincipal,
  CredentialGenerator,
  GeneratedCredential,
  Principal,
  PrincipalAction,
  PrincipalChanges,
  PrincipalFacts,
  PrincipalField,
  PrincipalInput,
  PrincipalPlan,
  PrincipalRequest,
  PrincipalsFacet,
} from './facets/principals.ts';
export type { ReadRows, RowsFacet, RowsRequest } from './facets/rows.ts';
export type {
  HighlightPart,
  RecordedQueries,
  RecordedQueriesRequest,
  RecordedQuery,
  RecordedQueryKind,
  SearchAnswer,
  SearchFacet,
  SearchFacetCounts,
  SearchField,
  SearchForm,
  SearchHit,
  SearchOption,
  SearchOptionValue,
  SearchRequest,
} from './facets/search.ts';
export type { SuggestedValue, SuggestionRequest, Suggestions, SuggestionsFacet } from './facets/suggestions.ts';
export type { OperationResult, PlannedOperation, TableOperation, TableOperationsFacet } from './facets/tableOperations.ts';
export { ABSENT, isAbsent, isUnread, numeralCell } from './model/cell.ts';
export type { Cell, PageCell, TaggedCell, UnreadCell, UnreadValue } from './model/cell.ts';
export type { Ability, Column, ColumnGeneration, ColumnKind, ColumnMark, GenerationKind, NumberRange } from './model/column.ts';
export type { DriverText, DriverTextList, DriverTexts } from './model/driverText.ts';
export { decodeBatch, decodePage, encodeBatch } from './model/batch.ts';
export { FILTER_OPERATORS, FILTER_VALUES, NO_FILTER } from './model/filter.ts';
export type { Filter, FilterCondition, FilterOperator } from './model/filter.ts';
export type { BatchColumn, Page, PageBatch, PageHead, PagePosition, PageRequest, Placeholders, RowBatch } from './model/page.ts';
export { rowKeyText } from './model/rowKey.ts';
export type { RowKey } from './model/rowKey.ts';
export type { DroppedSort, Sort } from './model/sort.ts';
export { exceeds } from './model/exceeds.ts';
export type {
  IndexColumn,
  IndexedColumn,
  IndexedExpression,
  TableIndex,
  TableTrigger,
  TriggerEvent,
  TriggerTiming,
} from './model/structure.ts';
export type { PermittedStatement, ResultEvent, Statement, StatementClassification, StatementEffect } from './model/statement.ts';
export type {
  ForeignKey,
  PagingMode,
  ReferringKey,
  RowCount,
  TableDescription,
  TableKind,
  TableRef,
  TableSummary,
} from './model/table.ts';
export { escapedJson, hiddenCharacter, visibleText, wholeStart } from './model/visibleText.ts';
export type { VisibleTextMode } from './model/visibleText.ts';
export { SDK_CONTRACT, WIRE_VERSION } from './version.ts';
