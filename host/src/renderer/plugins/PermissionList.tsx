import { IconAlertTriangle, IconFile, IconKey, IconShieldCheck, IconWorld } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Permissions as Asked } from '@tabularium/sdk/manifest';
import { AddressText } from '../ui/AddressText.tsx';
import { strings } from '../i18n/index.ts';
import styles from './plugins.module.css';

interface Props {
  readonly asked: Asked;
  /** The connection form's name of a field. */
  readonly labelOf?: (field: string) => string;
}

/** The permissions that a driver asks for, as sentences, the widest first. */
export function PermissionList({ asked, labelOf = (field) => field }: Props): ReactNode {
  const words = strings.plugins.permission;
  const nothing =
    asked.http === undefined &&
    asked.socket === undefined &&
    asked.secrets === undefined &&
    asked.files.length === 0 &&
    asked.unconfined === undefined;
  return (
    <ul className={styles.permissions}>
      {asked.unconfined?.grants.map((grant) => (
        <li key={grant} data-wide>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span>{words.beyond(strings.grants.meaning[grant], asked.unconfined?.reason ?? '')}</span>
        </li>
      ))}
      {asked.secrets === undefined ? null : (
        <li data-wide>
          <IconKey size={16} stroke={1.75} aria-hidden />
          <span>{words.secrets(asked.secrets.fields.map(labelOf).join(', '), asked.secrets.reason)}</span>
        </li>
      )}
      {asked.files.map(({ field, access, reason }) => (
        <li key={field}>
          <IconFile size={16} stroke={1.75} aria-hidden />
          <span>{access === 'read' ? words.fileRead(labelOf(field), reason) : words.fileWrite(labelOf(field), reason)}</span>
        </li>
      ))}
      {asked.http === undefined ? null : (
        <li>
          <IconWorld size={16} stroke={1.75} aria-hidden />
          <span>{words.http}</span>
        </li>
      )}
      {asked.http?.furtherOrigins.map(({ id, label, origin, reason }) => (
        <li key={id} data-wide={typeof origin === 'string' || undefined}>
          <IconWorld size={16} stroke={1.75} aria-hidden />
          <span>
            {typeof origin === 'string' ? (
              <>
                {words.fixedOrigin}
                <AddressText url={origin} />
                {words.fixedOriginReason(visibleText(label, 'name'), visibleText(reason))}
              </>
            ) : (
              words.furtherOrigin(visibleText(label, 'name'), visibleText(reason))
            )}
          </span>
        </li>
      ))}
      {asked.socket === undefined ? null : (
        <li>
          <IconWorld size={16} stroke={1.75} aria-hidden />
          <span>{words.socket}</span>
        </li>
      )}
      {nothing ? (
        <li>
          <IconShieldCheck size={16} stroke={1.75} aria-hidden />
          <span>{words.nothing}</span>
        </li>
      ) : null}
    </ul>
  );
}
