import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Revisions } from '../../common/revisions.ts';
import { watch } from './watches/watch.ts';

/**
 * Calls back when saved things of a kind were changed, by whomever: another window, a command or a client. Not called for the state at the beginning.
 *
 * @param onBegun - called when the first state has come: changes from before were not reported
 */
export function useSavedChanges(onChange: (kind: keyof Revisions) => void, onBegun: () => void = () => undefined): void {
  const changed = useEffectEvent(onChange);
  const begun = useEffectEvent(onBegun);
  useEffect(() => {
    let before: Revisions | undefined;
    let wasBroken = false;
    return watch<'revisions'>(
      { is: 'revisions' },
      {
        onValue: (revisions) => {
          const last = before;
          before = revisions;
          if (last === undefined) begun();
          else
            for (const kind of ['application', 'connections', 'drivers'] as const)
              // A host that was restarted counts from the beginning.
              if (wasBroken || last[kind] !== revisions[kind]) changed(kind);
          wasBroken = false;
        },
        onBroken: () => {
          wasBroken = true;
        },
      },
    );
  }, []);
}

/** Queries again what was changed. */
export function useRefreshedQueries(): void {
  const client = useQueryClient();
  useSavedChanges(
    // The kinds are the first parts of the keys of their queries.
    (kind) => void client.invalidateQueries({ queryKey: [kind] }),
    // The list may be older than the first state, and a connection that a command saved in between would be missing for good.
    () => void client.invalidateQueries({ queryKey: ['connections'] }),
  );
}
