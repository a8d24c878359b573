import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconActivity, IconInfoCircle } from '@tabler/icons-react';
import type { EndOutcome, EndWay, RunningEntry } from '@tabularium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { blockedCounts } from '../../common/serverActivity.ts';
import { api } from '../api/client.ts';
import { inDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import type { ToolProps } from '../state/toolProps.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './activity.module.css';
import { ActivityTable } from './ActivityTable.tsx';
import { ActivityTools, INTERVALS } from './ActivityTools.tsx';
import type { ActivityView } from './ActivityTools.tsx';
import { END_WAYS, whyNot } from './EndButtons.tsx';
import { EndDialog } from './EndDialog.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { entryName } from './entryName.ts';
import { MOST_SHOWN_ENTRIES, shownEntries } from './shownEntries.ts';
import { SlowStatementsView } from './SlowStatementsView.tsx';
import { useRetainedEntries } from './useRetainedEntries.ts';

const DEFAULT_SECONDS = 5;

interface Ending {
  readonly entry: RunningEntry;
  readonly way: EndWay;
}

/** Sessions and statements at a server, read again while they are looked at. */
export function ActivityTab({ connection, isShown }: ToolProps): ReactNode {
  const words = strings.activity;
  const { connectionId } = connection;
  const client = useQueryClient();
  const detailsId = useId();
  const section = useRef<HTMLElement>(null);
  const stored = { getInitialValueInEffect: false } as const;
  const [seconds, setSeconds] = useLocalStorage<number>({
    key: 'tabularium-activity-seconds',
    defaultValue: DEFAULT_SECONDS,
    ...stored,
  });
  const [showsIdle, setShowsIdle] = useLocalStorage<boolean>({ key: 'tabularium-activity-idle', defaultValue: false, ...stored });
  const every = INTERVALS.find((known) => known === seconds) ?? DEFAULT_SECONDS;
  const [isPaused, setPaused] = useState(false);
  const [view, setView] = useState<ActivityView>('now');
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<RunningEntry>();
  const [ending, setEnding] = useState<Ending>();
  const stands = isPaused || every === 0;
  // In a hidden window the library doesn't read again; in a tab behind others nothing is to be read.
  const list = useQuery({
    queryKey: ['activity', connectionId, 'list'],
    queryFn: ({ signal }) => api.activity.list.query({ connectionId }, { signal }),
    enabled: isShown && view === 'now',
    staleTime: stands ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: stands ? false : every * 1_000,
  });
  const { data, dataUpdatedAt: readAt, error } = list;
  const frozen = data?.readOnly === undefined ? undefined : textInWindowLanguage(data.readOnly.reason, data.readOnly);
  const entries = useMemo(
    () =>
      (data?.list.entries ?? []).map((entry) =>
        frozen === undefined ? inDriverWords(connectionId, entry) : { ...entry, reason: frozen },
      ),
    [data, connectionId, frozen],
  );
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  const blocked = useMemo(() => blockedCounts(entries), [entries]);
  const { retained, retain } = useRetainedEntries(readAt);
  const { shown, idle, isBusy } = useMemo(
    () => shownEntries(entries, { text, showsIdle, ...(retained === undefined ? {} : { retained }) }),
    [entries, text, showsIdle, retained],
  );
  const clock = useMemo(() => ({ readAt, counts: isShown && !stands && error === null }), [readAt, isShown, stands, error]);
  const select = useCallback((id: string) => setSelected((before) => byId.get(id) ?? before), [byId]);
  const ask = useCallback((entry: RunningEntry, way: EndWay) => setEnding({ entry, way }), []);
  const readNow = (): void =>
    void client.refetchQueries({ queryKey: ['activity', connectionId, view === 'now' ? 'list' : 'slow'] });
  const current = selected === undefined ? undefined : (byId.get(selected.id) ?? selected);
  const isGone = current !== undefined && !byId.has(current.id);
  const closeDetails = (): void => {
    setSelected(undefined);
    section.current?.querySelector<HTMLElement>('tr[data-selected] button')?.focus();
  };
  const ended = (outcome: EndOutcome['outcome']): void => {
    if (ending === undefined) return;
    const name = entryName(ending.entry);
    const { way } = ending;
    const texts = { ended: words.ended[way](name), gone: words.gone[way](name), asked: words.asked(name) };
    notify({ tone: outcome === 'ended' ? 'plain' : 'warning', text: texts[outcome] });
    setEnding(undefined);
    retain(new Set(shown.map(({ id }) => id)));
    readNow();
  };
  const disabledOf = (way: EndWay): string | undefined =>
    current === undefined || isGone ? words.notSelected : whyNot(current, way);
  useCommands(
    [
      { id: 'activity.refresh', group: 'view', title: words.commands.refresh, run: readNow },
      { id: 'activity.pause', group: 'view', title: words.commands.pause, run: () => setPaused((before) => !before) },
      { id: 'activity.idle', group: 'view', title: words.commands.idle, run: () => setShowsIdle((before) => !before) },
      ...END_WAYS.map((way) => ({
        id: `activity.${way}`,
        group: 'view' as const,
        title: words.commands[way],
        disabled: disabledOf(way),
        run: () => (current === undefined ? undefined : ask(current, way)),
      })),
    ],
    isShown,
  );
  const status = [
    stands && every !== 0 ? strings.dashboard.paused : undefined,
    view === 'slow' || data === undefined ? undefined : words.count(shown.length, entries.length),
    view === 'slow'
      ? undefined
      : data === undefined
        ? strings.dashboard.neverRefreshed
        : words.lastRefresh(new Date(readAt).toISOString()),
  ].filter((part) => part !== undefined);
  const notes = data === undefined ? [] : notesInDriverWords(connectionId, data.list).notes;
  const leftOut = (data?.list.leftOut ?? 0) + Math.max(0, shown.length - MOST_SHOWN_ENTRIES);
  return (
    <section ref={section} className={styles.activity} aria-label={words.title}>
      <ActivityTools
        view={view}
        hasStatistics={data?.hasStatistics ?? false}
        text={text}
        showsIdle={showsIdle}
        seconds={every}
        isPaused={isPaused}
        isReading={list.isFetching}
        status={status.join(' · ')}
        onView={setView}
        onText={setText}
        onShowIdle={setShowsIdle}
        onSeconds={setSeconds}
        onPause={setPaused}
        onRefresh={readNow}
      />
      {view === 'slow' ? (
        <SlowStatementsView connectionId={connectionId} isShown={isShown} />
      ) : (
        <div className={styles.split}>
          <div className={styles.body} role="group" aria-label={words.list} tabIndex={0}>
            {error === null ? null : (
              <div className={styles.problem}>
                <ProblemPanel compact title={words.listFailed} problem={problemOf(error)} onRetry={readNow} />
                {data === undefined ? null : <p>{words.staleText(new Date(readAt).toISOString())}</p>}
              </div>
            )}
            {[...(frozen === undefined ? [] : [frozen]), ...notes, ...(leftOut > 0 ? [words.leftOut(leftOut)] : [])].map(
              (note) => (
                <p key={note} className={styles.note}>
                  <IconInfoCircle size={14} stroke={1.75} aria-hidden />
                  {note}
                </p>
              ),
            )}
            {data === undefined ? <div className={styles.pending} aria-busy={error === null} /> : null}
            {data !== undefined && shown.length === 0 ? (
              <Nothing
                text={text}
                idle={idle}
                isBusy={isBusy}
                onClear={() => setText('')}
                onShowIdle={() => setShowsIdle(true)}
              />
            ) : null}
            {shown.length === 0 ? null : (
              <ActivityTable
                entries={shown.slice(0, MOST_SHOWN_ENTRIES)}
                byId={byId}
                blocked={blocked}
                clock={clock}
                selected={current?.id}
                detailsId={detailsId}
                onSelect={select}
                onEnd={ask}
              />
            )}
          </div>
          {current === undefined ? null : (
            <EntryDetails
              id={detailsId}
              entry={current}
              isGone={isGone}
              blockers={(current.lockWait?.blockedBy ?? []).flatMap((id) => byId.get(id) ?? [])}
              clock={clock}
              onSelect={select}
              onEnd={ask}
              onClose={closeDetails}
            />
          )}
        </div>
      )}
      {ending === undefined ? null : (
        <EndDialog connectionId={connectionId} {...ending} onEnded={ended} onClose={() => setEnding(undefined)} />
      )}
    </section>
  );
}

interface NothingProps {
  readonly text: string;
  readonly idle: number;
  /** Whether something runs that the text doesn't find. */
  readonly isBusy: boolean;
  readonly onClear: () => void;
  readonly onShowIdle: () => void;
}

/** Why no row is shown, and the way to one. */
function Nothing({ text, idle, isBusy, onClear, onShowIdle }: NothingProps): ReactNode {
  const words = strings.activity;
  const searched = text.trim() !== '' && (idle === 0 || isBusy);
  return (
    <EmptyState
      icon={<IconActivity size={36} stroke={1.25} />}
      title={searched ? (idle > 0 ? words.noBusyMatch(text) : words.noMatch(text)) : words.emptyTitle}
      text={idle > 0 ? words.onlyIdle(idle) : searched ? '' : words.emptyText}
      action={
        searched && idle === 0 ? (
          <Button variant="default" onClick={onClear}>
            {words.clearFilter}
          </Button>
        ) : idle > 0 ? (
          <Button variant="default" onClick={onShowIdle}>
            {words.showIdle}
          </Button>
        ) : undefined
      }
    />
  );
}
