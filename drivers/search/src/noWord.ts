import { DriverError, isDriverError } from '@tabularium/sdk';
import { baseType } from './fieldTypes.ts';
import type { SchemaField } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { NO_WORD } from './errorRules/filterRules.ts';
import { faultTexts } from './faultTexts.ts';

/**
 * Asks the server something with a filter. Where a field's tokenizer keeps no word of a value, the error names the field's locale and the
 * characters that its schema sets. The schema is read again for that: somebody may just have created the field with another locale.
 *
 * @throws DriverError as `ask` does; without the locale where the key may not read the schema, and for a field of a joined collection
 */
export async function namingTokenizer<T>(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const name = NO_WORD.exec(error.details.serverMessage ?? '')?.[1];
    const field = name === undefined ? undefined : await fieldNow(name, collection, schemas, signal);
    if (field === undefined) throw error;
    throw new DriverError(
      error.code,
      `The server found no word in the value for “${field.name}”, which has ${tokenizerOf(field)}.`,
      {
        details: {
          ...error.details,
          field: field.name,
          advice: adviceFor(field),
          texts: faultTexts(
            'fault.noWord',
            { column: field.name, locale: field.locale === '' ? 'en' : field.locale },
            'fault.noWord.advice',
            { locale: adviceLocale(field) },
          ),
        },
        cause: error,
      },
    );
  }
}

/** Undefined also for a field without words, such as a bool with an empty value. */
async function fieldNow(
  name: string,
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<SchemaField | undefined> {
  try {
    const { fields } = await schemas.current(collection, signal);
    return fields.find((field) => field.name === name && baseType(field.type) === 'string');
  } catch {
    // The error of the filter says more than one about its explanation.
    return undefined;
  }
}

/** An empty locale is that of English: a server of 29.0 kept and dropped the same characters with both. */
function tokenizerOf({ locale, symbolsToIndex, tokenSeparators }: SchemaField): string {
  const parts = [
    locale === '' ? 'the default locale (en)' : `the locale ${locale.slice(0, 50)}`,
    ...(symbolsToIndex.length === 0 ? [] : [`symbols_to_index ${listed(symbolsToIndex)}`]),
    ...(tokenSeparators.length === 0 ? [] : [`token_separators ${listed(tokenSeparators)}`]),
  ];
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function listed(characters: readonly string[]): string {
  return characters
    .map((character) => `“${character}”`)
    .join(' ')
    .slice(0, 200);
}

/**
 * Measured on a build of 29.0: with the default locale the tokenizer keeps a to z, digits, and letters such as Greek and Cyrillic ones;
 * with ja Japanese and Korean as well; both drop ü there, which other builds may keep as u. With each other locale that was tried (zh, th,
 * ko, de, el) it keeps nearly all that isn't ASCII.
 */
const adviceLocale = ({ locale }: SchemaField): string =>
  locale === '' || locale === 'en' ? 'en' : locale === 'ja' ? 'ja' : 'other';

function adviceFor({ locale }: SchemaField): string {
  const symbols = 'To find symbols, add them to symbols_to_index of the field, or of the collection when you create it.';
  switch (locale) {
    case '':
    case 'en':
      return `Filter by a value with letters from a to z or digits. To find other letters, create the field again with the locale of its language, such as de, ja, th or zh. ${symbols}`;
    case 'ja':
      return `Filter by a value with Japanese characters, letters from a to z or digits. ${symbols}`;
    default:
      return `Filter by a value with letters or digits. ${symbols}`;
  }
}
