import type { DriverErrorCode } from '@tabularium/sdk';

/** The meaning of a text of the server. */
export interface ErrorRule {
  /** Names the translations of message and advice in the manifest. Without one, people read English. */
  readonly id?: string;
  readonly when: RegExp;
  readonly code: DriverErrorCode;
  /** The message; `$1` is the pattern's group. Without one, the server's own text is shown. */
  readonly message?: string;
  readonly advice: string;
  /** Where the text comes from if no recorded answer has it. */
  readonly source?: string;
}
