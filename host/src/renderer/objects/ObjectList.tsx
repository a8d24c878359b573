import { ActionIcon, Button } from '@mantine/core';
import { IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { ObjectKind, ObjectSummary } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './objects.module.css';

interface Props {
  readonly kind: ObjectKind;
  readonly objects: readonly ObjectSummary[];
  /** The kinds whose objects are in those of this one. */
  readonly inner: readonly ObjectKind[];
  readonly onEdit: (name: string) => void;
  readonly onRemove: (name: string) => void;
  readonly onInner: (kind: ObjectKind, name: string) => void;
}

/** The objects of a kind, one row each. */
export function ObjectList({ kind, objects, inner, onEdit, onRemove, onInner }: Props): ReactNode {
  const words = strings.objects;
  const { save, remove, columns } = kind;
  const isLink = kind.names !== undefined;
  return (
    <table className={styles.list} aria-label={kind.term.other}>
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          {columns.map(({ id, label }) => (
            <th key={id} scope="col">
              {label}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {objects.map(({ name, facts }) => (
          <tr key={name}>
            <th scope="row">
              {isLink ? (
                visibleText(name)
              ) : (
                <Button variant="subtle" size="compact-xs" className={styles.open ?? ''} onClick={() => onEdit(name)}>
                  {visibleText(name)}
                </Button>
              )}
            </th>
            {columns.map(({ id }) => (
              <td key={id}>{facts[id] === undefined ? null : visibleText(facts[id])}</td>
            ))}
            <td className={styles.buttons}>
              {inner.map((one) => (
                // By its name: a kind may contain several others, and icons of them would look the same.
                <Button
                  key={one.id}
                  variant="subtle"
                  size="compact-xs"
                  aria-label={words.openInner(one.term.other, name)}
                  title={words.openInner(one.term.other, name)}
                  onClick={() => onInner(one, name)}
                >
                  {visibleText(one.term.other)}
                </Button>
              ))}
              {isLink ? null : (
                <ActionIcon
                  aria-label={save.allowed ? words.edit(name) : words.show(name)}
                  title={save.allowed ? words.edit(name) : words.show(name)}
                  onClick={() => onEdit(name)}
                >
                  {save.allowed ? <IconPencil size={16} stroke={1.75} /> : <IconEye size={16} stroke={1.75} />}
                </ActionIcon>
              )}
              <ActionIcon
                aria-label={words.removeLabel(name)}
                aria-disabled={!remove.allowed || undefined}
                title={remove.allowed ? words.removeLabel(name) : remove.reason}
                className={remove.allowed ? undefined : styles.unavailable}
                onClick={() => (remove.allowed ? onRemove(name) : undefined)}
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
