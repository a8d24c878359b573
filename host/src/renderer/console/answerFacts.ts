/** One member of an answer that is a single value. */
export interface AnswerFact {
  readonly name: string;
  readonly value: string;
}

const MOST_FACTS = 12;
const LONGEST_VALUE = 60;
/** Reading a longer answer for a line of facts would hold up the rows. */
const LONGEST_ANSWER = 4_000_000;

/**
 * The single values beside the rows of an answer, such as how many rows there are in all and how long the database took, by the names that the
 * database gives them. An object around a single member, or a list of a single item, is looked into.
 *
 * @param json - the whole answer
 */
export function answerFacts(json: string): readonly AnswerFact[] {
  if (json.length > LONGEST_ANSWER) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  for (let only = onlyMember(value); only !== undefined; only = onlyMember(value)) value = only;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .flatMap(([name, member]: [string, unknown]) => {
      const shown = shownValue(member);
      return shown === undefined ? [] : [{ name, value: shown }];
    })
    .slice(0, MOST_FACTS);
}

function onlyMember(value: unknown): unknown {
  const members: readonly unknown[] = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'object' && value !== null
      ? Object.values(value)
      : [];
  const [only, another] = members;
  return another === undefined && typeof only === 'object' && only !== null ? only : undefined;
}

function shownValue(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' || value.length > LONGEST_VALUE ? undefined : value;
  // A number that this page cannot hold exactly is in the tree and in the text, digit for digit.
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
  return undefined;
}
