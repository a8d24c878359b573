import type { RunningEntry, RunningState } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { StateBadge } from '../ui/Marks.tsx';

const TONES = {
  running: 'good',
  waiting: 'warning',
  idle: 'plain',
  inTransaction: 'accent',
  failedTransaction: 'warning',
  hidden: 'plain',
} as const satisfies Record<RunningState, string>;

/** The state of an entry. */
export function EntryState({ state }: Pick<RunningEntry, 'state'>): ReactNode {
  return <StateBadge tone={TONES[state]}>{strings.activity.states[state]}</StateBadge>;
}
