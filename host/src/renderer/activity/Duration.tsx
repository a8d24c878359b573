import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { useSeconds } from './useSeconds.ts';

/** When a list was read, and whether its durations count on since then. */
export interface ListClock {
  readonly readAt: number;
  readonly counts: boolean;
}

/** `12 s`, `3 min 5 s`, `2 h 14 min`, `3 d 4 h`: two units at most. */
export function durationText(milliseconds: number): string {
  const { days, hours, minutes, seconds } = strings.activity.parts;
  const all = Math.floor(milliseconds / 1_000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(all / 86_400), days],
    [Math.floor(all / 3_600) % 24, hours],
    [Math.floor(all / 60) % 60, minutes],
    [all % 60, seconds],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return `0 ${seconds}`;
  return parts
    .slice(first, first + 2)
    .filter(([value], place) => place === 0 || value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

interface Props {
  /** At the moment of the list. */
  readonly milliseconds: number | undefined;
  readonly clock: ListClock;
}

/** A duration that counts between two lists. */
export function Duration({ milliseconds, clock: { readAt, counts } }: Props): ReactNode {
  const since = useSeconds(readAt, counts && milliseconds !== undefined);
  return milliseconds === undefined ? null : <span>{durationText(milliseconds + since)}</span>;
}
