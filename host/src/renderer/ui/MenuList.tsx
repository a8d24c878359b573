import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { MENU_IN_WINDOW } from './menuInWindow.ts';
import styles from './menuList.module.css';
import { useMenuEscape } from './useMenuEscape.ts';

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** One line of a menu. One that cannot be chosen says why. */
export type MenuListEntry =
  | 'line'
  | {
      readonly label: string;
      readonly run: () => void;
      readonly reason?: string | undefined;
      readonly keys?: string | undefined;
      readonly checked?: boolean | undefined;
    }
  | { readonly label: string; readonly entries: readonly MenuListEntry[]; readonly reason?: string | undefined };

const OUTSIDE = ['mousedown', 'touchstart'];

interface Props {
  readonly label: string;
  readonly place: MenuPlace;
  readonly entries: readonly MenuListEntry[];
  readonly onClose: () => void;
}

/** A menu at a point of the screen. What cannot be done is dimmed, with its reason. */
export function MenuList({ label, place, entries, onClose }: Props): ReactNode {
  useMenuEscape(onClose);
  return (
    // The kit also takes a key outside for a reason to close, and the key that opened the menu is one.
    <Menu
      clickOutsideEvents={OUTSIDE}
      // The first entry takes the focus: a place-holder for it would be no entry of a menu.
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
      // One that can be checked has room for its mark; then all have it.
      alignItemsLabels={entries.some(isCheckable) ? 'all' : 'none'}
      opened
      onClose={onClose}
      position="bottom-start"
      middlewares={MENU_IN_WINDOW}
      withinPortal
      width={280}
      returnFocus={false}
    >
      <Menu.Target>
        <button type="button" tabIndex={-1} className={styles.menuAnchor} style={{ left: place.x, top: place.y }}>
          <span className="tb-visually-hidden">{label}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menuDropdown}>{entries.map(drawn)}</Menu.Dropdown>
    </Menu>
  );
}

const isCheckable = (entry: MenuListEntry): boolean => entry !== 'line' && 'checked' in entry && entry.checked !== undefined;

function drawn(entry: MenuListEntry, place: number): ReactNode {
  if (entry === 'line') return <Menu.Divider key={place} />;
  if ('entries' in entry) {
    return (
      // Fixed: the menu's own dropdown scrolls, and would clip one that opens beside it.
      <Menu.Sub key={`${place} ${entry.label}`} floatingStrategy="fixed">
        <Menu.Sub.Target>
          <Menu.Sub.Item className={styles.menuItem} disabled={entry.reason !== undefined}>
            {entry.label}
            <Reason of={entry.reason} />
          </Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown className={styles.menuDropdown}>{entry.entries.map(drawn)}</Menu.Sub.Dropdown>
      </Menu.Sub>
    );
  }
  const { label, run, reason, keys, checked } = entry;
  const common = {
    disabled: reason !== undefined,
    className: styles.menuItem ?? '',
    rightSection: keys === undefined ? undefined : <kbd className={styles.key}>{keys}</kbd>,
  };
  const content = (
    <>
      {label}
      <Reason of={reason} />
    </>
  );
  if (checked === undefined) {
    return (
      <Menu.Item key={`${place} ${label}`} onClick={run} {...common}>
        {content}
      </Menu.Item>
    );
  }
  return (
    <Menu.RadioItem key={`${place} ${label}`} value={label} checked={checked} onChange={run} closeMenuOnClick {...common}>
      {content}
    </Menu.RadioItem>
  );
}

function Reason({ of }: { readonly of: string | undefined }): ReactNode {
  return of === undefined ? null : <span className={styles.menuReason}>{of}</span>;
}
