import { useEffect, useState } from 'react';
import type { NewSecret } from '../../common/integrations.ts';
import { watch } from '../api/watches/watch.ts';

/** The answers with a new secret that were not dismissed. While this is used, the host has a window that shows them. */
export function useNewSecrets(): readonly NewSecret[] {
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  useEffect(() => watch<'newSecrets'>({ is: 'newSecrets' }, { onValue: setSecrets, onBroken: () => setSecrets([]) }), []);
  return secrets;
}
