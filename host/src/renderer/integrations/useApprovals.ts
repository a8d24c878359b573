import { useEffect, useState } from 'react';
import type { PendingApproval } from '../../common/integrations.ts';
import { watch } from '../api/watches/watch.ts';

/** The requests that wait for a person, as they come and go. While this is used, there is somebody to ask. */
export function useApprovals(): readonly PendingApproval[] {
  const [pending, setPending] = useState<readonly PendingApproval[]>([]);
  useEffect(() => watch<'approvals'>({ is: 'approvals' }, { onValue: setPending, onBroken: () => setPending([]) }), []);
  return pending;
}
