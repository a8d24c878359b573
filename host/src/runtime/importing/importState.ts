import type { ImportInfo } from '../../common/imports.ts';
import type { ImportRecord } from './importJournal.ts';

/** Whether an import has ended for good: it can't be resumed. */
export function isOver({ state }: Pick<ImportInfo, 'state'>): boolean {
  return state === 'done' || state === 'cancelled';
}

/** Whether it is running. */
export function isActive({ state }: Pick<ImportInfo, 'state'>): boolean {
  return state === 'reading' || state === 'running' || state === 'pausing';
}

/** The next host's view of an import that ran in the last one. */
export function interrupted({ reading: _reading, ...info }: ImportInfo, sent: number): ImportInfo {
  return { ...info, state: 'interrupted', ...uncertainOf(sent) };
}

/** About the table that an import made: empty as long as no row was written, or may have been. */
export function newTableOf({ made, info }: Pick<ImportRecord, 'made' | 'info'>): Pick<ImportInfo, 'newTable'> {
  return made === undefined || info.written > 0 || info.uncertain !== undefined ? {} : { newTable: 'empty' };
}

export function uncertainOf(sent: number): { readonly uncertain?: number } {
  return sent === 0 ? {} : { uncertain: sent };
}
