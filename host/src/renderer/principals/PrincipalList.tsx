import { ActionIcon } from '@mantine/core';
import { IconListDetails, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Ability, Principal } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { StateBadge } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import styles from './principals.module.css';

interface Props {
  readonly label: string;
  readonly principals: readonly Principal[];
  readonly editable: Ability;
  readonly onRemove: (principal: Principal) => void;
  /** Absent where none can be changed. */
  readonly onEdit: ((principal: Principal) => void) | undefined;
  /** Absent where there is no more to see. */
  readonly onDetails: ((principal: Principal) => void) | undefined;
}

/** More of them in one row push everything else off the screen; the rest is in the title. */
const MOST_ACTIONS = 6;

/** The users or keys of a database, one row each. */
export function PrincipalList({ label, principals, editable, onRemove, onEdit, onDetails }: Props): ReactNode {
  const words = strings.principals;
  const { columns } = words;
  return (
    <table className={styles.list} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{columns.label}</th>
          <th scope="col">{columns.reach}</th>
          <th scope="col">{columns.actions}</th>
          <th scope="col">{columns.facts}</th>
          <th scope="col">{columns.expires}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {principals.map((principal) => (
          <tr key={principal.id}>
            <th scope="row">{principal.label}</th>
            <td>
              {principal.serverWide ? (
                <span title={words.serverWideTitle}>
                  <StateBadge tone="warning">{words.serverWide}</StateBadge>
                </span>
              ) : (
                principal.reach
              )}
            </td>
            <td>
              <span className={styles.actions} title={principal.actions.join('\n')}>
                {principal.actions.slice(0, MOST_ACTIONS).map((action) => (
                  <code key={action}>{action}</code>
                ))}
                {principal.actions.length > MOST_ACTIONS ? (
                  <span>{words.moreActions(principal.actions.length - MOST_ACTIONS)}</span>
                ) : null}
              </span>
            </td>
            <td>
              <dl className={styles.facts}>
                {principal.attributes.map((attribute) => (
                  <div key={attribute.label}>
                    <dt>{attribute.label}</dt>
                    <dd>{attribute.value}</dd>
                  </div>
                ))}
              </dl>
            </td>
            <td className={styles.expires}>
              <Expiry iso={principal.expiresAt} />
            </td>
            <td className={styles.buttons}>
              {onDetails === undefined ? null : (
                <ActionIcon
                  aria-label={words.detailsLabel(principal.label)}
                  title={words.details}
                  onClick={() => onDetails(principal)}
                >
                  <IconListDetails size={16} stroke={1.75} />
                </ActionIcon>
              )}
              {onEdit === undefined ? null : <EditButton principal={principal} onEdit={onEdit} />}
              {editable.allowed ? null : (
                <ActionIcon
                  aria-label={words.editLabel(principal.label)}
                  aria-disabled
                  aria-describedby="principals-editable"
                  title={editable.reason}
                  className={styles.unavailable}
                >
                  <IconPencil size={16} stroke={1.75} />
                </ActionIcon>
              )}
              <ActionIcon
                aria-label={words.removeLabel(principal.label)}
                aria-disabled={!principal.removable.allowed || undefined}
                title={principal.removable.allowed ? words.remove : principal.removable.reason}
                className={principal.removable.allowed ? undefined : styles.unavailable}
                onClick={() => (principal.removable.allowed ? onRemove(principal) : undefined)}
              >
                <IconTrash size={16} stroke={1.75} />
              </ActionIcon>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EditButton({
  principal,
  onEdit,
}: {
  readonly principal: Principal;
  readonly onEdit: (principal: Principal) => void;
}): ReactNode {
  const { editable, label } = principal;
  const words = strings.principals;
  const refusal = editable?.allowed === false ? editable.reason : undefined;
  return (
    <ActionIcon
      aria-label={words.editLabel(label)}
      aria-disabled={refusal !== undefined || undefined}
      title={refusal ?? words.edit}
      className={refusal === undefined ? undefined : styles.unavailable}
      onClick={() => (refusal === undefined ? onEdit(principal) : undefined)}
    >
      <IconPencil size={16} stroke={1.75} />
    </ActionIcon>
  );
}

function Expiry({ iso }: { readonly iso: string | undefined }): ReactNode {
  const words = strings.principals;
  if (iso === undefined) return <span className={styles.never}>{words.never}</span>;
  return Date.parse(iso) <= Date.now() ? (
    <StateBadge tone="warning">{words.expired(iso)}</StateBadge>
  ) : (
    <time dateTime={iso}>{words.expiresAt(iso)}</time>
  );
}
