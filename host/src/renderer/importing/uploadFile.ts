import { LARGEST_PIECE, UPLOAD_PATH } from '../../common/imports.ts';
import type { ImportSource } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { hostFetch } from '../api/hostLink/hostFetch.ts';
import { ReportedProblem, isReport } from '../api/problem.ts';

/**
 * Sends a file to the host, piece by piece: a window has no path, and an import continues when it closes.
 *
 * @param onSent - 0 to 1
 */
export async function uploadFile(
  file: File,
  onSent: (part: number) => void,
  signal: AbortSignal,
): Promise<Extract<ImportSource, { is: 'upload' }>> {
  const { id } = await api.imports.openUpload.mutate({ name: file.name, bytes: file.size }, { signal });
  try {
    for (let offset = 0; offset < file.size; offset += LARGEST_PIECE) {
      const piece = await file.slice(offset, offset + LARGEST_PIECE).arrayBuffer();
      const response = await hostFetch(apiUrl(`${UPLOAD_PATH}?id=${id}&offset=${offset}`), {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: piece,
        signal,
      });
      if (!response.ok) {
        const report: unknown = await response.json();
        if (isReport(report)) throw new ReportedProblem(report);
        throw new TypeError(`The host answered a piece of a file with status ${response.status}.`);
      }
      onSent(Math.min(1, (offset + LARGEST_PIECE) / file.size));
    }
    return { is: 'upload', id };
  } catch (error) {
    removeUpload({ is: 'upload', id });
    throw error;
  }
}

/** Removes a file that isn't imported. */
export function removeUpload(source: ImportSource): void {
  // One that stays is removed by the next start of the host.
  if (source.is === 'upload') api.imports.removeUpload.mutate({ id: source.id }).catch(() => undefined);
}
