import { randomUUID } from 'node:crypto';
import type { ImportInfo } from '../../common/imports.ts';

/** An import that begins. */
export function newImportInfo(
  of: Pick<ImportInfo, 'connectionId' | 'table' | 'name' | 'mode' | 'totalBytes'> & Partial<Pick<ImportInfo, 'from' | 'renamed'>>,
): ImportInfo {
  return {
    id: randomUUID(),
    ...of,
    state: of.from === undefined ? 'running' : 'reading',
    startedAt: new Date().toISOString(),
    read: 0,
    written: 0,
    rejected: 0,
    bytes: 0,
    rowsPerSecond: 0,
    milliseconds: 0,
    reasons: [],
  };
}
