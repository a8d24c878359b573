import type { TableRef } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { ErrorReport } from '../../common/errorReport.ts';
import type { FindRows, FindRowsEvent, FindScope, findScopeSchema } from '../../common/findingRows.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';

/** How one table answered. */
export type TableFound = Omit<Extract<FindRowsEvent, { type: 'table' }>, 'type' | 'place'>;

/** A search for rows, as far as it has come. */
export interface FindRun {
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly question: FindRows;
  readonly tables: readonly TableRef[];
  /** Namespaces whose tables can't be listed, with the reason. */
  readonly refused: readonly { readonly namespace: readonly string[]; readonly error: ErrorReport }[];
  /** By the place of the table. */
  readonly found: ReadonlyMap<number, TableFound>;
  readonly problem?: Problem;
}

export interface FindRuns {
  readonly run: FindRun | undefined;
  readonly start: (question: FindRows) => void;
  /** Asks the tables that have not answered. */
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** Milliseconds between two drawings of a search: a thousand tables can answer in a second. */
const PAUSE = 100;

/** Tables that were not asked, or that had not answered, with their places. */
function unanswered({ tables, found }: FindRun): readonly (readonly [number, TableRef])[] {
  return [...tables.entries()].filter(([place]) => !found.has(place));
}

/** The scope as the router's input has it. */
function scopeInput(scope: FindScope): z.input<typeof findScopeSchema> {
  if (scope.in === 'namespace') return { in: 'namespace', namespace: [...scope.namespace] };
  return scope.in === 'tables' ? { in: 'tables', tables: [...scope.tables] } : scope;
}

/** Searches for rows, one at a time. One ends with its view. */
export function useFindRun(connectionId: string): FindRuns {
  const [run, setRun] = useState<FindRun>();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const follow = async (begun: FindRun, question: FindRows, places: readonly number[] | undefined): Promise<void> => {
    controller.current?.abort();
    const current = new AbortController();
    controller.current = current;
    let now = begun;
    const activity = beginActivity(strings.finding.running(question.text), () => current.abort(), connectionId);
    const draw = (next: FindRun): void => {
      now = next;
      // A search that another one took the place of has nothing to draw.
      if (controller.current === current) setRun(next);
    };
    draw(begun);
    const found = new Map(begun.found);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const drawSoon = (): void => {
      // The last answers before a table that takes long are drawn, too.
      timer ??= setTimeout(() => {
        timer = undefined;
        const progress = now.tables.length === 0 ? undefined : found.size / now.tables.length;
        activity.update(strings.finding.running(question.text), progress);
        draw({ ...now, found: new Map(found) });
      }, PAUSE);
    };
    const end = (state: Omit<FindRun, 'question' | 'tables' | 'refused' | 'found'>): void => {
      clearTimeout(timer);
      draw({ ...now, ...state, found });
    };
    try {
      const input = { ...question, scope: scopeInput(question.scope) };
      for await (const event of await api.finding.find.mutate(input, { signal: current.signal })) {
        if (event.type === 'tables')
          now = places === undefined ? { ...now, tables: event.tables, refused: event.refused ?? [] } : now;
        else {
          const { type: _type, place, ...answer } = event;
          found.set(places?.[place] ?? place, answer);
        }
        drawSoon();
      }
      end({ state: 'done' });
    } catch (error) {
      if (current.signal.aborted) end({ state: 'stopped' });
      else end({ state: 'failed', problem: problemOf(error) });
    } finally {
      activity.end();
    }
  };

  return {
    run,
    start: (question) =>
      void follow({ state: 'running', question, tables: [], refused: [], found: new Map() }, question, undefined),
    goOn: () => {
      if (run === undefined) return;
      const { problem: _problem, ...before } = run;
      const rest = unanswered(run);
      const begun: FindRun = { ...before, state: 'running' };
      if (rest.length === 0) {
        // It failed before the tables were known.
        void follow(begun, run.question, undefined);
        return;
      }
      const scope = { in: 'tables' as const, tables: rest.map(([, table]) => table) };
      const places = rest.map(([place]) => place);
      void follow(begun, { ...run.question, scope }, places);
    },
    stop: () => controller.current?.abort(),
  };
}
