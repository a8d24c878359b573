import { MOST_CONFIGURATIONS } from '../../common/relevance.ts';
import type { RelevanceWay, SearchConfiguration } from '../../common/relevance.ts';
import { UsageError } from '../usageError.ts';

/** The way to search that the table's form has when nothing is chosen. */
export const DEFAULT_NAME = 'default';

/** The configurations of these names. @throws UsageError for a name that is not saved */
export function chosenWays(names: readonly string[], saved: readonly SearchConfiguration[]): RelevanceWay[] {
  if (names.length > MOST_CONFIGURATIONS) throw new UsageError(`--configuration takes at most ${MOST_CONFIGURATIONS} names.`);
  return names.map((name) => {
    const found = saved.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) {
      const { fields } = found;
      return { name: found.name, options: { ...found.options }, ...(fields === undefined ? {} : { fields: [...fields] }) };
    }
    if (name.toLowerCase() === DEFAULT_NAME) return { name: DEFAULT_NAME, options: {} };
    const known = [DEFAULT_NAME, ...saved.map((one) => `"${one.name}"`)].join(', ');
    throw new UsageError(`There is no saved configuration "${name}" for this table. There are: ${known}.`);
  });
}
