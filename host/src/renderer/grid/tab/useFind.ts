import { useEffect, useState } from 'react';
import { NOTHING_FOUND, findIn, nextMatch } from '../model/find.ts';
import type { Found } from '../model/find.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { RowSource } from '../model/rowSource.ts';

/** Between two letters nothing is looked for. */
const REST_MILLISECONDS = 120;

export interface FindState {
  readonly isOpen: boolean;
  /** Grows with every request to open the bar, so that its field takes the focus again. */
  readonly opened: number;
  readonly text: string;
  readonly matchCase: boolean;
  readonly count: number;
  readonly isCut: boolean;
  /** Which of the matches is the active cell, counted from 1; 0 when none is. */
  readonly place: number;
  readonly current: CellPosition | undefined;
  readonly inRow: (index: number) => string | undefined;
  readonly open: () => void;
  readonly close: () => void;
  readonly setText: (text: string) => void;
  readonly setMatchCase: (matchCase: boolean) => void;
  readonly go: (backwards: boolean) => void;
}

interface Options {
  readonly columns: readonly GridColumn[];
  /** Another object when the rows that are here are others. */
  readonly source: RowSource;
  readonly active: CellPosition | undefined;
  readonly onGo: (position: CellPosition) => void;
  readonly onClose: () => void;
}

export function useFind({ columns, source, active, onGo, onClose }: Options): FindState {
  const [opened, setOpened] = useState(0);
  const [text, setText] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const [found, setFound] = useState<Found>(NOTHING_FOUND);
  const isOpen = opened > 0;
  useEffect(() => {
    if (!isOpen) {
      setFound(NOTHING_FOUND);
      return undefined;
    }
    const timer = setTimeout(() => setFound(findIn(text, matchCase, columns, source)), REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isOpen, text, matchCase, columns, source]);

  const place =
    active === undefined ? -1 : found.matches.findIndex(({ row, column }) => row === active.row && column === active.column);
  return {
    isOpen,
    opened,
    text,
    matchCase,
    count: found.matches.length,
    isCut: found.isCut,
    place: place + 1,
    current: found.matches[place],
    inRow: (index) => found.byRow.get(index),
    open: () => setOpened((before) => before + 1),
    close: () => {
      setOpened(0);
      onClose();
    },
    setText,
    setMatchCase,
    go: (backwards) => {
      const next = nextMatch(found.matches, active, backwards);
      if (next !== undefined) onGo(next);
    },
  };
}
