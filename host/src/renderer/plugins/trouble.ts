import type { DevelopedDriver } from '../../common/development.ts';

/** Whether there is something that the author of a driver has to see. */
export function hasTrouble({ problems, refusal, lines }: DevelopedDriver): boolean {
  return problems.length > 0 || refusal !== undefined || lines.some(({ level }) => level === 'error');
}

/** The last part of a path. */
function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** The driver's name: its folder's name until it was loaded once. */
export function nameOf({ title, folder }: DevelopedDriver): string {
  return title ?? lastPart(folder);
}

/** `src/index.ts:12:3`, seen from the folder of the driver. */
export function troublePlace(
  folder: string,
  file: string | undefined,
  line: number | undefined,
  column: number | undefined,
): string {
  if (file === undefined) return '';
  const below = file.startsWith(folder) ? file.slice(folder.length).replace(/^[\\/]/, '') : file;
  return line === undefined ? below : `${below}:${line}:${column ?? 1}`;
}
