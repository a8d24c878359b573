/** The place of an entry in the settings of a client. */
export interface SettingsEntry {
  /** The top-level key. */
  readonly key: string;
  /** The key of the entry below it. */
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The settings with the entry in them, or the second half of a sentence that says why not. */
export type SettingsOutcome = { readonly after: string } | { readonly refused: string };
