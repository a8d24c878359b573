import type { FileState } from '../transfer/fileIdentity.ts';
import { isUnchanged } from '../transfer/fileIdentity.ts';
import type { ImportRecord } from './importJournal.ts';
import { hasSameContent } from './sameContent.ts';
import { SourceFile } from './sourceFile.ts';

/** The state of the file that the import began with, as it is now; undefined for another one. @throws HostError where it can't be read */
export async function sameFile(
  { unread, path, file, stretches }: ImportRecord,
  signal: AbortSignal,
): Promise<FileState | undefined> {
  if (unread === true) return file;
  await using found = await SourceFile.open(path);
  if (isUnchanged(found.state, file)) return file;
  if (stretches === undefined || found.state.size !== file.size) return undefined;
  return (await hasSameContent(found, stretches, signal)) ? found.state : undefined;
}
