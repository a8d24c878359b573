import { HostError } from '../../common/errors.ts';
import type { TransferDecision } from '../../common/transfer.ts';
import { withNotice } from './exportRun.ts';
import { HeldFile } from './heldFile.ts';
import type { UndecidedFile, UndecidedFiles } from './undecidedFiles.ts';

/** How a question about a file ended. */
export type DecidedFile = { readonly isSaved: true } | { readonly isSaved: false; readonly failure: Error };

/** A question to a person about the file of an export. */
export interface ExportQuestion {
  /** @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`: the question stays */
  decide(decision: TransferDecision): Promise<DecidedFile>;
}

/** A whole file that a person may keep although its number of rows differs from the database's count. */
export class FileQuestion implements ExportQuestion {
  readonly #file: UndecidedFile;
  readonly #held: HeldFile;
  readonly #failure: Error;
  readonly #records: UndecidedFiles | undefined;

  /**
   * @param failure - of the export, when the file is deleted
   * @param records - where the next host finds the question; none for one that ends with this host
   */
  constructor(file: UndecidedFile, failure: Error, records: UndecidedFiles | undefined) {
    this.#file = file;
    this.#held = new HeldFile(file.info.file, file.overwrite, file.state);
    this.#failure = failure;
    this.#records = records;
  }

  /** Of a question that was asked by an earlier host: what became of the file meanwhile; undefined while it waits. */
  async settled(): Promise<DecidedFile | undefined> {
    const found = await this.#held.look();
    if (found === 'held') return undefined;
    this.#records?.remove(this.#file);
    return found === 'finished' ? { isSaved: true } : { isSaved: false, failure: this.#held.lost(found) };
  }

  /** @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`: the question stays */
  async decide(decision: TransferDecision): Promise<DecidedFile> {
    if (decision === 'keep') return this.#keep();
    // The export's own failure as the outcome means that the file was deleted: windows say so.
    const failure = (await this.#held.abandon()) ?? withNotice(this.#failure, 'The file was deleted.');
    this.#records?.remove(this.#file, (await this.#held.look()) === 'held');
    return { isSaved: false, failure };
  }

  async #keep(): Promise<DecidedFile> {
    try {
      await this.#held.finish();
    } catch (failure) {
      // It is gone or somebody else's: there is nothing left to decide about.
      if (!(failure instanceof HostError) || failure.code !== 'INVALID_REQUEST') throw failure;
      this.#records?.remove(this.#file);
      return { isSaved: false, failure };
    }
    this.#records?.remove(this.#file);
    return { isSaved: true };
  }
}
