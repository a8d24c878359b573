import { hostSentence } from '../../common/hostSentences.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { NotAFile } from './regularFile.ts';

/** Why a file that a person named can't be read: what to do is another thing for each. */
export function unreadableFile(path: string, cause: unknown): HostSentence {
  if (cause instanceof NotAFile) return hostSentence('fileNoFile', { path });
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    // A shell replaces it before a program sees it.
    return hostSentence(/^~(?:$|[/\\])/.test(path) ? 'fileTilde' : 'fileAbsent', { path });
  if (code === 'EACCES' || code === 'EPERM') return hostSentence('fileForbidden', { path });
  return hostSentence('fileUnreadable', { path, reason: code === '' ? String(cause) : code });
}
