import type { Language } from '../../common/languages.ts';
import { en } from './en/index.ts';
import { language } from './language.ts';
import type { Strings } from './en/index.ts';
import type { PartialStrings } from './partialStrings.ts';

type Words = { [name: string]: unknown };

/** Catalogues beside the English one, fetched when they are spoken. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<PartialStrings>>> = {
  de: async () => (await import('./de/index.ts')).de,
  pl: async () => (await import('./pl/index.ts')).pl,
};

const isGroup = (value: unknown): value is Words => typeof value === 'object' && value !== null;

function copyOf(group: Words): Words {
  return Object.fromEntries(Object.entries(group).map(([name, value]) => [name, isGroup(value) ? copyOf(value) : value]));
}

/** The words of the window. Components take their words from here and from manifests, and from nowhere else. */
export const strings: Strings = copyOf(en) as Strings;

/** Puts the words of a catalogue in the place of those that are there; what it lacks stays. A module that holds a group of them says the new ones. */
export function speakWords(catalogue: PartialStrings): void {
  const replace = (group: Words, words: Words): void => {
    for (const [name, value] of Object.entries(words)) {
      const before = group[name];
      if (isGroup(value) && isGroup(before)) replace(before, value);
      else group[name] = value;
    }
  };
  replace(strings, catalogue);
}

/** Fetches the words of the language that is spoken. English is there already. Called once, before anything is drawn. */
export async function loadWords(): Promise<void> {
  document.documentElement.lang = language;
  const load = (OTHERS as Readonly<Partial<Record<Language, () => Promise<PartialStrings>>>>)[language];
  if (load !== undefined) speakWords(await load());
}
