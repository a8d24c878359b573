import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { addressOf } from '../../common/address.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { ColorDot, StateBadge, TypeIcon } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import type { ConnectionGroup } from '../connections/listModel.ts';
import styles from './start.module.css';

interface Props {
  readonly groups: readonly ConnectionGroup[];
  /** Shown before the groups, where they are again. */
  readonly recents: readonly SavedConnection[];
  readonly folded: readonly string[];
  readonly entryOf: (connection: SavedConnection) => CatalogueEntry | undefined;
  readonly isOpen: (connection: SavedConnection) => boolean;
  /** When each was last opened, as ISO. */
  readonly opened: Readonly<Record<string, string>>;
  readonly onOpen: (connectionId: string) => void;
  readonly onMenu: (connection: SavedConnection, at: { readonly x: number; readonly y: number }) => void;
  readonly onFold: (group: string) => void;
  readonly onMove: (connectionId: string, group: string | undefined) => void;
}

/** The type of a dragged connection, so that nothing else is taken for one. */
const DRAGGED = 'application/x-tabularium-connection';

/** The saved connections in their groups. Arrow keys go along them; one is moved into a group by dragging it, or by its menu. */
export function ConnectionList({ groups, recents, folded, onFold, onMove, ...list }: Props): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string>();
  const hasGroups = groups.some(({ name }) => name !== undefined);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const here = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[event.key];
    if (here === -1 || to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  const dropOn = (name: string | undefined) => ({
    onDragOver: (event: DragEvent): void => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return;
      event.preventDefault();
      setOver(name ?? '');
    },
    onDragLeave: (): void => setOver(undefined),
    onDrop: (event: DragEvent): void => {
      setOver(undefined);
      const id = event.dataTransfer.getData(DRAGGED);
      if (id !== '') onMove(id, name);
    },
  });
  return (
    <div ref={root} data-tour="list" className={styles.groups} onKeyDown={onKeyDown}>
      {recents.length === 0 ? null : (
        <section className={styles.group}>
          <h2 className={styles.groupTitle}>
            <span className={styles.groupLabel}>{strings.start.recents}</span>
          </h2>
          <ul className={styles.list} aria-label={strings.start.recents}>
            {recents.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} {...list} />
            ))}
          </ul>
        </section>
      )}
      {groups.map(({ name, connections }) => {
        const title = name ?? strings.connections.ungrouped;
        const isFolded = hasGroups && folded.includes(name ?? '');
        return (
          <section
            key={name ?? ''}
            className={styles.group}
            data-over={over === (name ?? '') || undefined}
            {...(hasGroups ? dropOn(name) : {})}
          >
            {hasGroups ? (
              <h2 className={styles.groupTitle}>
                <button
                  type="button"
                  data-row
                  className={styles.groupButton}
                  aria-expanded={!isFolded}
                  onClick={() => onFold(name ?? '')}
                >
                  {isFolded ? <IconChevronRight size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
                  {title}
                  <span className="tb-visually-hidden">{strings.connections.groupCount(connections.length)}</span>
                  <span className={styles.groupCount} aria-hidden>
                    {connections.length}
                  </span>
                </button>
              </h2>
            ) : recents.length === 0 ? null : (
              <h2 className={styles.groupTitle}>
                <span className={styles.groupLabel}>{strings.start.all}</span>
              </h2>
            )}
            {isFolded ? null : (
              <ul className={styles.list} aria-label={hasGroups ? title : strings.start.list}>
                {connections.map((connection) => (
                  <ConnectionRow key={connection.id} connection={connection} {...list} />
                ))}
              </ul>
            )}
          </section>
        );
      })}
    </div>
  );
}

function ConnectionRow({
  connection,
  entryOf,
  isOpen,
  opened,
  onOpen,
  onMenu,
}: { readonly connection: SavedConnection } & Pick<Props, 'entryOf' | 'isOpen' | 'opened' | 'onOpen' | 'onMenu'>): ReactNode {
  const entry = entryOf(connection);
  const lastOpened = opened[connection.id];
  const address = entry === undefined ? undefined : addressOf(entry.manifest, connection.settings);
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    // The menu key has no place of its own.
    const byMouse = event.button === 2;
    onMenu(connection, { x: byMouse ? event.clientX : box.left + 24, y: byMouse ? event.clientY : box.bottom });
  };
  return (
    <li
      className={styles.item}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, connection.id);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onContextMenu={onContextMenu}
    >
      <button type="button" data-row className={styles.itemButton} onClick={() => onOpen(connection.id)}>
        <span className="tb-visually-hidden">{strings.start.open} </span>
        <ColorDot color={connection.color} />
        <span className={styles.itemIcon}>{entry === undefined ? null : <TypeIcon path={entry.manifest.icon} size={22} />}</span>
        <span className={styles.itemText}>
          <span className={styles.itemName}>{connection.name}</span>
          <span className={styles.itemType}>
            {entry?.manifest.title ?? strings.start.unknownType(connection.driver)}
            {address === undefined ? null : ` · ${address}`}
          </span>
        </span>
        {connection.access.readOnly === true ? <StateBadge tone="warning">{strings.shell.readOnly}</StateBadge> : null}
        {lastOpened === undefined ? null : <span className={styles.opened}>{strings.start.opened(lastOpened)}</span>}
        {isOpen(connection) ? <StateBadge tone="good">{strings.start.isOpen}</StateBadge> : null}
      </button>
      <ActionIcon
        className={styles.more}
        aria-label={strings.start.more(connection.name)}
        aria-haspopup="menu"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onMenu(connection, { x: box.left, y: box.bottom });
        }}
      >
        <IconDots size={18} stroke={1.75} />
      </ActionIcon>
    </li>
  );
}
