import type { GetICUArgs } from '@schummar/icu-type-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { locale } from './language.ts';

/** The values that a message names: a number where it counts, text elsewhere. */
export type MessageValues<Message extends string> = GetICUArgs<Message, { ICUNumberArgument: number; ICUArgument: string }>;

/** Each message is parsed once, when it is first shown. */
const parsed = new Map<string, IntlMessageFormat>();

function parse(message: string): IntlMessageFormat {
  const before = parsed.get(message);
  if (before !== undefined) return before;
  // Texts here are plain: `<` is a letter, not the start of a tag.
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  parsed.set(message, format);
  return format;
}

/**
 * A message in ICU's format, filled with its values. Numbers are written as the language writes them, and words agree with them:
 * `formatMessage('{count, plural, one {# row} other {# rows}}', { count: 1_200 })` is `1,200 rows`. The message is part of the catalogue;
 * text from outside is a value, which is never parsed.
 */
export function formatMessage<const Message extends string>(message: Message, values: MessageValues<Message>): string {
  const text: unknown = parse(message).format(values);
  if (typeof text !== 'string') throw new TypeError(`Give every value of this message as text or as a number: ${message}`);
  return text;
}
