import { Button, Progress } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { DEFAULT_ROWS_PER_TABLE, DEFAULT_SECONDS_PER_TABLE } from '../../common/findingRows.ts';
import { strings } from '../i18n/index.ts';
import { followReference } from '../state/followedReferences.ts';
import type { ToolProps } from '../state/toolProps.ts';
import { takeWantedFind, wantedFinds } from '../state/wantedFinds.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { FindForm } from './FindForm.tsx';
import type { FindDraft } from './FindForm.tsx';
import { NOTHING_FOLDED, findLines, findSums } from './findLines.ts';
import { FoundLines } from './FoundLines.tsx';
import { rememberDraft, rememberedDraft } from './rememberedDraft.ts';
import { useFindRun } from './useFindRun.ts';
import type { FindRun } from './useFindRun.ts';
import styles from './finding.module.css';

const EMPTY: FindDraft = {
  text: '',
  scope: { in: 'all' },
  match: 'contains',
  matchCase: false,
  rowsPerTable: DEFAULT_ROWS_PER_TABLE,
  secondsPerTable: DEFAULT_SECONDS_PER_TABLE,
};

/** Where the tables of a connection are read when they are asked for, it begins with those that a person begins with. */
function emptyDraft({ initialNamespaces }: ToolProps['connection']): FindDraft {
  const [first] = initialNamespaces ?? [];
  return first === undefined || first.length === 0 ? EMPTY : { ...EMPTY, scope: { in: 'namespace', namespace: [...first] } };
}

/** Finds the rows of all tables of a connection that hold a text. */
export function FindTab({ connection, isShown }: ToolProps): ReactNode {
  const { connectionId, manifest } = connection;
  const { dispatch } = useWorkspace();
  const { run, start, goOn, stop } = useFindRun(connectionId);
  const [draft, setDraft] = useState(() => rememberedDraft(connectionId, emptyDraft(connection)));
  const [fault, setFault] = useState<'text' | 'tables'>();
  const [folded, setFolded] = useState(NOTHING_FOLDED);
  const field = useRef<HTMLInputElement>(null);
  const term = manifest.terms.table;
  const words = strings.finding;
  const isRunning = run?.state === 'running';

  const change = (next: FindDraft): void => {
    setDraft(next);
    setFault(undefined);
  };
  const find = (next: FindDraft = draft): void => {
    const found =
      next.text.trim() === '' ? 'text' : next.scope.in === 'tables' && next.scope.tables.length === 0 ? 'tables' : undefined;
    setFault(found);
    if (found !== undefined) {
      field.current?.focus();
      return;
    }
    setFolded(NOTHING_FOLDED);
    start({ connectionId, ...next });
  };
  useEffect(() => rememberDraft(connectionId, draft), [connectionId, draft]);
  const latest = useRef({ draft, find });
  useEffect(() => {
    latest.current = { draft, find };
  });
  useEffect(() => {
    const take = (): void => {
      const wanted = takeWantedFind(connectionId);
      if (wanted === undefined) return;
      const next = {
        ...latest.current.draft,
        ...(wanted.scope === undefined ? {} : { scope: wanted.scope }),
        ...(wanted.text === undefined ? {} : { text: wanted.text }),
      };
      setDraft(next);
      // The tab may be on the screen already, and the keyboard elsewhere.
      field.current?.focus();
      if (wanted.text !== undefined) latest.current.find(next);
    };
    take();
    return wantedFinds.subscribe(take);
  }, [connectionId]);
  useEffect(() => {
    if (isShown) field.current?.focus();
  }, [isShown]);

  const lines = useMemo(() => (run === undefined ? [] : findLines(run, folded)), [run, folded]);
  const open = (place: number): void => {
    const table = run?.tables[place];
    const outcome = run?.found.get(place)?.outcome;
    if (table === undefined || outcome?.outcome !== 'found') return;
    followReference(connectionId, workspaceTableKey(table), { found: outcome.filter });
    dispatch({ type: 'openTable', connectionId, table, view: 'data' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isRunning) return;
    event.preventDefault();
    stop();
  };
  const toResults = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' || event.target !== field.current) return;
    const first = event.currentTarget.querySelector<HTMLElement>('[data-line][tabindex="0"]');
    if (first === null) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <section
      className={styles.tab}
      aria-label={words.title(term)}
      onKeyDown={(event) => {
        onKeyDown(event);
        toResults(event);
      }}
    >
      <FindForm
        connection={connection}
        draft={draft}
        field={field}
        fault={fault}
        isRunning={isRunning}
        onChange={change}
        onFind={() => find()}
        onStop={stop}
      />
      {comparisonsOf(connection).map((help) => (
        <p key={help} className={styles.note}>
          {words.comparesSo(help)}
        </p>
      ))}
      {run === undefined ? (
        <EmptyState icon={<IconListSearch size={40} stroke={1.25} />} title={words.emptyTitle} text={words.emptyText(term)} />
      ) : (
        <>
          <RunState run={run} term={term} onGoOn={goOn} />
          <FoundLines
            key={run.question.text}
            connection={connection}
            run={run}
            lines={lines}
            folded={folded}
            onFold={setFolded}
            onOpen={open}
            onLeave={() => field.current?.focus()}
          />
        </>
      )}
    </section>
  );
}

/** How the database compares texts, where its driver says that it does so otherwise than letter by letter. */
function comparisonsOf({ manifest }: ToolProps['connection']): readonly string[] {
  const operators = Object.values(manifest.filtering?.classes ?? {})
    // Of columns of other kinds it says how a text is found in them, too.
    .filter(({ value, operators: all }) => value === 'text' && all.includes('equals'))
    .flatMap(({ operators: all }) => all);
  const helps = operators.flatMap((one) =>
    typeof one === 'object' && one.operator === 'contains' && one.help !== undefined ? [one.help] : [],
  );
  return [...new Set(helps)].slice(0, 3);
}

interface StateProps {
  readonly run: FindRun;
  readonly term: { readonly one: string; readonly other: string };
  readonly onGoOn: () => void;
}

/** How far a search is, or how it ended. Only its end is read aloud: a thousand tables would be a thousand announcements. */
function RunState({ run, term, onGoOn }: StateProps): ReactNode {
  const words = strings.finding;
  const { state, tables, found, question, problem } = run;
  const sums = findSums(run);
  const summary = words.summary(sums.rows, sums.hasMore, sums.tables, term);
  const isNothing = sums.tables === 0;
  const shown = shortText(question.text);
  return (
    <div className={styles.state}>
      <div className={styles.line}>
        <p className={styles.summary} role="status">
          {state === 'running' ? (
            <span className="tb-visually-hidden">{words.running(shown)}</span>
          ) : isNothing && state === 'done' ? (
            <>
              <strong>{words.nothingTitle(shown)}</strong> {words.nothingText(found.size, term)}{' '}
              {question.text === question.text.trim() ? '' : words.spaces}
            </>
          ) : (
            <>
              {isNothing ? words.nothingTitle(shown) : summary}
              {state === 'stopped' ? `. ${words.stopped(found.size, tables.length, term)}` : ''}
            </>
          )}
        </p>
        {state === 'running' ? (
          <>
            {isNothing ? null : <span className={styles.count}>{summary}</span>}
            <span className={styles.count}>{tables.length === 0 ? '' : words.progress(found.size, tables.length, term)}</span>
          </>
        ) : null}
        {state === 'stopped' ? (
          <Button size="compact-sm" variant="default" onClick={onGoOn}>
            {words.goOn}
          </Button>
        ) : null}
      </div>
      {state === 'running' ? (
        <Progress
          size={3}
          value={tables.length === 0 ? 0 : (100 * found.size) / tables.length}
          aria-label={words.running(shown)}
        />
      ) : null}
      {run.refused.map(({ namespace, error }) => (
        <p key={namespace.join('.')} className={styles.note}>
          {words.refused(visibleText(namespace.join('.')), error.message)}
        </p>
      ))}
      {problem === undefined ? null : (
        <ProblemPanel
          compact
          title={words.failedTitle}
          problem={problem}
          actions={
            <Button size="compact-sm" onClick={onGoOn}>
              {words.goOn}
            </Button>
          }
        />
      )}
    </div>
  );
}

/** Characters of the text in a sentence about it. */
const MOST_QUOTED = 80;

function shortText(text: string): string {
  const characters = [...text.slice(0, 2 * MOST_QUOTED)];
  return characters.length <= MOST_QUOTED && text.length <= 2 * MOST_QUOTED
    ? text
    : `${characters.slice(0, MOST_QUOTED).join('')}…`;
}
