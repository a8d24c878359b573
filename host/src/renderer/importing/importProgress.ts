import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';
import { importWords } from './importWords.ts';

/** How far an import is, for every place that shows it. */
export interface ShownImport {
  readonly text: string;
  /** 0 to 1, where that is known. */
  readonly progress: number | undefined;
  /** As the host estimates it; undefined until it can, and where the import is about to stop. */
  readonly secondsLeft: number | undefined;
}

/** The progress of an import that runs; undefined for one that doesn't. The numbers are those of the host, so that no two places of a window differ. */
export function importProgress(info: ImportInfo): ShownImport | undefined {
  const { state, name, table, read, rowsPerSecond, reading, bytes, totalBytes, remainingMilliseconds } = info;
  const words = strings.importing;
  switch (state) {
    case 'reading':
      return {
        text: words.reading(name, table.name, reading?.rows ?? 0),
        progress: shareOf(reading?.rows ?? 0, reading?.expected?.rows ?? 0),
        secondsLeft: undefined,
      };
    case 'running':
      return {
        text: importWords(info).running(table.name, read, rowsPerSecond),
        progress: shareOf(bytes, totalBytes),
        secondsLeft: remainingMilliseconds === undefined ? undefined : Math.ceil(remainingMilliseconds / 1_000),
      };
    case 'pausing':
      return { text: importWords(info).pausing(table.name), progress: shareOf(bytes, totalBytes), secondsLeft: undefined };
    case 'paused':
    case 'interrupted':
    case 'done':
    case 'cancelled':
      return undefined;
  }
}

function shareOf(part: number, all: number): number | undefined {
  return all === 0 ? undefined : Math.min(1, part / all);
}
