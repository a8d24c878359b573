import { z } from 'zod';
import { DRIVER_TEXT_ID } from './model/driverText.ts';

/** Members of a manifest that people read, and how long each may be. */
const LONGEST: Readonly<Record<string, number>> = {
  title: 80,
  label: 80,
  one: 80,
  other: 80,
  placeholder: 200,
  tagline: 400,
  help: 400,
  reason: 400,
  refused: 400,
  sortRule: 400,
};
const MOST_LANGUAGES = 40;
const MOST_TEXTS = 2_000;
const LONGEST_MESSAGE = 1_000;

/**
 * The texts of a manifest in one language, by JSON pointers to the English ones: `/connection/fields/0/label`. A text that occurs several times
 * needs one pointer: the others with the same English words are translated alike, unless they have pointers of their own. `messages` are the texts
 * that the driver makes while it runs, by their ids, in ICU's message format.
 */
const translationSchema = z.strictObject({
  texts: z.record(z.string().regex(/^(?:\/[^/]{1,80}){1,12}$/, 'Use a JSON pointer.'), z.string().min(1).max(400)),
  messages: z
    .record(z.string().regex(DRIVER_TEXT_ID, 'Use letters, digits, ".", "_" and "-".'), z.string().min(1).max(LONGEST_MESSAGE))
    .optional(),
});

/** The member `translations` of a manifest, by language tags such as `de`. */
export const translationsSchema = z.record(
  z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Use a language tag, such as de.'),
  translationSchema,
);

/** Calls back with each text of a manifest that people read, and its pointer. */
function eachText(value: unknown, pointer: string, visit: (text: string, pointer: string) => void): void {
  if (typeof value === 'string') {
    if (Object.hasOwn(LONGEST, memberOf(pointer))) visit(value, pointer);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (pointer !== '' || key !== 'translations') eachText(inner, `${pointer}/${escaped(key)}`, visit);
    }
  }
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const memberOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1);

/** Refuses translations of what is not a text of the manifest, and texts that are too long for their place. */
export function checkTranslations(
  manifest: { readonly translations?: z.output<typeof translationsSchema> | undefined },
  context: z.core.$RefinementCtx,
): void {
  const { translations } = manifest;
  if (translations === undefined) return;
  const refuse = (path: readonly string[], message: string): void =>
    context.addIssue({ code: 'custom', path: ['translations', ...path], message });
  if (Object.keys(translations).length > MOST_LANGUAGES) refuse([], `Use at most ${MOST_LANGUAGES} languages.`);
  const pointers = new Set<string>();
  eachText(manifest, '', (_text, pointer) => void pointers.add(pointer));
  for (const [language, { texts, messages = {} }] of Object.entries(translations)) {
    if (Object.keys(messages).length > MOST_TEXTS) refuse([language, 'messages'], `Use at most ${MOST_TEXTS} messages.`);
    if (Object.keys(texts).length > MOST_TEXTS) refuse([language, 'texts'], `Use at most ${MOST_TEXTS} texts.`);
    for (const [pointer, text] of Object.entries(texts)) {
      const longest = LONGEST[memberOf(pointer)] ?? 0;
      if (!pointers.has(pointer)) refuse([language, 'texts', pointer], 'The manifest has no text at this pointer.');
      else if (text.length > longest) refuse([language, 'texts', pointer], `Use at most ${longest} characters.`);
    }
  }
}

/** The texts of a manifest that have no translation in a language, each once, with the pointer of the first place. */
export function untranslatedTexts(manifest: object, language: string): ReadonlyMap<string, string> {
  const words = wordsOf(manifest, language);
  const missing = new Map<string, string>();
  eachText(manifest, '', (text, pointer) => {
    if (!words.byPointer.has(pointer) && !words.byText.has(text) && !missing.has(text)) missing.set(text, pointer);
  });
  return missing;
}

interface Words {
  readonly byPointer: ReadonlyMap<string, string>;
  readonly byText: ReadonlyMap<string, string>;
}

function translationOf(manifest: object, language: string): z.output<typeof translationSchema> | undefined {
  const translations: unknown = 'translations' in manifest ? manifest.translations : undefined;
  const parsed = translationsSchema.optional().catch(undefined).parse(translations) ?? {};
  // `de-AT` is served by `de`.
  const name = [language, language.split('-')[0] ?? language].find((tag) => Object.hasOwn(parsed, tag));
  return name === undefined ? undefined : parsed[name];
}

/**
 * The messages in a language for texts that the driver makes while it runs, by the ids of their {@link DriverText}; empty where there are none.
 *
 * @param language - a language tag, such as `de` or `de-AT`
 */
export function driverMessages(manifest: object, language: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(translationOf(manifest, language)?.messages ?? {}));
}

function wordsOf(manifest: object, language: string): Words {
  const byPointer = new Map(Object.entries(translationOf(manifest, language)?.texts ?? {}));
  const byText = new Map<string, string>();
  eachText(manifest, '', (text, pointer) => {
    const translated = byPointer.get(pointer);
    if (translated !== undefined && !byText.has(text)) byText.set(text, translated);
  });
  return { byPointer, byText };
}

/**
 * A manifest with its texts in a language, as far as it has them; the others stay English. Everything that isn't a text for people stays as it
 * is, so that the result is a manifest like the one that was given.
 *
 * @param language - a language tag, such as `de` or `de-AT`
 */
export function translatedManifest<T extends object>(manifest: T, language: string): T {
  const { byPointer, byText } = wordsOf(manifest, language);
  if (byPointer.size === 0) return manifest;
  const translate = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string') {
      return Object.hasOwn(LONGEST, memberOf(pointer)) ? (byPointer.get(pointer) ?? byText.get(value) ?? value) : value;
    }
    if (Array.isArray(value)) return value.map((inner: unknown, index) => translate(inner, `${pointer}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        pointer === '' && key === 'translations' ? inner : translate(inner, `${pointer}/${escaped(key)}`),
      ]),
    );
  };
  return translate(manifest, '') as T;
}
