import type { SaveProblem, StagedRow } from '../../common/editing.ts';
import { wholeText } from '../grid/model/cellText.ts';
import { strings } from '../i18n/index.ts';

type Changed = Pick<StagedRow, 'kind' | 'cells'>;

/**
 * The column that a row was not saved for. Where the driver names none, it is the only one that was changed, or the only one whose value the server quotes;
 * undefined where that leaves it open: a wrong cell must not be marked.
 */
export function columnAtFault(
  { kind, cells }: Changed,
  problem: Pick<SaveProblem, 'column' | 'code' | 'message' | 'details'> | undefined,
): string | undefined {
  if (problem === undefined) return undefined;
  if (problem.column !== undefined) return problem.column;
  if (problem.code !== 'INVALID_INPUT') return undefined;
  if (kind === 'update' && cells.length === 1) return cells[0]?.column;
  const said = problem.details?.serverMessage ?? problem.message;
  const quoted = cells.filter(({ value }) => {
    const { text } = wholeText(value, 'text');
    return text !== '' && said.includes(`"${text}"`);
  });
  return quoted.length === 1 ? quoted[0]?.column : undefined;
}

/** A reason with the column that it is about, where it doesn't name it itself. */
export function ofColumn(column: string | undefined, reason: string): string {
  const isNamed =
    column === undefined || [`“${column}”`, `„${column}“`, `„${column}”`, `"${column}"`].some((name) => reason.includes(name));
  return isNamed ? reason : strings.editing.ofColumn(column, reason);
}
