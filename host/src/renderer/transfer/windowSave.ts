import { WINDOW_EXPORT_PATH } from '../../common/transfer.ts';
import type { ExportFormat, WindowExport } from '../../common/transfer.ts';
import { HOST_ERRORS } from '../../common/errors.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { hostFetch } from '../api/hostLink/hostFetch.ts';
import { ReportedProblem, isReport } from '../api/problem.ts';
import { noteUnsaved } from '../state/unsaved.ts';

// Saves an export with the browser's own dialog, where it has one: the host is not given the folder.

/** A file that a person chose in the browser's dialog. The browser has made it, where it did not exist. */
export interface PickedFile {
  readonly name: string;
  readonly handle: SavedFileHandle;
  /** It exists only since it was chosen. */
  readonly isNew: boolean;
}

/** As browsers have it; the types of the DOM leave some of it out. */
interface SavedFileHandle extends FileSystemFileHandle {
  remove?(): Promise<void>;
}
interface SavePicker {
  showSaveFilePicker?(options: {
    readonly id: string;
    readonly suggestedName: string;
    readonly startIn: 'downloads';
    readonly types: readonly { readonly description: string; readonly accept: Readonly<Record<string, readonly string[]>> }[];
  }): Promise<SavedFileHandle>;
}

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
};
/** A file that is empty and younger than this was made by the dialog. Milliseconds. */
const YOUNG = 60_000;

/** Whether this browser has a dialog for it. */
export function canChooseFile(): boolean {
  return (window as SavePicker).showSaveFilePicker !== undefined;
}

/**
 * Asks for a file. A browser allows it right after a click or a key.
 *
 * @returns undefined when the person leaves the dialog
 * @throws ReportedProblem `FILE_UNWRITABLE` when the browser opens no dialog, or does not give the file
 */
export async function chooseFile(
  suggestedName: string,
  format: ExportFormat,
  description: string,
): Promise<PickedFile | undefined> {
  try {
    const handle = await (window as SavePicker).showSaveFilePicker?.({
      id: 'export',
      suggestedName,
      startIn: 'downloads',
      types: [{ description, accept: { [MEDIA_TYPES[format]]: [`.${format}`] } }],
    });
    if (handle === undefined) return undefined;
    const { size, lastModified } = await handle.getFile();
    return { name: handle.name, handle, isNew: size === 0 && Date.now() - lastModified < YOUNG };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw unwritable();
  }
}

/** A file that the browser does not let the window write: without permission, in a full disk, or gone. */
function unwritable(): ReportedProblem {
  const { sentence, advice } = HOST_ERRORS.FILE_UNWRITABLE;
  return new ReportedProblem({ code: 'FILE_UNWRITABLE', message: sentence, advice, retryable: true, details: {} });
}

/** Names of files whose export ended well in the host, and that this window could not write to their end. */
const unsaved = new Set<string>();

/** Whether a file of this window was not saved although the host has sent all of it. */
export function wasNotSaved(name: string): boolean {
  return unsaved.has(name);
}

/**
 * Starts an export into a chosen file. Its progress, and its failure in the host, are in the list of exports; the file has its new content only
 * when the export has ended well.
 *
 * @param onFailed - the file could not be written to its end
 * @returns once the host has begun
 * @throws ReportedProblem, `FILE_UNWRITABLE` among them; TypeError without a host
 */
export async function exportToFile(
  file: PickedFile,
  request: WindowExport,
  onFailed: (problem: ReportedProblem) => void,
): Promise<void> {
  unsaved.delete(file.name);
  const writable = await file.handle.createWritable().catch(() => {
    throw unwritable();
  });
  const leave = async (): Promise<void> => {
    await writable.abort().catch(() => undefined);
    if (file.isNew) await file.handle.remove?.().catch(() => undefined);
  };
  let body: ReadableStream<Uint8Array>;
  try {
    body = await contentOf(request);
  } catch (error) {
    await leave();
    throw error;
  }
  const isWritten = noteUnsaved({ is: 'writing', file: file.name });
  const failed = (problem: ReportedProblem): void => {
    unsaved.add(file.name);
    onFailed(problem);
  };
  void copy(body, writable, failed)
    .then((isWhole) => (isWhole ? undefined : leave()))
    .finally(isWritten);
}

async function contentOf(request: WindowExport): Promise<ReadableStream<Uint8Array>> {
  const response = await hostFetch(apiUrl(WINDOW_EXPORT_PATH), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (response.ok && response.body !== null) return response.body;
  const report: unknown = await response.json();
  if (isReport(report)) throw new ReportedProblem(report);
  throw new TypeError(`The host answered an export with status ${response.status}.`);
}

/** @returns whether the file has the whole content */
async function copy(
  body: ReadableStream<Uint8Array>,
  writable: FileSystemWritableFileStream,
  onFailed: (problem: ReportedProblem) => void,
): Promise<boolean> {
  const reader = body.getReader();
  for (;;) {
    let chunk: Awaited<ReturnType<typeof reader.read>>;
    try {
      chunk = await reader.read();
    } catch {
      // The export failed or was cancelled: the list of exports says why.
      return false;
    }
    try {
      if (chunk.done) {
        await writable.close();
        return true;
      }
      await writable.write(chunk.value as Uint8Array<ArrayBuffer>);
    } catch {
      onFailed(unwritable());
      await reader.cancel().catch(() => undefined);
      return false;
    }
  }
}
