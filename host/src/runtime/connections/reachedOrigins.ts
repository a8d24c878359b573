import type { SettingsValues } from '../../common/connection.ts';
import type { NewOrigin, OriginPlace } from '../../common/secretQuestion.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { originUrl, serverDestination } from '../drivers/broker/serverDestination.ts';
import type { SendingDriver, ServerPlace } from '../drivers/broker/serverDestination.ts';

/** The id of a connection's first origin among its origins: no further one has it. */
export const FIRST_ORIGIN = '';

/** One origin that a driver can reach with a connection. */
export interface ReachedOrigin extends Pick<NewOrigin, 'id' | 'label' | 'reason'> {
  readonly place: OriginPlace;
  /** The fields in which a person enters where it is; none for a fixed address, which is a permission of the driver. */
  readonly fields: readonly string[];
}

/** Every origin that a driver can reach with these values of the form. A form with a value that leads nowhere reaches none. */
export function reachedOrigins(
  { manifest }: Pick<SendingDriver, 'manifest'>,
  settings: SettingsValues,
): readonly ReachedOrigin[] {
  const server = serverPermissionOf(manifest);
  if (server === undefined) return [];
  let destination;
  try {
    destination = serverDestination(server, manifest, settings);
  } catch {
    return [];
  }
  const { http } = manifest.permissions;
  const nodes = http?.origin.nodes;
  const first: ReachedOrigin = {
    ...{ id: FIRST_ORIGIN, label: '', reason: '' },
    place: originPlace(destination),
    fields: [server.origin.host.field, ...(nodes === undefined ? [] : [nodes.field])],
  };
  const further = destination.further.flatMap(({ id, label, server: from, place }): readonly ReachedOrigin[] => {
    if (place === undefined) return [];
    const reason = http?.furtherOrigins.find((one) => one.id === id)?.reason ?? '';
    return [{ id, label, reason, place: originPlace(place), fields: from === undefined ? [] : [from.origin.host.field] }];
  });
  return [first, ...further];
}

/** A place as it is compared and shown. */
function originPlace({ origin, nodes, verification }: Pick<ServerPlace, 'origin' | 'nodes' | 'verification'>): OriginPlace {
  const urls = [origin, ...nodes].map(originUrl);
  return { origins: urls, verification: verification ?? 'plain' };
}

const STRENGTHS: readonly OriginPlace['verification'][] = ['plain', 'none', 'chain', 'identity'];

/** Whether a place is the one that was confirmed, protected at least as well. */
export function isConfirmedPlace(confirmed: OriginPlace, now: OriginPlace): boolean {
  return (
    confirmed.origins.length === now.origins.length &&
    confirmed.origins.every((origin, index) => origin === now.origins[index]) &&
    STRENGTHS.indexOf(now.verification) >= STRENGTHS.indexOf(confirmed.verification)
  );
}
