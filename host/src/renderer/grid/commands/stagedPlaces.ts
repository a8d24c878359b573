import type { StagedRow } from '../../../common/editing.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { presentRows } from '../model/rowSource.ts';
import type { RowSource } from '../model/rowSource.ts';
import type { TabModel } from '../tab/tabModel.ts';
import { openReview } from './openReview.ts';

/** The places of the staged rows that are here. */
export function placesOfStaged(source: RowSource): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const { index, staged } of presentRows(source)) if (staged !== undefined) places.set(staged.id, index);
  return places;
}

/** Moves to a row, and to its cell in a column where one is named. */
export function goToCell({ grid, columns, selection }: TabModel, row: number, name: string | undefined): void {
  const column = columns.columns.findIndex((one) => one.name === name);
  grid.current?.focus();
  grid.current?.goTo({ row, column: column === -1 ? (selection.active?.column ?? 0) : column });
}

/** Why a row was not saved, and the way to its cell. */
export interface ShownFault {
  readonly text: string;
  readonly show: () => void;
}

/** The reason of the active row, else of the first row that was not saved. */
export function shownFault(model: TabModel): ShownFault | undefined {
  const { edited, selection } = model;
  const { active } = selection;
  const at = active === undefined || active.row === HEADER_ROW ? undefined : edited.rowAt(active.row).staged;
  const staged = at?.problem === undefined ? firstFailed(edited.stage.rows) : at;
  const problem = staged === undefined ? undefined : edited.overlay.marks(staged).problem;
  if (staged === undefined || problem === undefined) return undefined;
  return {
    text: problem.text,
    show: () => {
      const row = placesOfStaged(edited.source).get(staged.id);
      if (row === undefined) openReview(model);
      else goToCell(model, row, problem.place === undefined ? undefined : model.columns.all[problem.place]?.name);
    },
  };
}

function firstFailed(rows: ReadonlyMap<string, StagedRow>): StagedRow | undefined {
  for (const row of rows.values()) if (row.problem !== undefined) return row;
  return undefined;
}
