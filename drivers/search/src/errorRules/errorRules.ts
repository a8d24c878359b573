import { documentRules } from './documentRules.ts';
import type { ErrorRule } from './errorRule.ts';
import { filterRules } from './filterRules.ts';
import { objectRules } from './objectRules.ts';
import { schemaRules } from './schemaRules.ts';
import { searchRules } from './searchRules.ts';

/**
 * Texts of the server, and their meaning; the first match counts. Each was recorded from a server, unless it names another source: a test
 * holds them to the recordings of every version.
 */
export const errorRules: readonly ErrorRule[] = [
  ...filterRules,
  ...searchRules,
  ...documentRules,
  ...schemaRules,
  ...objectRules,
];

/** Texts of the server are sentences; of a longer one its beginning is looked at. */
const LONGEST = 2_000;

/** The first rule for a text of the server. */
export function errorRuleFor(text: string): { readonly rule: ErrorRule; readonly group: string } | undefined {
  const words = text.slice(0, LONGEST);
  for (const rule of errorRules) {
    const match = rule.when.exec(words);
    if (match !== null) return { rule, group: match[1] ?? '' };
  }
  return undefined;
}
