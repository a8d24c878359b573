import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SearchAnswer, SearchForm, SearchOption, SearchRequest, Sort, TableDescription } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import type { TableFilter } from '../filter/useTableFilter.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import {
  chosenFacets,
  chosenFields,
  chosenOptions,
  chosenTables,
  readSearchSettings,
  searchSettingsName,
} from './searchSettings.ts';
import type { OptionSet, SearchSettings } from './searchSettings.ts';
import { useSearchAnswer } from './useSearchAnswer.ts';
import type { ShownAnswer } from './useSearchAnswer.ts';

/** Hits of a first answer, and those that “Show more” adds. */
const HITS = 25;
const MOST_HITS = 250;
/** Typing is searched for when it rests. */
const REST_MILLISECONDS = 200;

interface Options {
  readonly connectionId: string;
  readonly description: TableDescription;
  readonly filter: Pick<TableFilter, 'applied'>;
  readonly sorts: readonly Sort[];
  readonly isShown: boolean;
}

/** The ranked search of one table. */
export interface RankedSearch {
  readonly form: SearchForm | undefined;
  readonly formProblem: Problem | undefined;
  readonly retryForm: () => void;
  readonly settings: SearchSettings;
  readonly change: (change: Partial<SearchSettings>) => void;
  /** The search that is shown; absent until the form is there. */
  readonly request: SearchRequest | undefined;
  readonly shown: ShownAnswer;
  /** The same search with the other set of options, where two are compared. */
  readonly compared: ShownAnswer | undefined;
  readonly isSearching: boolean;
  /** Whether what is chosen and typed has not been searched for yet. */
  readonly isUnsearched: boolean;
  readonly searchNow: () => void;
  readonly cancel: () => void;
  /** Absent where everything is shown, or as much as can be. */
  readonly showMore: (() => void) | undefined;
  readonly mostShown: number;
}

function formInDriverWords(connectionId: string, form: SearchForm): SearchForm {
  return {
    ...form,
    options: form.options.map((option): SearchOption => {
      const said = inDriverWords(connectionId, option);
      if (said.type !== 'choice') return said;
      return { ...said, choices: said.choices.map((choice) => inDriverWords(connectionId, choice)) };
    }),
  };
}

export function useRankedSearch({ connectionId, description, filter, sorts, isShown }: Options): RankedSearch {
  const table = description.ref;
  const name = searchSettingsName(workspaceTableKey(table));
  const [settings, setSettings] = useState<SearchSettings>(() => readSearchSettings(recall(connectionId, name)));
  const change = useCallback((part: Partial<SearchSettings>): void => setSettings((before) => ({ ...before, ...part })), []);
  useEffect(() => remember(connectionId, name, structuredClone(settings)), [connectionId, name, settings]);

  const form = useQuery({
    queryKey: ['searchForm', connectionId, table],
    queryFn: async ({ signal }) =>
      formInDriverWords(connectionId, await api.search.form.mutate({ connectionId, table }, { signal })),
    enabled: isShown,
    retry: false,
  });
  const { text, fields, facets, options, order, other, alsoIn } = settings;
  const wanted = useMemo(
    () => ({ text, fields, facets, options, order, other, alsoIn, applied: filter.applied, sorts }),
    [text, fields, facets, options, order, other, alsoIn, filter.applied, sorts],
  );
  const [typed] = useDebouncedValue(wanted, REST_MILLISECONDS);
  const [hurried, setHurried] = useState<typeof wanted>();
  const rested = hurried === wanted ? wanted : typed;
  const [more, setMore] = useState<{ readonly of: typeof wanted; readonly limit: number }>();
  const limit = more?.of === rested ? more.limit : HITS;
  const found = form.data;
  const [request, otherRequest] = useMemo((): readonly (SearchRequest | undefined)[] => {
    if (found === undefined) return [];
    const others = chosenTables(found, rested);
    const requestOf = (set: OptionSet): SearchRequest => ({
      table,
      text: rested.text,
      fields: chosenFields(found, set),
      // A search of several tables counts no values.
      facets: others.length > 0 ? [] : chosenFacets(found, rested),
      filter: rested.applied,
      sorts: rested.order === 'data' ? rested.sorts : [],
      options: chosenOptions(found, set),
      offset: 0,
      limit,
      ...(others.length === 0 ? {} : { alsoIn: others }),
    });
    return [requestOf(rested), rested.other === undefined ? undefined : requestOf(rested.other)];
  }, [found, table, rested, limit]);
  const client = useQueryClient();
  const search = useSearchAnswer(connectionId, request, isShown);
  const compared = useSearchAnswer(connectionId, otherRequest, isShown);
  const shown = search.answer;
  const shownCount = shown === undefined ? 0 : countedHits(shown);
  const canShowMore = shown !== undefined && shownCount < shown.found && shownCount >= limit && limit < MOST_HITS;
  return {
    form: found,
    formProblem: form.error === null || found !== undefined ? undefined : problemOf(form.error),
    retryForm: () => void form.refetch(),
    settings,
    change,
    request,
    shown: search,
    compared: other === undefined ? undefined : compared,
    isSearching: search.isFetching || compared.isFetching || rested !== wanted,
    isUnsearched: rested !== wanted,
    searchNow: () => {
      if (rested !== wanted) setHurried(wanted);
      else {
        search.refetch();
        if (other !== undefined) compared.refetch();
      }
    },
    cancel: () => void client.cancelQueries({ queryKey: ['search', connectionId] }),
    showMore: canShowMore ? () => setMore({ of: rested, limit: Math.min(limit + HITS, MOST_HITS) }) : undefined,
    mostShown: MOST_HITS,
  };
}

/** The hits as `found` and a limit count them: by groups, where hits are grouped. */
function countedHits({ hits, foundRows }: SearchAnswer): number {
  return foundRows === undefined ? hits.length : new Set(hits.map(({ group }) => group)).size;
}
