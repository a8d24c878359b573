import { visibleText } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { ReactNode } from 'react';
import { addressPartsOf, destinationOf, destinationUrls } from '../../common/destinationOf.ts';
import { destinationProblems } from '../../common/destinationProblems.ts';
import { shownOriginsOf } from '../../common/furtherDestinations.ts';
import { tunnelOf, tunnelUrl } from '../../common/tunnelOf.ts';
import { tunnelProblems } from '../../common/tunnelProblems.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { strings } from '../i18n/index.ts';
import styles from './form.module.css';
import type { FormDraft, FormProblems } from './formModel.ts';
import { toConnectionInput } from './formModel.ts';
import { tokenOriginsOf } from '../../common/tokenOriginsOf.ts';

interface Props {
  readonly manifest: Manifest;
  readonly draft: FormDraft;
  /** The faults of the form, by the fields. */
  readonly problems: FormProblems;
}

/**
 * Says on every pane where the credentials will go and how. The fields are the driver's: their labels, their order and which of them are
 * hidden prove nothing about the server that gets the credentials.
 */
export function DestinationLine({ manifest, draft, problems }: Props): ReactNode {
  const server = serverPermissionOf(manifest);
  if (server === undefined) return null;
  // A value that the form refuses is not sent, and without it the address would be one that was never entered.
  const { host, port, scheme } = addressPartsOf(server);
  if ([host.field, port.field, scheme.field].some((id) => id !== undefined && Object.hasOwn(problems, id))) return null;
  const { settings } = toConnectionInput(manifest, draft);
  // Nothing is sent to an invalid address, and it may hold a password.
  if (destinationProblems(server, manifest, settings).length > 0) return null;
  const destination = destinationOf(server, manifest, settings);
  const origins = tokenOriginsOf(manifest, settings);
  const further = shownOriginsOf(manifest, settings);
  const tunnel = tunnelOf(manifest, settings);
  const isWayValid = tunnel !== undefined && tunnel.host !== '' && tunnelProblems(manifest, settings).length === 0;
  return (
    <p className={styles.destination}>
      {strings.form.destination(destinationUrls(destination).join(', '), strings.secrets.verification[destination.protection])}
      {further.map(({ label, url, protection, credentials }) => (
        <span key={label}>
          {` ${strings.form.furtherOrigin(visible(label), url, credentials.map(visible), strings.secrets.verification[protection])}`}
        </span>
      ))}
      {origins.length === 0 ? null : ` ${strings.form.tokensFrom(origins.join(', '))}`}
      {isWayValid ? ` ${strings.tunnels.through(visible(tunnelUrl(tunnel)))}` : null}
      {/* Last, so that a long reason moves no address out of sight. */}
      {further.map(({ label, reason }) => (
        <span key={label}>{` ${strings.form.furtherReason(visible(label), visibleText(reason))}`}</span>
      ))}
    </p>
  );
}

function visible(text: string): string {
  return visibleText(text, 'name');
}
