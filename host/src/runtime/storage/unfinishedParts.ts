import { token } from '../container/inject.ts';

export const UNFINISHED_PARTS = token<UnfinishedParts>('UNFINISHED_PARTS');

/** A record of files outside the data directory that aren't finished yet, so that the next start removes what a killed process leaves. */
export interface UnfinishedParts {
  /** Before the file is created. @returns whether it was recorded; if not, `end` isn't to be called */
  announce(path: string): boolean;
  /** It was created. */
  begin(path: string): Promise<void>;
  /** It has its final name, or is gone. */
  end(path: string): void;
}
