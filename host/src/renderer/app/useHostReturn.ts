import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { onHostReturn } from '../api/hostLink/hostLink.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { onSignedIn } from '../state/signedOut.ts';
import type { Workspace } from '../state/workspace.ts';

/**
 * When the host is there again: opens again what this window shows, and asks again what went unanswered.
 *
 * @param onSecretMissing - a connection needs a value that the person enters
 */
export function useHostReturn(workspace: Workspace, onSecretMissing: (connectionId: string) => void): void {
  const client = useQueryClient();
  const latest = useRef({ workspace, onSecretMissing });
  useEffect(() => {
    latest.current = { workspace, onSecretMissing };
  });
  useEffect(
    () =>
      onHostReturn(({ restarted }) => {
        notify({ tab: 'none', tone: 'plain', text: strings.hostLink.returned });
        void client.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
        if (!restarted) return;
        for (const [connectionId, { info }] of Object.entries(latest.current.workspace.connections)) {
          if (info === undefined) continue;
          void reopen(connectionId).catch((error: unknown) => {
            // Anything else is said where it is used.
            if (problemOf(error).code === 'SECRET_MISSING') latest.current.onSecretMissing(connectionId);
          });
        }
      }),
    [client],
  );
  // Another credential may show more or less than the one before.
  useEffect(
    () => onSignedIn((id) => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(id) })),
    [client],
  );
}

async function reopen(connectionId: string): Promise<void> {
  const steps = await api.connections.open.mutate({ connectionId, secrets: {} });
  for await (const { step } of steps) if (step === 'open') return;
}
