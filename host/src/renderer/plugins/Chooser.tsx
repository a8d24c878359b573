import { visibleText } from '@tabularium/sdk';
import { Button, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconDatabaseOff, IconKey, IconRefresh, IconSearch, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { fixedOriginsOf } from '../../common/fixedOrigins.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { useCatalogue, useRefreshCatalogue } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge, TypeIcon } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './chooser.module.css';

/** With fewer types a filter is one thing more to read. */
const FILTER_FROM = 7;

function TypeState({ entry }: { readonly entry: CatalogueEntry }): ReactNode {
  if (entry.developerFolder !== undefined) return <StateBadge tone="warning">{strings.plugins.badge.folder}</StateBadge>;
  if (entry.disabled === true) return <StateBadge tone="plain">{strings.plugins.badge.disabled}</StateBadge>;
  switch (entry.state) {
    case 'notInstalled':
      return <StateBadge tone="plain">{strings.chooser.notInstalled}</StateBadge>;
    case 'installed':
      return <StateBadge tone="good">{strings.chooser.installed(entry.installedVersion ?? '')}</StateBadge>;
    case 'updateAvailable':
      return <StateBadge tone="accent">{strings.chooser.update}</StateBadge>;
    case 'cannotRun':
      return <StateBadge tone="warning">{strings.chooser.cannotRun}</StateBadge>;
  }
}

/** The database types, installed or not. */
export function Chooser({ onChoose }: { readonly onChoose: (entry: CatalogueEntry) => void }): ReactNode {
  const catalogue = useCatalogue();
  const refresh = useRefreshCatalogue();
  const [filter, setFilter] = useState('');
  const entries = catalogue.data?.entries ?? [];
  const wanted = filter.trim().toLocaleLowerCase();
  const shown = entries.filter(({ manifest }) => `${manifest.title} ${manifest.tagline}`.toLocaleLowerCase().includes(wanted));
  const problem = refresh.error === null ? catalogue.data?.problem : problemOf(refresh.error).message;
  return (
    <div className={styles.chooser}>
      <div className={styles.chooserHead}>
        <p>{strings.chooser.text}</p>
        {entries.length < FILTER_FROM ? null : (
          <TextInput
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            placeholder={strings.chooser.search}
            aria-label={strings.chooser.search}
            leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
          />
        )}
      </div>
      <div className={styles.chooserBody}>
        {catalogue.error === null ? null : (
          <ProblemPanel
            title={strings.chooser.list}
            problem={problemOf(catalogue.error)}
            onRetry={() => void catalogue.refetch()}
          />
        )}
        {catalogue.data !== undefined && entries.length === 0 ? (
          <EmptyState
            icon={<IconDatabaseOff size={36} stroke={1.25} />}
            title={strings.chooser.emptyTitle}
            text={strings.chooser.emptyText}
          />
        ) : null}
        {entries.length > 0 && shown.length === 0 ? <p className={styles.noMatch}>{strings.chooser.noMatch}</p> : null}
        <ul className={styles.tiles} aria-label={strings.chooser.list}>
          {shown.map((entry, place) => (
            <li key={entry.id}>
              <button
                type="button"
                className={styles.tile}
                data-autofocus={place === 0 || undefined}
                disabled={entry.state === 'cannotRun'}
                aria-description={reasonOf(entry)}
                onClick={() => onChoose(entry)}
              >
                <TypeIcon path={entry.manifest.icon} size={28} />
                <span className={styles.tileText}>
                  <span className={styles.tileTitle}>
                    <span>{entry.manifest.title}</span>
                    <TypeState entry={entry} />
                  </span>
                  <span className={styles.tagline}>{reasonOf(entry) ?? entry.manifest.tagline}</span>
                  {entry.resembles === undefined ? null : (
                    <span className={styles.wide}>
                      <IconAlertTriangle size={12} stroke={1.75} aria-hidden />
                      {strings.plugins.lookAlikeText(visibleText(entry.resembles.title), entry.resembles.packageName)}
                    </span>
                  )}
                  {entry.manifest.permissions.unconfined?.grants.map((grant) => (
                    <span key={grant} className={styles.wide}>
                      <IconAlertTriangle size={12} stroke={1.75} aria-hidden />
                      {strings.grants.short[grant]}
                    </span>
                  ))}
                  {entry.manifest.permissions.secrets === undefined ? null : (
                    <span className={styles.asks}>
                      <IconKey size={12} stroke={1.75} aria-hidden />
                      {strings.grants.short.secrets}
                    </span>
                  )}
                  {fixedOriginsOf(entry.manifest.permissions).map(({ origin }) => (
                    <span key={origin} className={styles.asks}>
                      <IconWorld size={12} stroke={1.75} aria-hidden />
                      {strings.grants.shortOrigin(origin)}
                    </span>
                  ))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.chooserFoot}>
        <span className={styles.age} data-problem={problem !== undefined || undefined} role="status">
          {catalogue.data === undefined
            ? null
            : [
                catalogue.data.refreshedAt === undefined
                  ? strings.chooser.builtInOnly
                  : strings.chooser.age(catalogue.data.refreshedAt),
                ...(problem === undefined ? [] : [strings.chooser.problem(problem)]),
              ].join('. ')}
        </span>
        <Button
          variant="subtle"
          color="gray"
          loading={refresh.isPending}
          leftSection={<IconRefresh size={14} stroke={1.75} />}
          onClick={() => refresh.mutate()}
        >
          {strings.chooser.refresh}
        </Button>
      </div>
    </div>
  );
}

function reasonOf({ reason, reasonOrigin }: CatalogueEntry): string | undefined {
  return reason === undefined ? undefined : textInWindowLanguage(reason, reasonOrigin);
}
