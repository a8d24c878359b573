import type { ImportInfo } from '../../common/imports.ts';

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

export function uncertainOf(sent: number): { readonly uncertain?: number } {
  return sent === 0 ? {} : { uncertain: sent };
}
