import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './resizeHandle.module.css';
import { SIDEBAR_WIDTH } from './useLayout.ts';

interface Props {
  readonly width: number;
  readonly onWidth: (width: number) => void;
}

const STEP = 16;

/** The edge of the sidebar: dragged, or moved with the arrow keys; a double click gives it its usual width. */
export function ResizeHandle({ width, onWidth }: Props): ReactNode {
  const grip = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const onMove = (event: PointerEvent): void => {
    if (grip.current !== undefined) onWidth(grip.current.width + event.clientX - grip.current.x);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: SIDEBAR_WIDTH.least,
      End: SIDEBAR_WIDTH.most,
      Enter: SIDEBAR_WIDTH.usual,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onWidth(to);
  };
  return (
    <div
      className={styles.resize}
      role="separator"
      aria-orientation="vertical"
      aria-label={strings.shell.resizeSidebar}
      aria-valuenow={width}
      aria-valuemin={SIDEBAR_WIDTH.least}
      aria-valuemax={SIDEBAR_WIDTH.most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(SIDEBAR_WIDTH.usual)}
      onPointerDown={(event) => {
        grip.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onMove}
      onPointerUp={() => (grip.current = undefined)}
      onPointerCancel={() => (grip.current = undefined)}
    />
  );
}
