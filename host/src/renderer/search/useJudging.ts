import { rowKeyText } from '@tabularium/sdk';
import type { RowKey, SearchHit, TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { QuerySetInfo } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { rereadQuerySets, useQuerySet, useQuerySets } from './querySetQueries.ts';
import type { SearchSettings } from './searchSettings.ts';

interface Options {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly settings: Pick<SearchSettings, 'text' | 'judging'>;
  readonly change: (change: Pick<SearchSettings, 'judging'>) => void;
  readonly hits: readonly SearchHit[];
}

/** Hits get grades for the words that are searched for. */
export interface Judging {
  readonly sets: readonly QuerySetInfo[];
  /** Undefined: none is chosen. */
  readonly setId: string | undefined;
  readonly choose: (id: string | null) => void;
  readonly leave: () => void;
  /** Hits that have a grade. */
  readonly judged: number;
  readonly gradeOf: (key: RowKey) => number | undefined;
  /** Absent where nothing can be judged: without words, or without a set. */
  readonly judge: ((key: RowKey, grade: number | null) => void) | undefined;
  /** Why the last grade was not saved. */
  readonly problem: Problem | undefined;
}

export function useJudging({ connectionId, table, settings, change, hits }: Options): Judging {
  const client = useQueryClient();
  const sets = useQuerySets(connectionId, table, settings.judging !== undefined).data ?? [];
  const setId = sets.find(({ id }) => id === settings.judging)?.id;
  const set = useQuerySet(setId).data;
  const text = settings.text.trim();
  const [problem, setProblem] = useState<Problem>();
  const grades = useMemo(() => {
    const judgments = set?.judged.find((query) => query.text === text)?.judgments ?? [];
    return new Map(judgments.map(({ key, grade }) => [rowKeyText(key), grade]));
  }, [set, text]);
  const judge = async (id: string, key: RowKey, grade: number | null): Promise<void> => {
    try {
      await api.relevance.sets.judge.mutate({ id, text, key: structuredClone(key) as never, grade });
      setProblem(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
    await rereadQuerySets(client);
  };
  return {
    sets,
    setId,
    choose: (id) => change({ judging: id }),
    leave: () => change({ judging: undefined }),
    judged: hits.filter(({ key }) => grades.has(rowKeyText(key))).length,
    gradeOf: (key) => grades.get(rowKeyText(key)),
    judge: setId === undefined || text === '' ? undefined : (key, grade) => void judge(setId, key, grade),
    problem,
  };
}
