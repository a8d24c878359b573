import type { RunningEntry } from '@tabularium/sdk';
import { strings } from '../i18n/index.ts';

/** The number by which a person finds an entry again; entries of some databases have none. */
export function entryName({ number, user }: Pick<RunningEntry, 'number' | 'user'>): string {
  return number ?? user ?? strings.activity.noNumber;
}

/** The program of the client, or its address where it doesn't say which it is. */
export function clientName({ application, client, kind, activity }: RunningEntry): string {
  return application ?? client ?? (kind === 'background' ? (activity ?? strings.activity.background) : '');
}
