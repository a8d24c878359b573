// Exports that may change or go in any minor version of the SDK. Nothing here is part of the contract: no message and no manifest depends on it, so that
// no host ever meets it. See docs/reference/contract-versions.md.
export { filterVerdict } from './filterVerdict.ts';
export type { FilterVerdict, TextRule, VerdictColumn } from './filterVerdict.ts';
export { compareNumerals } from './numerals.ts';
