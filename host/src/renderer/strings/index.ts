import { en } from './en.ts';

/** What every catalogue holds: a second language is complete or does not compile. */
export type Strings = typeof en;

/** The words of the window. Components take their words from here and from manifests, and from nowhere else. */
export const strings: Strings = en;
