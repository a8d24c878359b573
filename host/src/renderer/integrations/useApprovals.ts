import { useEffect, useState } from 'react';
import type { PendingApproval } from '../../common/integrations.ts';
import { api } from '../api/client.ts';

/** A host that does not answer is asked again after this time. */
const AGAIN_MILLISECONDS = 2_000;

/** The requests that wait for a person, as they come and go. While this is used, there is somebody to ask. */
export function useApprovals(): readonly PendingApproval[] {
  const [pending, setPending] = useState<readonly PendingApproval[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: number | undefined;
    const follow = async (): Promise<void> => {
      try {
        const stream = await api.integrations.watchApprovals.mutate(undefined, { signal: leaving.signal });
        for await (const list of stream) setPending(list);
      } catch {
        // The window has its own way of saying that the host is gone.
      }
      setPending([]);
      if (!leaving.signal.aborted) timer = window.setTimeout(() => void follow(), AGAIN_MILLISECONDS);
    };
    void follow();
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, []);
  return pending;
}
