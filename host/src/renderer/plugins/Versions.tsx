import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DriverDetails, DriverOverview } from '../../common/drivers.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { StateBadge } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import { usePluginActions } from './usePluginActions.ts';
import styles from './plugins.module.css';

/** More are seldom looked for, and can be installed by their number on the command line. */
const MOST_OFFERED = 8;

interface Props {
  readonly driver: DriverOverview;
  readonly offered: DriverDetails['offered'];
  readonly busy: boolean;
}

/** The versions that are installed, and those that registries offer, each with the reason why it cannot run here. */
export function Versions({ driver, offered, busy }: Props): ReactNode {
  const words = strings.plugins;
  const actions = usePluginActions();
  const standing = new Set(driver.versions.map(({ version }) => version));
  const others = offered.filter(({ version }) => !standing.has(version));
  if (driver.versions.length === 0 && others.length === 0) return null;
  return (
    <>
      <h4>{words.versions}</h4>
      <ul className={styles.versions} aria-label={words.versions}>
        {driver.versions.map(({ version, current, installedAt, usedBy, refusedBecause, refusedBecauseOrigin }) => (
          <li key={version}>
            <span className={styles.versionNumber}>{version}</span>
            <span className={styles.versionText}>
              {[
                words.installedAt(installedAt),
                ...(usedBy.length === 0 ? [] : [words.usedBy(usedBy)]),
                ...(refusedBecause === undefined
                  ? []
                  : [words.refused(textInWindowLanguage(refusedBecause, refusedBecauseOrigin))]),
              ].join(' · ')}
            </span>
            {current ? (
              <StateBadge tone="good">{words.inUse}</StateBadge>
            ) : driver.developerFolder === undefined ? (
              <Button
                size="compact-xs"
                variant="default"
                disabled={busy}
                aria-label={words.useVersion(version)}
                onClick={() => actions.install(driver, version)}
              >
                {words.use}
              </Button>
            ) : null}
          </li>
        ))}
        {others.slice(0, MOST_OFFERED).map(({ version, contract, reason, reasonOrigin }) => (
          <li key={version} data-offered>
            <span className={styles.versionNumber}>{version}</span>
            <span className={styles.versionText}>
              {(reason === undefined ? undefined : textInWindowLanguage(reason, reasonOrigin)) ??
                [/^\d+\.\d+\.\d+-/.test(version) ? words.prerelease : words.offered, `${words.contract} ${contract}`].join(' · ')}
            </span>
            {reason === undefined && driver.developerFolder === undefined ? (
              <Button
                size="compact-xs"
                variant="default"
                disabled={busy}
                aria-label={words.installVersion(version)}
                onClick={() => actions.install(driver, version)}
              >
                {words.install}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {others.length > MOST_OFFERED ? <p className={styles.hint}>{words.moreVersions(others.length - MOST_OFFERED)}</p> : null}
    </>
  );
}
