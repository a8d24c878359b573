import { tableName } from '../../common/tableName.ts';
import type { OperationRun } from '../../common/operations.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { strings } from '../i18n/index.ts';

/** An operation and its table, such as `Reindex and swap products`. */
export function runTitle(run: OperationRun): string {
  const { label } = inDriverWords(run.connectionId, run);
  return run.place.on === 'table' ? strings.operations.title(label, tableName(run.place.table)) : label;
}

/** How far a run is. */
export function runLabel(run: OperationRun): string {
  const { connectionId, steps, progress } = run;
  const step = steps[progress.step];
  const title = step === undefined ? '' : inDriverWords(connectionId, step).title;
  const { unit } = inDriverWords(connectionId, progress);
  return strings.operations.progress(runTitle(run), title, progress.done, progress.of, unit ?? '');
}
