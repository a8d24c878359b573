import type {
  CompletionList,
  CreatedPrincipal,
  OperationResult,
  PlannedOperation,
  Principal,
  PrincipalField,
  PrincipalInput,
  Statement,
  StatementClassification,
  TableOperation,
  TableRef,
} from '@tabularium/sdk';
import type { HistoryEntry, RunLine, RunStatement, SaveRequest, SavedRequest, SearchHistory } from '../../common/console.ts';
import type {
  Edit,
  EditAbility,
  EditedTable,
  ReviewedChange,
  SaveEvent,
  StageChange,
  StageEvent,
  StagedTable,
} from '../../common/editing.ts';
import type { ReadExpressions, ReadExpressionsInput, SuggestValues, Suggestions } from '../../common/filtering.ts';
import type { MetricsInfo, TimedReading } from '../../common/metrics.ts';
import type { PrincipalsInfo, RunOperation } from '../../common/principals.ts';
import type { ExportFormat, ExportRows, StartExport, TransferInfo } from '../../common/transfer.ts';

/** What the router needs of the runtime for the facets: editing, exports, the console, principals, figures and table operations. */
export interface WorkServices {
  readonly editing: {
    ability(connectionId: string, table: TableRef, signal: AbortSignal): Promise<EditAbility>;
    tables(connectionId: string | undefined): readonly EditedTable[];
    staged(connectionId: string, table: TableRef): StagedTable;
    watch(connectionId: string, table: TableRef, signal: AbortSignal): AsyncIterable<StageEvent>;
    stage(connectionId: string, table: TableRef, edits: readonly Edit[], signal: AbortSignal): Promise<StageChange>;
    undo(connectionId: string, table: TableRef): StageChange;
    redo(connectionId: string, table: TableRef): StageChange;
    discard(connectionId: string, table: TableRef, rowIds: readonly string[] | undefined): StageChange;
    review(
      connectionId: string,
      table: TableRef,
      rowIds: readonly string[] | undefined,
      signal: AbortSignal,
    ): Promise<readonly ReviewedChange[]>;
    save(
      connectionId: string,
      table: TableRef,
      rowIds: readonly string[] | undefined,
      signal: AbortSignal,
    ): AsyncIterable<SaveEvent>;
  };
  readonly exports: {
    start(request: StartExport): Promise<TransferInfo>;
    startRows(request: ExportRows): Promise<TransferInfo>;
    suggestFile(table: TableRef, format: ExportFormat): Promise<string>;
    list(): readonly TransferInfo[];
    watch(signal: AbortSignal): AsyncIterable<readonly TransferInfo[]>;
    /** Resolves when the unfinished file is gone. */
    cancel(id: string): Promise<TransferInfo>;
    /** Shows the file that an export made in its folder. */
    reveal(id: string): Promise<void>;
    clear(id: string): void;
  };
  readonly console: {
    /** What it fails with after it began is thrown by the iteration. @throws what it fails with before that */
    run(request: RunStatement, signal: AbortSignal): Promise<AsyncIterable<RunLine>>;
    split(input: { connectionId: string; text: string }, signal: AbortSignal): Promise<readonly Statement[]>;
    classify(input: { connectionId: string; statement: string }, signal: AbortSignal): Promise<StatementClassification>;
    complete(input: { connectionId: string; text: string; position: number }, signal: AbortSignal): Promise<CompletionList>;
    curl(input: { connectionId: string; statement: string }, signal: AbortSignal): Promise<string>;
    readonly history: {
      search(request: SearchHistory): readonly HistoryEntry[];
      remove(id: number): void;
      clear(connectionId: string | undefined): void;
    };
    readonly saved: {
      list(connectionId: string): readonly SavedRequest[];
      save(request: SaveRequest): SavedRequest;
      remove(id: string): void;
    };
  };
  readonly filtering: {
    suggest(input: SuggestValues, signal: AbortSignal): Promise<Suggestions>;
    expressions(input: ReadExpressionsInput, signal: AbortSignal): Promise<ReadExpressions>;
  };
  readonly principals: {
    info(connectionId: string, signal: AbortSignal): Promise<PrincipalsInfo>;
    list(connectionId: string, signal: AbortSignal): Promise<readonly Principal[]>;
    form(connectionId: string, signal: AbortSignal): Promise<readonly PrincipalField[]>;
    create(connectionId: string, input: PrincipalInput, signal: AbortSignal): Promise<CreatedPrincipal>;
    remove(connectionId: string, id: string, signal: AbortSignal): Promise<void>;
  };
  readonly metrics: {
    info(connectionId: string, signal: AbortSignal): Promise<MetricsInfo>;
    read(connectionId: string, signal: AbortSignal): Promise<TimedReading>;
    history(connectionId: string): readonly TimedReading[];
  };
  readonly tableOperations: {
    list(connectionId: string, table: TableRef, signal: AbortSignal): Promise<readonly TableOperation[]>;
    plan(connectionId: string, table: TableRef, operation: string, signal: AbortSignal): Promise<PlannedOperation>;
    run(request: RunOperation, signal: AbortSignal): Promise<OperationResult>;
  };
}
