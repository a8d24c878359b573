import { z } from 'zod';

/** The languages that the window has words in, by their own names, which say so where only a part is translated. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', pl: 'Polski (częściowo)' } as const;
export type Language = keyof typeof LANGUAGES;
/** Languages with a part of the texts. They are spoken where a person chooses them, and never because the system prefers them. */
const PARTIAL: ReadonlySet<Language> = new Set(['pl']);
export const languageNames = Object.keys(LANGUAGES) as readonly Language[];

/** Which one is wanted; `system`: that of the browser or of the computer. */
export const languageChoiceSchema = z.enum(['system', ...(languageNames as readonly [Language, ...Language[]])]);
export type LanguageChoice = z.output<typeof languageChoiceSchema>;

/**
 * The language to speak, and the locale in which numbers and dates are written: one of the language's own regions where the person has named
 * one.
 *
 * @param preferred - tags in the order of preference, as a browser has them: `de-AT`
 */
export function speak(
  choice: LanguageChoice,
  preferred: readonly string[],
): { readonly language: Language; readonly locale: string } {
  const spoken = preferred.flatMap((tag) => {
    const language = languageNames.find((name) => tag.toLowerCase().split('-')[0] === name);
    return language === undefined ? [] : [{ language, locale: tag }];
  });
  const wanted =
    choice === 'system'
      ? spoken.find(({ language }) => !PARTIAL.has(language))
      : spoken.find(({ language }) => language === choice);
  if (wanted !== undefined) return wanted;
  const language = choice === 'system' ? 'en' : choice;
  return { language, locale: language };
}
