import { wholeStart } from './model/visibleText.ts';
import type { DriverText } from './model/driverText.ts';

/** Characters of a value of a {@link DriverText}. */
const LONGEST_VALUE = 400;
const SEPARATOR = ', ';

/** Names of a list, as many as fit. */
interface FittingNames {
  readonly names: string;
  /** How many others there are. */
  readonly more: number;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${wholeStart(text, longest - 1)}…`;
}

function fittingNames(names: readonly string[], longest: number): FittingNames {
  let length = 0;
  let count = 0;
  for (const name of names) {
    length += name.length + (count === 0 ? 0 : SEPARATOR.length);
    if (length > longest) break;
    count += 1;
  }
  // One name that is too long alone is better than none.
  const [first] = names;
  if (count === 0 && first !== undefined) return { names: cut(first, longest), more: names.length - 1 };
  return { names: names.slice(0, count).join(SEPARATOR), more: names.length - count };
}

/**
 * A list of names in an English text: `a, b and 3 more`. Each name is whole; those that don't fit are counted.
 *
 * @param longest - characters of the names, without the count
 */
export function listOfNames(names: readonly string[], longest = LONGEST_VALUE): string {
  const { names: some, more } = fittingNames(names, longest);
  return more === 0 ? some : `${some} and ${more.toLocaleString('en')} more`;
}

/**
 * A translation with values that fit it: a text that is too long ends with `…`. A list of names becomes two values, the names that fit whole and, with
 * `More` behind its name, how many others there are: `{names}{namesMore, plural, =0 {} other { und # weitere}}`.
 *
 * @param id - of the message in the manifest
 */
export function driverText(id: string, values: Readonly<Record<string, string | number | readonly string[]>> = {}): DriverText {
  const fitting = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'number') return [[name, value]];
    if (typeof value === 'string') return [[name, cut(value, LONGEST_VALUE)]];
    const { names, more } = fittingNames(value, LONGEST_VALUE);
    return [
      [name, names],
      [`${name}More`, more],
    ];
  });
  return fitting.length === 0 ? { id } : { id, values: Object.fromEntries(fitting) };
}
