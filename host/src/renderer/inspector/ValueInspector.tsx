import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { Cell } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { strings } from '../i18n/index.ts';
import { InspectorFrame } from './InspectorFrame.tsx';
import { ValueView, copyCell } from './ValueView.tsx';

interface Props {
  readonly column: GridColumn | undefined;
  readonly cell: Cell | undefined;
  readonly onClose: () => void;
}

/** The whole value of one cell that can only be looked at. */
export function ValueInspector({ column, cell, onClose }: Props): ReactNode {
  const words = strings.inspector;
  const copy = (
    <ActionIcon
      aria-label={words.copy}
      title={words.copy}
      disabled={column === undefined || cell === undefined}
      onClick={() => (column === undefined || cell === undefined ? undefined : copyCell(column, cell))}
    >
      <IconCopy size={16} stroke={1.75} />
    </ActionIcon>
  );
  return (
    <InspectorFrame column={column} title={words.label} actions={copy} onClose={onClose}>
      <ValueView key={column?.name} column={column} cell={cell} />
    </InspectorFrame>
  );
}
