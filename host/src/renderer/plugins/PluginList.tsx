import { IconShieldCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { DriverOverview } from '../../common/drivers.ts';
import { StateBadge, TypeIcon } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import { isAsking, shareOf, useOperations } from './operations.ts';
import type { PluginOperation } from './operations.ts';
import styles from './plugins.module.css';

interface Props {
  readonly drivers: readonly DriverOverview[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** The drivers as one list: arrow keys, Home and End move through it, as in every list of the window. */
export function PluginList({ drivers, chosen, onChoose }: Props): ReactNode {
  const operations = useOperations();
  const list = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = drivers.findIndex(({ id }) => id === chosen);
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: drivers.length - 1 };
    const target = drivers[Math.min(drivers.length - 1, Math.max(0, steps[event.key] ?? -1))];
    if (steps[event.key] === undefined || target === undefined) return;
    event.preventDefault();
    onChoose(target.id);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return (
    <ul ref={list} className={styles.list} role="listbox" aria-label={strings.plugins.list} onKeyDown={move}>
      {drivers.map((driver) => (
        <li
          key={driver.id}
          className={styles.row}
          role="option"
          aria-selected={driver.id === chosen}
          tabIndex={driver.id === chosen ? 0 : -1}
          onClick={() => onChoose(driver.id)}
          onFocus={() => onChoose(driver.id)}
        >
          <TypeIcon path={driver.manifest.icon} size={22} />
          <span className={styles.rowText}>
            <span className={styles.rowTitle}>{driver.manifest.title}</span>
            <span className={styles.rowFacts}>
              {driver.publisher === undefined || driver.publisher.origin === 'developerFolder' ? null : (
                <IconShieldCheck size={13} stroke={1.75} aria-label={strings.plugins.verified} />
              )}
              {[driver.installedVersion ?? driver.availableVersion, driver.publisher?.name].filter(Boolean).join(' · ')}
            </span>
            <RowState driver={driver} operation={operations.get(driver.id)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function RowState({
  driver,
  operation,
}: {
  readonly driver: DriverOverview;
  readonly operation: PluginOperation | undefined;
}): ReactNode {
  const words = strings.plugins.badge;
  if (operation?.running === true) {
    return (
      <progress
        className={styles.progress}
        value={shareOf(operation.progress)}
        max={1}
        aria-label={strings.plugins.working[operation.kind](driver.manifest.title)}
      />
    );
  }
  const badges: ReactNode[] = [];
  const add = (tone: 'plain' | 'good' | 'warning' | 'accent', text: string): void =>
    void badges.push(
      <StateBadge key={text} tone={tone}>
        {text}
      </StateBadge>,
    );
  if ((operation?.problem !== undefined && !isAsking(operation)) || driver.fault !== undefined) add('warning', words.failed);
  if (driver.resembles !== undefined) add('warning', words.lookAlike);
  if (driver.developerFolder !== undefined) add('warning', words.folder);
  if (driver.disabled === true) add('plain', words.disabled);
  else if (driver.updateOffered) add('accent', words.update(driver.availableVersion ?? ''));
  else if (driver.state === 'cannotRun' && driver.fault === undefined) add('warning', words.cannotRun);
  else if (driver.installedVersion !== undefined && driver.fault === undefined && driver.developerFolder === undefined)
    add('good', words.installed);
  if (driver.pinned !== undefined) add('plain', words.pinned);
  return badges.length === 0 ? null : <span className={styles.badges}>{badges}</span>;
}
