/** The form of {@link DriverText.id}. */
export const DRIVER_TEXT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/**
 * Where the translations of a text are: under this id in each language's `messages` of the manifest. The English text is always beside it, and is
 * what everybody gets who has no translation: other languages, external clients, the command line.
 */
export interface DriverText {
  /** The message's name in the manifest: 1 to 80 letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** The values that the message names, at most 20. A text is shown as it is and never read as a message. At most 400 characters each. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Translations of a list of texts, by place; null where a text has none. */
export type DriverTextList = readonly (DriverText | null)[];

/** Translations of an object's texts, by the member that has the English one: `{ reason: { id: 'keyIsFixed' } }`. */
export interface DriverTexts {
  readonly [member: string]: DriverText | undefined;
}
