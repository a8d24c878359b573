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
export function interrupted({ reading: _reading, uncertain: _uncertain, ...info }: ImportInfo, sent: number): ImportInfo {
  return { ...info, state: 'interrupted', ...uncertainOf(sent) };
}

/** About the table that an import made: empty as long as no row was written, or may have been. */
export function newTableOf({
  made,
  info,
  skipped = 0,
}: Pick<ImportRecord, 'made' | 'info' | 'skipped'>): Pick<ImportInfo, 'newTable'> {
  return made === undefined || info.written > 0 || info.uncertain !== undefined || skipped > 0 ? {} : { newTable: 'empty' };
}

/** Rows in doubt of an import that is over. Of one that can be resumed, those that were skipped are decided. */
export function uncertainAtEnd({ sent, skipped = 0 }: Pick<ImportRecord, 'sent' | 'skipped'>): { readonly uncertain?: number } {
  return uncertainOf(sent + skipped);
}

export function uncertainOf(sent: number): { readonly uncertain?: number } {
  return sent === 0 ? {} : { uncertain: sent };
}
