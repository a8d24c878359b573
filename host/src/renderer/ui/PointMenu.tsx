import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './components.module.css';
import { MENU_IN_WINDOW } from './menuInWindow.ts';
import { useMenuEscape } from './useMenuEscape.ts';

// The kit also takes a key outside for a reason to close, and the key that opened the menu is one.
const OUTSIDE = ['mousedown', 'touchstart'];

interface Props {
  /** The name of the menu. */
  readonly label: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly width?: number;
  readonly closeOnItemClick?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu at a point of the window, with its first entry in focus. */
export function PointMenu({ label, at, width = 220, closeOnItemClick = true, onClose, children }: Props): ReactNode {
  useMenuEscape(onClose);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      middlewares={MENU_IN_WINDOW}
      withinPortal
      width={width}
      closeOnItemClick={closeOnItemClick}
      clickOutsideEvents={OUTSIDE}
      // The kit's place for the first focus isn't an entry, and a menu may hold entries alone.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button type="button" tabIndex={-1} className={styles.pointAnchor} style={{ left: at.x, top: at.y }}>
          <span className="tb-visually-hidden">{label}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
