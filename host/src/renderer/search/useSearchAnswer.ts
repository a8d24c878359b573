import { useQuery } from '@tanstack/react-query';
import type { SearchAnswer, SearchRequest } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';

/** The answer to one search, as far as it is there. */
export interface ShownAnswer {
  /** The last answer that came; of an earlier request while the next one is read, and after one that failed or was cancelled. */
  readonly answer: SearchAnswer | undefined;
  /** Why the last search failed. */
  readonly problem: Problem | undefined;
  readonly isFetching: boolean;
  /** Whether the answer is one of an earlier request. */
  readonly isEarlier: boolean;
  /** Whether it is, and no other is on its way. */
  readonly isFormer: boolean;
  readonly refetch: () => void;
}

function answerInDriverWords(connectionId: string, answer: SearchAnswer): SearchAnswer {
  return {
    ...notesInDriverWords(connectionId, answer),
    droppedSorts: answer.droppedSorts.map((dropped) => inDriverWords(connectionId, dropped)),
    hits: answer.hits.map((hit) => ({
      ...hit,
      explanation: hit.explanation.map((part) => inDriverWords(connectionId, part)),
      marks: hit.marks.map((mark) => inDriverWords(connectionId, mark)),
    })),
  };
}

/** Searches as the request changes; the search before is cancelled. Without a request nothing is searched. */
export function useSearchAnswer(connectionId: string, request: SearchRequest | undefined, isShown: boolean): ShownAnswer {
  const search = useQuery({
    queryKey: ['search', connectionId, request],
    queryFn: async ({ signal }) =>
      request === undefined
        ? undefined
        : answerInDriverWords(
            connectionId,
            await api.search.search.mutate({ connectionId, request: copyOf(request) }, { signal }),
          ),
    enabled: isShown && request !== undefined,
    retry: false,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const { data, error, isFetching } = search;
  const [last, setLast] = useState<SearchAnswer>();
  if (data !== undefined && data !== last) setLast(data);
  const problem = useMemo(() => (error === null ? undefined : problemOf(error)), [error]);
  const answer = request === undefined ? undefined : (data ?? last);
  const isEarlier = answer !== undefined && (search.isPlaceholderData || data === undefined);
  return {
    answer,
    problem,
    isFetching,
    isEarlier,
    isFormer: isEarlier && !isFetching,
    refetch: () => void search.refetch(),
  };
}

/** Lists that a call may take: those of a request are for reading only. */
export function copyOf({ fields, facets, sorts, filter, alsoIn, ...rest }: SearchRequest) {
  const others = alsoIn === undefined ? {} : { alsoIn: structuredClone([...alsoIn]) };
  return { ...rest, ...others, fields: [...fields], facets: [...facets], sorts: [...sorts], filter };
}
