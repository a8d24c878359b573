import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './console.module.css';

const LEAST = 15;
const MOST = 85;
const STEP = 4;

interface Props {
  /** How many hundredths of the height are above. */
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** Divides the height between the parts above and below; by the pointer or with the arrow keys. */
export function Splitter({ share, onShare }: Props): ReactNode {
  const dragging = useRef(false);
  const set = (next: number): void => onShare(Math.round(Math.max(LEAST, Math.min(MOST, next))));
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const area = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!dragging.current || area === undefined || area.height === 0) return;
    set(((event.clientY - area.top) / area.height) * 100);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowUp: share - STEP, ArrowDown: share + STEP, Home: LEAST, End: MOST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  };
  return (
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="horizontal"
      aria-label={strings.console.resize}
      aria-valuenow={share}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => (dragging.current = false)}
    />
  );
}
