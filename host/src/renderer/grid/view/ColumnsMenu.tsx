import { ActionIcon, Button, Checkbox, Popover, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import { DESCRIBED_LAYOUT, arranged, isDescribed, moved, withHidden } from '../model/columnLayout.ts';
import { LabelledAction } from '../../ui/LabelledAction.tsx';
import styles from './tab.module.css';
import type { ColumnArrangement } from '../tab/useColumnLayout.ts';

interface Props {
  readonly arrangement: ColumnArrangement;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** Which columns are shown and in which order; also those that are hidden can be found here. */
export function ColumnsMenu({ arrangement, isOpen, onOpen }: Props): ReactNode {
  const words = strings.columns;
  const { layout, change, described, columns } = arrangement;
  return (
    <Popover opened={isOpen} onChange={onOpen} position="top-start" width={300} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <LabelledAction
          icon={<IconColumns3 size={16} stroke={1.75} />}
          label={words.title}
          aria-label={words.open}
          title={words.shown(columns.length, described.columns.length)}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          data-marked={columns.length < described.columns.length || undefined}
          className={styles.columnsButton}
          onClick={() => onOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown className={styles.columns} aria-label={words.title}>
        <ColumnList {...arrangement} />
        <div className={styles.columnsFoot}>
          <span>{words.shown(columns.length, described.columns.length)}</span>
          <Button
            size="compact-xs"
            variant="default"
            disabled={layout.hidden.length === 0}
            onClick={() => change((before) => ({ ...before, hidden: [] }))}
          >
            {words.showAll}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            title={words.resetHint}
            disabled={isDescribed(layout)}
            onClick={() => change(() => DESCRIBED_LAYOUT)}
          >
            {words.reset}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnList({ layout, change, described, columns }: ColumnArrangement): ReactNode {
  const words = strings.columns;
  const [text, setText] = useState('');
  // In the order on the screen, hidden ones at the place that they would have.
  const all = arranged(described, { ...layout, hidden: [] }).columns;
  const shown = all.filter(({ name }) => name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()));
  const placeOf = (name: string): number => columns.findIndex((column) => column.name === name);
  return (
    <>
      <TextInput
        size="xs"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {shown.length === 0 ? <p className={styles.columnsEmpty}>{words.noMatch}</p> : null}
      <ul className={styles.columnList}>
        {shown.map(({ name }) => {
          const place = placeOf(name);
          const isShown = place !== -1;
          return (
            <li key={name} className={styles.columnItem}>
              <Checkbox
                size="xs"
                aria-label={words.show(name)}
                label={name}
                checked={isShown}
                disabled={isShown && columns.length === 1}
                onChange={(event) => {
                  const isChecked = event.currentTarget.checked;
                  change((before) => withHidden(before, name, !isChecked));
                }}
              />
              <ActionIcon
                size={22}
                aria-label={words.moveUp(name)}
                disabled={!isShown || place === 0}
                onClick={() => change((before) => moved(described, before, name, place - 1))}
              >
                <IconChevronUp size={14} stroke={1.75} />
              </ActionIcon>
              <ActionIcon
                size={22}
                aria-label={words.moveDown(name)}
                disabled={!isShown || place === columns.length - 1}
                onClick={() => change((before) => moved(described, before, name, place + 1))}
              >
                <IconChevronDown size={14} stroke={1.75} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
    </>
  );
}
