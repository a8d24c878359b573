import { NativeSelect } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ConsolePlace } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { isIn } from './goBackTo.ts';
import type { TabSession } from './useConsoleSession.ts';

interface Props {
  /** As the manifest calls a place, such as `Database`. */
  readonly label: string;
  /** In the order to show them; a session begins in the first. */
  readonly places: readonly ConsolePlace[];
  readonly shown: TabSession;
  /** Where the session before was, and the next one begins. */
  readonly last: readonly string[] | undefined;
  readonly busy: boolean;
  readonly onChoose: (place: ConsolePlace) => void;
}

/** The place of a session, such as a database, for choice. A transaction keeps the session where it is. */
export function PlaceSelect({ label, places, shown, last, busy, onChoose }: Props): ReactNode {
  const namespace = shown.is === 'open' ? (shown.context.namespace ?? []) : (last ?? places[0]?.namespace ?? []);
  const current = places.findIndex((place) => isIn(namespace, place));
  const canMove = shown.is === 'notBegun' || (shown.is === 'open' && !shown.isOffline && shown.context.transaction === 'none');
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      title={label}
      disabled={busy || !canMove}
      value={String(current)}
      onChange={({ currentTarget }) => {
        const place = places[Number(currentTarget.value)];
        if (place !== undefined) onChoose(place);
      }}
    >
      {current < 0 ? <option value="-1">{visibleText(namespace.join('.'))}</option> : null}
      {places.map((place, index) => (
        <option key={JSON.stringify(place.namespace)} value={index}>
          {visibleText(place.namespace.join('.'))}
        </option>
      ))}
    </NativeSelect>
  );
}
