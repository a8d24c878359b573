import type { NewFile } from '../../common/secretQuestion.ts';
import type { SettingsValues } from '../../common/connection.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';

/** A file of a connection that its driver can read, or change. */
export type ReachedFile = Omit<NewFile, 'before'>;

/** Every file that a driver gets with these values of the form. */
export function reachedFiles({ manifest }: Pick<SendingDriver, 'manifest'>, settings: SettingsValues): readonly ReachedFile[] {
  return manifest.permissions.files.flatMap(({ field, access, reason }): readonly ReachedFile[] => {
    const path = Object.hasOwn(settings, field) ? settings[field] : undefined;
    if (typeof path !== 'string' || path === '') return [];
    const label = manifest.connection.fields.find(({ id }) => id === field)?.label ?? field;
    return [{ field, label, path, reason, now: access }];
  });
}

/** Whether a person has confirmed what the driver may do with a file. */
export function isConfirmedAccess(confirmed: ReachedFile['now'] | undefined, now: ReachedFile['now']): boolean {
  return confirmed === now || confirmed === 'readWrite';
}
