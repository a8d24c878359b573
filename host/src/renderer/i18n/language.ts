import { languageChoiceSchema, speak } from '../../common/languages.ts';
import type { LanguageChoice } from '../../common/languages.ts';

// Known before the first word is shown: the transport writes what the person chose into the page.

const page = typeof document === 'undefined' ? undefined : document.documentElement;
const spoken = speak(
  languageChoiceSchema.catch('system').parse(page?.dataset['language']),
  // A test has no page, and speaks English wherever it runs.
  page === undefined ? ['en'] : navigator.languages,
);

/** The language of the window's words. */
export const { language, locale } = spoken;

/** The person's choice when the page was loaded. */
export const loadedChoice: LanguageChoice = languageChoiceSchema.catch('system').parse(page?.dataset['language']);
