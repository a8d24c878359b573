import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SearchAnswer, SearchForm, SearchOption, Sort, TableDescription } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import type { TableFilter } from '../filter/useTableFilter.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { chosenFacets, chosenFields, chosenOptions, readSearchSettings, searchSettingsName } from './searchSettings.ts';
import type { SearchSettings } from './searchSettings.ts';

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
  readonly answer: SearchAnswer | undefined;
  /** Why the last search failed; the answer is the one before. */
  readonly problem: Problem | undefined;
  readonly isSearching: boolean;
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

function answerInDriverWords(connectionId: string, answer: SearchAnswer): SearchAnswer {
  return {
    ...notesInDriverWords(connectionId, answer),
    hits: answer.hits.map((hit) => ({
      ...hit,
      explanation: hit.explanation.map((part) => inDriverWords(connectionId, part)),
      marks: hit.marks.map((mark) => inDriverWords(connectionId, mark)),
    })),
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
  const { text, fields, facets, options, order } = settings;
  const wanted = useMemo(
    () => ({ text, fields, facets, options, order, applied: filter.applied, sorts }),
    [text, fields, facets, options, order, filter.applied, sorts],
  );
  const [typed] = useDebouncedValue(wanted, REST_MILLISECONDS);
  const [hurried, setHurried] = useState<typeof wanted>();
  const rested = hurried === wanted ? wanted : typed;
  const [more, setMore] = useState<{ readonly of: typeof wanted; readonly limit: number }>();
  const limit = more?.of === rested ? more.limit : HITS;
  const found = form.data;
  const request = useMemo(
    () =>
      found === undefined
        ? undefined
        : {
            table,
            text: rested.text,
            fields: [...chosenFields(found, rested)],
            facets: [...chosenFacets(found, rested)],
            filter: rested.applied,
            sorts: rested.order === 'data' ? [...rested.sorts] : [],
            options: chosenOptions(found, rested),
            offset: 0,
            limit,
          },
    [found, table, rested, limit],
  );
  const client = useQueryClient();
  const search = useQuery({
    queryKey: ['search', connectionId, request],
    queryFn: async ({ signal }) =>
      request === undefined
        ? undefined
        : answerInDriverWords(connectionId, await api.search.search.mutate({ connectionId, request }, { signal })),
    enabled: isShown && request !== undefined,
    retry: false,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const [last, setLast] = useState<SearchAnswer>();
  if (search.data !== undefined && search.data !== last) setLast(search.data);
  const { error } = search;
  const problem = useMemo(() => (error === null ? undefined : problemOf(error)), [error]);
  const shown = search.data ?? last;
  const canShowMore = shown !== undefined && shown.hits.length < shown.found && shown.hits.length >= limit && limit < MOST_HITS;
  return {
    form: found,
    formProblem: form.error === null || found !== undefined ? undefined : problemOf(form.error),
    retryForm: () => void form.refetch(),
    settings,
    change,
    answer: shown,
    problem,
    isSearching: search.isFetching || rested !== wanted,
    searchNow: () => {
      if (rested === wanted) void search.refetch();
      else setHurried(wanted);
    },
    cancel: () => void client.cancelQueries({ queryKey: ['search', connectionId] }),
    showMore: canShowMore ? () => setMore({ of: rested, limit: Math.min(limit + HITS, MOST_HITS) }) : undefined,
    mostShown: MOST_HITS,
  };
}
