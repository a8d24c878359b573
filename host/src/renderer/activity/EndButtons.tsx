import { ActionIcon } from '@mantine/core';
import { IconPlayerStop, IconPlugOff } from '@tabler/icons-react';
import type { EndWay, RunningEntry } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './activity.module.css';
import { entryName } from './entryName.ts';

export const END_WAYS: readonly EndWay[] = ['cancel', 'terminate'];
export const END_ICONS = { cancel: IconPlayerStop, terminate: IconPlugOff } as const;

/** Why an entry can't be ended in a way; undefined where it can. */
export function whyNot({ ways, reason }: RunningEntry, way: EndWay): string | undefined {
  if (ways.includes(way)) return undefined;
  return reason ?? (way === 'cancel' ? strings.activity.cancelNothing : strings.activity.ways[way]);
}

interface Props {
  readonly entry: RunningEntry;
  /** Whether the keyboard reaches the buttons: of one row of a table only. */
  readonly isReached: boolean;
  readonly onEnd: (entry: RunningEntry, way: EndWay) => void;
}

/** The ways to end an entry, as two small buttons. */
export function EndButtons({ entry, isReached, onEnd }: Props): ReactNode {
  const words = strings.activity;
  return END_WAYS.map((way) => {
    const Icon = END_ICONS[way];
    const refused = whyNot(entry, way);
    return (
      <ActionIcon
        key={way}
        tabIndex={isReached ? 0 : -1}
        aria-label={words.waysOf(way, entryName(entry))}
        aria-disabled={refused !== undefined || undefined}
        title={refused ?? words.ways[way]}
        className={refused === undefined ? undefined : styles.unavailable}
        onClick={(event) => {
          event.stopPropagation();
          if (refused === undefined) onEnd(entry, way);
        }}
      >
        <Icon size={16} stroke={1.75} />
      </ActionIcon>
    );
  });
}
