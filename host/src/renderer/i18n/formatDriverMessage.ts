import { IntlMessageFormat } from 'intl-messageformat';
import { locale } from './language.ts';

/** A message can repeat a value, so that the filled text has a limit of its own. */
const LONGEST_TEXT = 4_000;
const MOST_PARSED = 500;

/** Parsed messages; undefined for one that can't be read. A dashboard shows the same few again with each reading. */
const parsed = new Map<string, IntlMessageFormat | undefined>();

function parse(message: string): IntlMessageFormat | undefined {
  if (parsed.has(message)) return parsed.get(message);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  let format: IntlMessageFormat | undefined;
  try {
    // `<` is a letter, not the start of a tag: a driver's text has no markup.
    format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  } catch {
    format = undefined;
  }
  parsed.set(message, format);
  return format;
}

/**
 * A message of a driver's author, in ICU's format and the window's language, filled with the driver's values. Undefined where that gives no text:
 * the message is wrong, lacks a value, or is too long when filled. Whatever is wrong with it stays in it.
 */
export function formatDriverMessage(message: string, values: Readonly<Record<string, string | number>> = {}): string | undefined {
  try {
    // Without a prototype: a message may name `constructor`.
    const own: Record<string, string | number> = Object.assign(Object.create(null) as object, values);
    const text: unknown = parse(message)?.format(own);
    return typeof text === 'string' && text.trim() !== '' && text.length <= LONGEST_TEXT ? text.trim() : undefined;
  } catch {
    return undefined;
  }
}
