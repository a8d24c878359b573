import { ActionIcon, Button, FileButton, Loader, Select, TextInput } from '@mantine/core';
import { IconArrowLeft, IconInfoCircle, IconPlus, IconRefresh, IconSearch, IconTags } from '@tabler/icons-react';
import type { ObjectKind, ObjectPlace } from '@tabularium/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { LARGEST_OBJECT_FILE } from '../../common/objects.ts';
import { chosenFileText } from '../api/chosenFileText.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { tableName } from '../../common/tableName.ts';
import { useTables } from '../api/queries.ts';
import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { objectKinds, takeObjectKind } from '../state/objectKinds.ts';
import type { ToolProps } from '../state/toolProps.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { saveAs } from '../ui/saveAs.ts';
import { ImportObjectsDialog } from './ImportObjectsDialog.tsx';
import { ObjectDialog } from './ObjectDialog.tsx';
import { ObjectList } from './ObjectList.tsx';
import { chosenPlace, storablePlace, storedPlace } from './chosenPlace.ts';
import type { ShownPlace } from './chosenPlace.ts';
import { kindInDriverWords } from './objectWords.ts';
import styles from './objects.module.css';
import { RemoveObjectDialog } from './RemoveObjectDialog.tsx';
import { shortName } from './shortName.ts';
import { searchableList } from '../ui/searchableList.ts';

/** The place that was shown last. */
const SHOWN = 'objects';

/** The named objects of a database: its kinds, and a list of each. */
export function ObjectsTab({ connection, isShown }: ToolProps): ReactNode {
  const { connectionId, manifest } = connection;
  const words = strings.objects;
  const kinds = useQuery({
    queryKey: ['objects', connectionId, 'kinds'],
    queryFn: ({ signal }) => api.objects.kinds.query({ connectionId }, { signal }),
    staleTime: 0,
  });
  const tables = useTables(connectionId);
  const [shown, setShown] = useState<ShownPlace | undefined>(() => storedPlace(recall(connectionId, SHOWN)));
  useEffect(() => {
    // A window that is loaded again shows the same collection: a new object would else go into another one.
    if (shown !== undefined) remember(connectionId, SHOWN, storablePlace(shown));
  }, [connectionId, shown]);
  useEffect(() => {
    const take = (): void => {
      const kind = takeObjectKind(connectionId);
      if (kind !== undefined) setShown((before) => ({ kind, ...(before?.table === undefined ? {} : { table: before.table }) }));
    };
    take();
    return objectKinds.subscribe(take);
  }, [connectionId]);
  if (kinds.data === undefined) {
    return (
      <div className={styles.centered} aria-busy={kinds.error === null}>
        {kinds.error === null ? null : (
          <ProblemPanel title={words.kindsFailed} problem={problemOf(kinds.error)} onRetry={() => void kinds.refetch()} />
        )}
      </div>
    );
  }
  const all = kinds.data.map((kind) => kindInDriverWords(connectionId, kind));
  // One in another object can't be listed before that is chosen.
  const firstKind = all.find(({ within }) => within === undefined);
  if (firstKind === undefined) {
    return <EmptyState icon={<IconTags size={32} stroke={1.25} />} title={words.noKinds} text={words.noKindsText} />;
  }
  const place = shown ?? { kind: firstKind.id };
  const kind = all.find(({ id }) => id === place.kind) ?? firstKind;
  const refs = (tables.data ?? []).filter(({ aliasOf }) => aliasOf === undefined).map(({ ref }) => ref);
  const chosen = chosenPlace(kind, place, refs);
  const group = (scope: ObjectKind['scope']): readonly ObjectKind[] =>
    all.filter((one) => one.scope === scope && one.within === undefined);
  const marked = kind.within ?? kind.id;
  const scopeNames = { table: manifest.terms.table.one, server: words.server };
  return (
    <section className={styles.objects} aria-label={words.title}>
      <nav className={styles.kinds} aria-label={words.kinds}>
        {(['table', 'server'] as const).map((scope) =>
          group(scope).length === 0 ? null : (
            <div key={scope} role="group" aria-label={scopeNames[scope]}>
              <p className={styles.muted}>{scopeNames[scope]}</p>
              {group(scope).map((one) => (
                <button
                  key={one.id}
                  type="button"
                  className={styles.kind}
                  aria-current={one.id === marked}
                  onClick={() => setShown({ kind: one.id, ...(place.table === undefined ? {} : { table: place.table }) })}
                >
                  {one.term.other}
                </button>
              ))}
            </div>
          ),
        )}
      </nav>
      <div className={styles.main}>
        {kind.scope === 'table' ? (
          <div className={styles.place}>
            <Select
              size="xs"
              className={styles.tableChoice ?? ''}
              label={manifest.terms.table.one}
              {...searchableList}
              allowDeselect={false}
              limit={200}
              data={[...new Set(refs.map(tableName))]}
              value={chosen?.table === undefined ? null : tableName(chosen.table)}
              onChange={(name) => {
                const table = refs.find((ref) => tableName(ref) === name);
                if (table !== undefined) setShown({ kind: kind.id, table });
              }}
            />
          </div>
        ) : null}
        {chosen === undefined ? (
          <p className={styles.note}>{tables.isPending ? '' : words.noTables(manifest.terms.table.other)}</p>
        ) : (
          <PlacedObjects
            key={JSON.stringify(chosen)}
            connectionId={connectionId}
            kind={kind}
            kinds={all}
            place={chosen}
            isShown={isShown}
            onPlace={setShown}
          />
        )}
      </div>
    </section>
  );
}

interface PlacedProps {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly kinds: readonly ObjectKind[];
  readonly place: ObjectPlace;
  readonly isShown: boolean;
  readonly onPlace: (place: ShownPlace) => void;
}

/** Servers list objects in any order. */
const byName = new Intl.Collator(undefined, { numeric: true });

type Layer =
  | { readonly is: 'edit'; readonly name?: string }
  | { readonly is: 'remove'; readonly name: string }
  | { readonly is: 'import'; readonly file: { readonly name: string; readonly content: string } };

/** The objects of one place. */
function PlacedObjects({ connectionId, kind, kinds, place, isShown, onPlace }: PlacedProps): ReactNode {
  const words = strings.objects;
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: ['objects', connectionId, 'list', place],
    queryFn: ({ pageParam, signal }) =>
      api.objects.list.query({ connectionId, place, ...(pageParam === '' ? {} : { next: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Others change them too: what is shown when the tab is opened is what there is.
    staleTime: 0,
  });
  const [search, setSearch] = useState('');
  const [layer, setLayer] = useState<Layer>();
  const [failure, setFailure] = useState<{ readonly title: string; readonly problem: Problem }>();
  const forgetFile = useRef<() => void>(null);
  const close = (): void => setLayer(undefined);
  const reread = (): void => {
    void client.invalidateQueries({ queryKey: ['objects', connectionId] });
    void client.invalidateQueries({ queryKey: ['tables', connectionId] });
  };
  const all = (list.data?.pages.flatMap(({ objects }) => objects) ?? []).toSorted((a, b) => byName.compare(a.name, b.name));
  const wanted = search.trim().toLocaleLowerCase().split(/\s+/);
  const found = all.filter(({ name, facts }) => {
    const shownText = [name, ...Object.values(facts)].join('\n').toLocaleLowerCase();
    return wanted.every((word) => shownText.includes(word));
  });
  const refused = kind.save.allowed ? undefined : kind.save.reason;
  useCommands(
    [
      {
        id: 'objects.new',
        group: 'view',
        title: words.add(kind.term.one),
        disabled: refused,
        run: () => setLayer({ is: 'edit' }),
      },
      { id: 'objects.refresh', group: 'view', title: words.refreshList(kind.term.other), run: () => void list.refetch() },
    ],
    isShown,
  );
  const [isExporting, setExporting] = useState(false);
  const exportAll = async (): Promise<void> => {
    setExporting(true);
    try {
      const { text } = await api.objects.export.query({ connectionId, place });
      setFailure(undefined);
      saveAs(`${[place.table?.name, place.within, kind.id].filter(Boolean).join('-')}.json`, 'application/json', [text]);
    } catch (error) {
      setFailure({ title: words.exportFailed, problem: problemOf(error) });
    } finally {
      setExporting(false);
    }
  };
  const chooseFile = async (file: File | null): Promise<void> => {
    // A file that was corrected can be chosen again.
    forgetFile.current?.();
    if (file === null) return;
    try {
      const content = await chosenFileText(file, LARGEST_OBJECT_FILE);
      setFailure(undefined);
      setLayer({ is: 'import', file: { name: file.name, content } });
    } catch (error) {
      setFailure({ title: words.importFailed(file.name), problem: problemOf(error) });
    }
  };
  const holder = kinds.find(({ id }) => id === kind.within);
  const inner = kinds.filter(({ within }) => within === kind.id);
  const addButton =
    refused === undefined ? (
      <Button size="xs" leftSection={<IconPlus size={14} stroke={2} />} onClick={() => setLayer({ is: 'edit' })}>
        {words.add(kind.term.one)}
      </Button>
    ) : undefined;
  return (
    <>
      <div className={styles.bar}>
        {holder === undefined ? null : (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconArrowLeft size={14} stroke={1.75} />}
            onClick={() => onPlace({ kind: holder.id })}
          >
            {holder.term.other}
          </Button>
        )}
        {place.within === undefined ? null : <strong className={styles.within}>{place.within}</strong>}
        <TextInput
          size="xs"
          className={styles.search ?? ''}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => (event.key === 'Escape' ? setSearch('') : undefined)}
          placeholder={words.search(kind.term.other)}
          aria-label={words.search(kind.term.other)}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
        />
        <ActionIcon
          aria-label={words.refreshList(kind.term.other)}
          title={words.refreshList(kind.term.other)}
          loading={list.isRefetching}
          onClick={() => void list.refetch()}
        >
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
        <span className={styles.count}>{list.data === undefined ? null : words.count(found.length)}</span>
        {kind.names === undefined ? (
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={all.length === 0}
              loading={isExporting}
              onClick={() => void exportAll()}
            >
              {words.export}
            </Button>
            {refused === undefined ? (
              <FileButton resetRef={forgetFile} accept="application/json,.json" onChange={(file) => void chooseFile(file)}>
                {(props) => (
                  <Button size="compact-sm" variant="subtle" {...props}>
                    {words.import}
                  </Button>
                )}
              </FileButton>
            ) : null}
          </>
        ) : null}
        {addButton}
      </div>
      {refused === undefined && all.length === 0 ? null : (
        <p className={styles.note}>
          <IconInfoCircle size={14} stroke={1.75} aria-hidden />
          {refused ?? kind.help}
        </p>
      )}
      <div className={styles.body}>
        {list.isPending ? (
          <p className={styles.reading} role="status">
            <Loader size={14} aria-hidden />
            {words.readingList(kind.term.other)}
          </p>
        ) : null}
        {list.error === null ? null : (
          <ProblemPanel
            title={words.listFailed(kind.term.other)}
            problem={problemOf(list.error)}
            onRetry={() => void list.refetch()}
          />
        )}
        {failure === undefined ? null : <ProblemPanel {...failure} />}
        {list.data !== undefined && all.length === 0 ? (
          <EmptyState
            icon={<IconTags size={36} stroke={1.25} />}
            title={words.emptyTitle(kind.term.other)}
            text={kind.help}
            action={addButton}
          />
        ) : null}
        {all.length > 0 && found.length === 0 ? (
          <div className={styles.noMatch}>
            <p>{words.noMatch(search)}</p>
            <Button variant="subtle" onClick={() => setSearch('')}>
              {words.clearSearch}
            </Button>
          </div>
        ) : null}
        {found.length > 0 ? (
          <ObjectList
            kind={kind}
            objects={found}
            inner={inner}
            onEdit={(name) => setLayer({ is: 'edit', name })}
            onRemove={(name) => setLayer({ is: 'remove', name })}
            onInner={(one, name) => onPlace({ kind: one.id, within: name })}
          />
        ) : null}
        {list.hasNextPage ? (
          <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.more}
          </Button>
        ) : null}
      </div>
      {layer?.is === 'edit' ? (
        <ObjectDialog
          connectionId={connectionId}
          kind={kind}
          place={place}
          {...(layer.name === undefined ? {} : { name: layer.name })}
          onClose={close}
          onTried={reread}
          onSaved={(name) => {
            notify({ tone: 'plain', text: words.saved(shortName(name)) });
            close();
          }}
        />
      ) : null}
      {layer?.is === 'remove' ? (
        <RemoveObjectDialog
          connectionId={connectionId}
          kind={kind}
          object={{ ...place, name: layer.name }}
          onClose={close}
          onRemoved={() => {
            reread();
            notify({ tone: 'plain', text: words.removed(shortName(layer.name)) });
            close();
          }}
        />
      ) : null}
      {layer?.is === 'import' ? (
        <ImportObjectsDialog
          connectionId={connectionId}
          kind={kind}
          place={place}
          file={layer.file}
          onImported={reread}
          onClose={close}
        />
      ) : null}
    </>
  );
}
