import { rm } from 'node:fs/promises';
import { HostError } from '../../common/errors.ts';
import { systemCode } from './fileErrors.ts';
import { fileState, isSameFile, isUnchanged } from './fileIdentity.ts';
import type { FileState } from './fileIdentity.ts';
import { partOf, renamePart } from './partName.ts';

/**
 * The whole file of an export on the disk, still under its name and `.part`, until a person decides about it. Nothing has it open, so a file
 * that another program changed or replaced meanwhile is neither kept nor deleted.
 */
export class HeldFile {
  readonly #file: string;
  readonly #overwrite: boolean;
  readonly #state: FileState;

  /** @param state - of the `.part` file when it was whole */
  constructor(file: string, overwrite: boolean, state: FileState) {
    this.#file = file;
    this.#overwrite = overwrite;
    this.#state = state;
  }

  /** The state of `FILE.part` now: still this one, already renamed to its final name, gone, or changed by another program. */
  async look(): Promise<'held' | 'finished' | 'gone' | 'changed'> {
    try {
      return isUnchanged(await fileState(partOf(this.#file)), this.#state) ? 'held' : 'changed';
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') return 'changed';
    }
    const final = await fileState(this.#file).catch(() => undefined);
    return final !== undefined && isSameFile(final, this.#state) ? 'finished' : 'gone';
  }

  /**
   * Gives it its final name.
   *
   * @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`: it is still held; `INVALID_REQUEST` when it is gone or was changed
   */
  async finish(): Promise<void> {
    const found = await this.look();
    if (found === 'finished') return;
    if (found !== 'held') throw this.lost(found);
    const final = await fileState(this.#file).catch(() => undefined);
    // A host that was killed between the two steps of the renaming has left both names.
    if (final !== undefined && isSameFile(final, this.#state)) await rm(partOf(this.#file));
    else await renamePart(this.#file, this.#overwrite);
  }

  /** Removes it. @returns why there is still a file, for the person who was to be rid of it; undefined when there is none */
  async abandon(): Promise<HostError | undefined> {
    const part = partOf(this.#file);
    const found = await this.look();
    if (found === 'changed') return this.lost(found);
    return rm(part, { force: true }).then(
      () => undefined,
      (cause: unknown) =>
        new HostError('FILE_UNWRITABLE', `The file ${part} could not be deleted.`, {
          details: { advice: 'Delete it yourself, or make its folder writable: the next start tries again.' },
          cause,
        }),
    );
  }

  /** The error for a file that is no longer the one that was held. */
  lost(how: 'gone' | 'changed'): HostError {
    const part = partOf(this.#file);
    const message =
      how === 'gone'
        ? `${part} was deleted or moved by another program.`
        : `${part} was changed by another program, so it was left as it is.`;
    return new HostError('INVALID_REQUEST', message, { details: { advice: 'Export again.' } });
  }
}
