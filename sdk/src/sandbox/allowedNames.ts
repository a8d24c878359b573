import type { WiderGrant } from '../manifest.ts';

/**
 * Names that a driver's process keeps, and why. Whatever no entry names is gone before the driver's code loads.
 *
 * @param reason - one sentence for the documentation, without markup
 * @param grant - the wider grant that adds these names; absent for every driver
 * @param replaced - `true` when the name stays, but has Tabularium's own harmless value
 */
export interface AllowedNames {
  readonly names: readonly string[];
  readonly reason: string;
  readonly grant?: WiderGrant;
  readonly replaced?: boolean;
}

/** Splits a list of names at blanks, so that a long list stays readable. */
export function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
