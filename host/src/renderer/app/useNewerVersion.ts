import { useEffect } from 'react';
import { useApplicationInfo } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';

/** The version that this window has announced: the facts are read again, and one line is enough. */
let announced: string | undefined;

/** Announces in the status bar that a registry has a newer version of the application. */
export function useNewerVersion(): void {
  const newer = useApplicationInfo().data?.newerVersion;
  useEffect(() => {
    if (newer === undefined || newer.version === announced) return;
    announced = newer.version;
    notify({ tab: 'none', tone: 'plain', text: strings.settings.newerNotice(newer.version, newer.registry) });
  }, [newer]);
}
