import { HostError } from '../../common/errors.ts';
import type { ImportInfo } from '../../common/imports.ts';
import { uncertainOf } from './importState.ts';

/** Whether a file changed before its import was continued, or while it was read. */
export type FileChange = 'before' | 'during';

/**
 * The error of a file that isn't the one that an import began with. What to do depends on the rows that are written already: those without a key
 * would be there twice, whatever the mode.
 */
export function changedFile(
  { name, written }: Pick<ImportInfo, 'name' | 'written'>,
  sent: number,
  change: FileChange,
): HostError {
  const message =
    change === 'before'
      ? `${name} has changed since the import began.`
      : `${name} changed while it was imported, so rows may be missing or cut.`;
  const { uncertain = 0 } = uncertainOf(sent);
  const rows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
  const there = [
    ...(written === 0 ? [] : [`${rows(written)} of it ${written === 1 ? 'is' : 'are'} written`]),
    ...(uncertain === 0 ? [] : [`up to ${rows(uncertain)} ${written === 0 ? 'of it may be written' : 'more may be'}`]),
  ];
  const advice =
    there.length === 0
      ? 'No row of it is written: import it again from the beginning.'
      : `Import it again from the beginning. ${there.join(', and ')}: a mode that replaces rows writes those with a key again, and those without a key would be there twice, so delete them first.`;
  return new HostError('INVALID_REQUEST', message, { details: { advice } });
}
