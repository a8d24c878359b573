import { ActionIcon, Button, Menu, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconChevronDown, IconDatabaseOff, IconFileImport, IconFolderCode, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import type { DriverOverview, DriversOverview } from '../../common/drivers.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { useRefreshCatalogue } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { DowngradeDialog } from './DowngradeDialog.tsx';
import { FolderDialog } from './FolderDialog.tsx';
import { GrantDialog } from './GrantDialog.tsx';
import { dismiss, useOperations, isAsking } from './operations.ts';
import { PluginDetails } from './PluginDetails.tsx';
import { PluginList } from './PluginList.tsx';
import { PublishersPane } from './PublishersPane.tsx';
import { useDriversOverview } from './pluginQueries.ts';
import { RegistriesPane } from './RegistriesPane.tsx';
import { TrustDialog } from './TrustDialog.tsx';
import { usePluginActions } from './usePluginActions.ts';
import styles from './plugins.module.css';

const VIEWS = ['browse', 'publishers', 'registries'] as const;
type View = (typeof VIEWS)[number];

/** Drivers as plug-ins: what there is, what is installed, who made it, where it comes from. */
export function PluginBrowser(): ReactNode {
  const words = strings.plugins;
  const [view, setView] = useState<View>('browse');
  return (
    <div className={styles.browser}>
      <SegmentedControl
        className={styles.views}
        aria-label={words.views}
        value={view}
        onChange={setView}
        data={VIEWS.map((value) => ({ value, label: words[value] }))}
      />
      {view === 'browse' ? <Browse /> : view === 'publishers' ? <PublishersPane /> : <RegistriesPane />}
      <PendingTrust />
    </div>
  );
}

/** The question that an operation came back with, over everything. */
function PendingTrust(): ReactNode {
  const operations = useOperations();
  const actions = usePluginActions();
  const asked = [...operations].find(([, operation]) => isAsking(operation));
  if (asked === undefined) return null;
  const [key, { question, grantQuestion, downgradeQuestion, retry, retryWithOlder }] = asked;
  if (downgradeQuestion !== undefined) {
    return (
      <DowngradeDialog
        key={key}
        question={downgradeQuestion}
        onConfirm={() => retryWithOlder(downgradeQuestion.to)}
        onRefuse={() => {
          dismiss(key);
          notify({ tab: 'none', tone: 'plain', text: strings.plugins.downgrade.refused(downgradeQuestion.from) });
        }}
      />
    );
  }
  if (grantQuestion !== undefined) {
    return (
      <GrantDialog
        key={key}
        question={grantQuestion}
        onAllow={() => actions.allow(key, grantQuestion, retry)}
        onRefuse={() => {
          dismiss(key);
          notify({ tab: 'none', tone: 'plain', text: strings.grants.refused });
        }}
      />
    );
  }
  if (question === undefined) return null;
  return (
    <TrustDialog
      key={question.keyId}
      question={question}
      onTrust={() => actions.trust(key, question, retry)}
      onRefuse={() => {
        dismiss(key);
        notify({ tab: 'none', tone: 'plain', text: strings.plugins.trust.refused });
      }}
    />
  );
}

/** An older list is reloaded when a person looks at it. */
const FRESH_MILLISECONDS = 5 * 60_000;

const FILTERS = ['all', 'installed', 'waiting'] as const;
type Filter = (typeof FILTERS)[number];

function isShown(driver: DriverOverview, filter: Filter, category: string, wanted: string): boolean {
  const { manifest, packageName, publisher } = driver;
  if (filter === 'installed' && driver.installedVersion === undefined) return false;
  if (filter === 'waiting' && !driver.updateOffered && driver.fault === undefined) return false;
  if (category !== '' && manifest.category !== category) return false;
  const text = [manifest.title, manifest.tagline, packageName, publisher?.name ?? ''].join(' ').toLocaleLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}

/** Why no driver is shown: nothing of that kind, or nothing with these words. */
function nothingOf(search: string, category: string, filter: Filter): { readonly title: string; readonly text: string } {
  return strings.plugins.nothing[search.trim() === '' && category === '' ? filter : 'all'];
}

function Browse(): ReactNode {
  const words = strings.plugins;
  const overview = useDriversOverview();
  const refresh = useRefreshCatalogue();
  const actions = usePluginActions();
  const operations = useOperations();
  const picker = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<string>();
  const [folderAsked, setFolderAsked] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const refreshedBefore = overview.data?.refreshedAt;
  const renew = useEffectEvent(() => refresh.mutate());
  useEffect(() => {
    if (refreshedBefore !== undefined && Date.now() - Date.parse(refreshedBefore) > FRESH_MILLISECONDS) renew();
  }, [refreshedBefore]);

  if (overview.error !== null) {
    return <ProblemPanel title={words.failedList} problem={problemOf(overview.error)} onRetry={() => void overview.refetch()} />;
  }
  if (overview.data === undefined) {
    return (
      <p className={styles.hint} role="status">
        {words.reading}
      </p>
    );
  }
  const { drivers, refreshedAt, offline, policy, policySentences } = overview.data;
  const shown = drivers.filter((driver) => isShown(driver, filter, category, search.trim().toLocaleLowerCase()));
  const selected = shown.find(({ id }) => id === chosen) ?? shown[0];
  const waiting = drivers.filter(({ updateOffered }) => updateOffered);
  const problem = refresh.error === null ? problemIn(overview.data) : problemOf(refresh.error).message;
  const categories = [...new Set(drivers.map(({ manifest }) => manifest.category))].sort();
  const files = [...operations].filter(([key]) => key.startsWith('file:'));

  const take = (list: FileList | null): void => {
    for (const file of list ?? []) actions.installFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div
      className={styles.browse}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
    >
      <div className={styles.toolbar}>
        <TextInput
          className={styles.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={words.search}
          aria-label={words.search}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
          data-autofocus
        />
        <NativeSelect
          aria-label={words.category}
          value={category}
          onChange={(event) => setCategory(event.currentTarget.value)}
          data={[
            { value: '', label: words.allCategories },
            ...categories.map((value) => ({ value, label: words.categories[value] })),
          ]}
        />
        <SegmentedControl
          aria-label={words.show}
          value={filter}
          onChange={setFilter}
          data={FILTERS.map((value) => ({ value, label: words.filters[value] }))}
        />
        <span className={styles.space} />
        {waiting.length === 0 ? null : (
          <Button
            disabled={waiting.every(({ id }) => operations.get(id)?.running === true)}
            onClick={() => waiting.forEach((driver) => actions.update(driver))}
          >
            {words.updateAll(waiting.length)}
          </Button>
        )}
        <Menu position="bottom-end" zIndex={301}>
          <Menu.Target>
            <ActionIcon aria-label={words.more} title={words.more}>
              <IconFileImport size={16} stroke={1.75} />
              <IconChevronDown size={10} stroke={2} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconFileImport size={14} stroke={1.75} />} onClick={() => picker.current?.click()}>
              {words.fromFile}
            </Menu.Item>
            <Menu.Item leftSection={<IconFolderCode size={14} stroke={1.75} />} onClick={() => setFolderAsked(true)}>
              {words.fromFolder}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <ActionIcon aria-label={words.refresh} title={words.refresh} loading={refresh.isPending} onClick={() => refresh.mutate()}>
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
        <input
          ref={picker}
          type="file"
          accept=".tgz"
          hidden
          aria-label={words.fromFile}
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {files.map(([key, operation]) => {
        const { name, problem: failure, retry } = operation;
        return failure === undefined || isAsking(operation) ? null : (
          <ProblemPanel
            key={key}
            compact
            title={words.failed.file(name)}
            problem={failure}
            onRetry={retry}
            actions={
              <Button variant="subtle" color="gray" onClick={() => dismiss(key)}>
                {strings.common.dismiss}
              </Button>
            }
          />
        );
      })}
      {drivers.length === 0 ? (
        <EmptyState
          icon={<IconDatabaseOff size={36} stroke={1.25} />}
          title={words.emptyTitle}
          text={words.emptyText}
          action={
            <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
              {words.refresh}
            </Button>
          }
        />
      ) : shown.length === 0 ? (
        <EmptyState
          icon={<IconSearch size={36} stroke={1.25} />}
          title={nothingOf(search, category, filter).title}
          text={nothingOf(search, category, filter).text}
          action={
            <Button
              variant="default"
              onClick={() => {
                setSearch('');
                setCategory('');
                setFilter('all');
              }}
            >
              {words.showAll}
            </Button>
          }
        />
      ) : (
        <div className={styles.panes}>
          <PluginList drivers={shown} chosen={selected?.id} onChoose={setChosen} />
          {selected === undefined ? null : <PluginDetails key={selected.id} driver={selected} />}
        </div>
      )}
      <div className={styles.footer} role="status" data-problem={problem !== undefined || undefined}>
        {problem !== undefined ? <span>{words.stale(problem)}</span> : offline ? <span>{words.offline}</span> : null}
        <span className={styles.age}>{refreshedAt === undefined ? words.builtInOnly : words.age(refreshedAt)}</span>
        {policy.length === 0 ? null : (
          <span title={policySentences.map((sentence, at) => textInWindowLanguage(policy[at] ?? '', { sentence })).join('\n')}>
            {words.policy}
          </span>
        )}
      </div>
      {isOver ? <div className={styles.dropHint}>{words.drop}</div> : null}
      {folderAsked ? <FolderDialog onClose={() => setFolderAsked(false)} onLoaded={setChosen} /> : null}
    </div>
  );
}

function problemIn({ problem, problemOrigin }: DriversOverview): string | undefined {
  return problem === undefined ? undefined : textInWindowLanguage(problem, problemOrigin);
}
