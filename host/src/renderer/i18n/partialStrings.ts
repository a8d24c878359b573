import type { Strings } from './en/index.ts';

type Part<T> = T extends (...values: never[]) => string
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: Part<T[Name]> }
    : T;

/** A catalogue that has some of the texts. The others are shown in English. */
export type PartialStrings = Part<Strings>;
