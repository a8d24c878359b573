import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { FilterOperator, Suggestions, TableRef } from '@tabularium/sdk';
import { api } from '../api/client.ts';

/** The column whose values are suggested; absent where the driver suggests none. */
export interface SuggestionSource {
  readonly connectionId: string;
  readonly table: TableRef;
}

/** A typed text is asked for when it rests. */
const REST_MILLISECONDS = 200;
const LIMIT = 25;
/** A person who has typed this much does not choose from a list. */
const LONGEST_TYPED = 100;

/** Where the value is one that rows have, or a part of one. What comparisons take is seldom one of them. */
const SUGGESTED: ReadonlySet<FilterOperator> = new Set([
  'equals',
  'notEquals',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
]);

export function takesSuggestions(operator: FilterOperator): boolean {
  return SUGGESTED.has(operator);
}

/** Values of a column for what is typed, asked for only while the list is open. Missing suggestions don't show an error: people can type. */
export function useSuggestions(
  source: SuggestionSource | undefined,
  column: string,
  typed: string,
  isOpen: boolean,
): Suggestions | undefined {
  const [rested] = useDebouncedValue(typed, REST_MILLISECONDS);
  const isWanted = source !== undefined && isOpen && rested.length <= LONGEST_TYPED;
  const found = useQuery({
    queryKey: ['suggestions', source?.connectionId, source?.table, column, rested],
    queryFn: ({ signal }) =>
      source === undefined
        ? undefined
        : api.filtering.suggest.mutate(
            { connectionId: source.connectionId, request: { table: source.table, column, typed: rested, limit: LIMIT } },
            { signal },
          ),
    enabled: isWanted,
    retry: false,
    staleTime: 30_000,
    gcTime: 60_000,
  });
  return isWanted && rested === typed ? found.data : undefined;
}
