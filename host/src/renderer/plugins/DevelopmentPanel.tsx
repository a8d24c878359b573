import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DevelopedDriver } from '../../common/development.ts';
import { strings } from '../i18n/index.ts';
import styles from './development.module.css';
import { nameOf, troublePlace } from './trouble.ts';

interface Props {
  readonly developed: readonly DevelopedDriver[];
  readonly onDismiss: () => void;
}

/** Faults of the drivers in development: beside the work, never over the whole of it. */
export function DevelopmentPanel({ developed, onDismiss }: Props): ReactNode {
  return (
    <section className={styles.panel} aria-label={strings.development.region} role="status">
      <ActionIcon className={styles.close} aria-label={strings.common.dismiss} title={strings.common.dismiss} onClick={onDismiss}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
      {developed.map((entry) => (
        <Trouble key={entry.folder} entry={entry} />
      ))}
    </section>
  );
}

function Trouble({ entry }: { readonly entry: DevelopedDriver }): ReactNode {
  const words = strings.development;
  const { folder, problems, refusal, lines } = entry;
  const name = nameOf(entry);
  const title =
    problems.length > 0 ? words.buildFailed(name) : refusal === undefined ? words.errors(name) : words.notLoaded(name);
  return (
    <div className={styles.trouble}>
      <h2 className={styles.title}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        {title}
      </h2>
      {problems.length > 0 ? (
        <>
          <ul className={styles.list}>
            {problems.map(({ message, file, line, column }, index) => (
              <li key={index}>
                <code>{troublePlace(folder, file, line, column)}</code> {message}
              </li>
            ))}
          </ul>
          <p className={styles.help}>{words.buildFailedHelp}</p>
        </>
      ) : null}
      {problems.length === 0 && refusal !== undefined ? <p className={styles.message}>{refusal}</p> : null}
      {problems.length === 0 && refusal === undefined ? (
        <pre className={styles.lines} tabIndex={0} aria-label={title}>
          {lines.map(({ message }) => message).join('\n')}
        </pre>
      ) : null}
    </div>
  );
}
