import { reservedId, reservedName } from './reservedIds.ts';
import type { FacetToScaffold } from './scaffoldedFacets.ts';

/** The data source of a driver, which decides the permission that it requests. */
export const KINDS = {
  http: 'a server that speaks HTTP',
  file: 'a file',
  nothing: 'nothing yet: sample rows',
} as const;
export type Kind = keyof typeof KINDS;

/** All that a new project is made of. */
export interface Answers {
  /** Of the folder, and of the package in it. */
  readonly folder: string;
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  readonly author: string;
  /** Absent: a driver that filters and sorts rows in memory, for a beginning. Present, if only empty: one whose server does all of that. */
  readonly facets?: readonly FacetToScaffold[];
}

/** An answer that cannot be used. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const ID = /^[a-z][a-z0-9-]{0,39}$/;

export function isKind(value: string): value is Kind {
  return Object.hasOwn(KINDS, value);
}

/** Defaults for a call that names only a folder. */
export function suggestions(folder: string): { readonly name: string; readonly id: string; readonly title: string } {
  const base = (folder.split(/[\\/]/).findLast((part) => part !== '' && part !== '.') ?? 'my-driver').toLowerCase();
  const id = base
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^(tabularium-)?driver-|-driver$/g, '')
    .replace(/^[^a-z]+|(?<!-)-+$/g, '')
    .slice(0, 40);
  const word = id === '' ? 'my' : id;
  const title = word.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return { name: `tabularium-driver-${word}`, id: word, title: title.join(' ') };
}

/** @throws BadAnswer with a sentence that says what would do */
export function checkAnswers(answers: Answers): void {
  const takenId = reservedId(answers.id);
  if (takenId !== undefined) throw new BadAnswer(`The id “${answers.id}” can't be used: ${takenId}. Choose another with --id.`);
  const takenName = reservedName(answers.name);
  if (takenName !== undefined)
    throw new BadAnswer(`The package name “${answers.name}” can't be used: ${takenName}. Choose another with --name.`);
  if (!ID.test(answers.id))
    throw new BadAnswer(
      `“${answers.id}” isn't a valid id. Use 1 to 40 small letters, digits and hyphens, beginning with a letter.`,
    );
  if (!NAME.test(answers.name) || answers.name.length > 214)
    throw new BadAnswer(
      `“${answers.name}” isn't a valid package name. Use small letters, digits and hyphens, with a scope if you have one.`,
    );
  if (answers.title.trim() === '' || answers.title.length > 80 || /[\p{Cc}\\"'`]/u.test(answers.title))
    throw new BadAnswer(`“${answers.title}” isn't a valid title. Use 1 to 80 characters, without quotes and backslashes.`);
}
