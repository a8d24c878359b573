import { useEffect, useState } from 'react';
import type { PendingConsent } from '../../common/integrations.ts';
import { watch } from '../api/watches/watch.ts';

/** The sign-ins that wait for a person, as they come and go. While this is used, there is somebody to ask. */
export function useConsents(): readonly PendingConsent[] {
  const [pending, setPending] = useState<readonly PendingConsent[]>([]);
  useEffect(() => watch<'consents'>({ is: 'consents' }, { onValue: setPending, onBroken: () => setPending([]) }), []);
  return pending;
}
