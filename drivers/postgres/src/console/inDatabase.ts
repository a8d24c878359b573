import type { StatementClassification } from '@tabularium/sdk';

/** The summary has a bound in the contract. */
const LONGEST_SUMMARY = 300;

/** The question before a statement runs names the database, where there are several: also that of the form, as it may not be the one that is meant. */
export function inDatabase(classified: StatementClassification, name: string): StatementClassification {
  return { ...classified, summary: `${classified.summary.slice(0, LONGEST_SUMMARY)}, in the database ${name}` };
}
