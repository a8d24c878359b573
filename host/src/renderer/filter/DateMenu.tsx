import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { fieldDate } from './dateValue.ts';
import styles from './filter.module.css';

interface Props {
  /** The label of the value's field. */
  readonly label: string;
  readonly value: string;
  /** The column holds days without a time. */
  readonly isDay: boolean;
  readonly onChange: (text: string) => void;
  /** Shows rows from a moment on; absent where the column has no such operator. */
  readonly onSince: ((text: string) => void) | undefined;
}

const RECENT = ['hour', 'day', 'week', 'month'] as const;
const TEXTS: Readonly<Record<(typeof RECENT)[number], string>> = {
  hour: 'now-1h',
  day: 'now-1d',
  week: 'now-7d',
  month: 'now-30d',
};

/** Chooses the moment of a condition: recent ones, or by the browser's own calendar. */
export function DateMenu({ label, value, isDay, onChange, onSince }: Props): ReactNode {
  const words = strings.filter.dates;
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const field = fieldDate(value);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon size={24} aria-label={words.choose(label)} title={words.choose(label)} onClick={() => setIsOpen(!isOpen)}>
          <IconCalendar size={15} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={words.choose(label)}
        className={styles.dates}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Closes this, and not the bar.
          event.stopPropagation();
          close();
        }}
      >
        {onSince === undefined
          ? null
          : RECENT.map((name) => (
              <Button
                key={name}
                variant="subtle"
                color="gray"
                size="compact-sm"
                justify="flex-start"
                onClick={() => {
                  close();
                  onSince(TEXTS[name]);
                }}
              >
                {words.recent[name]}
              </Button>
            ))}
        <TextInput
          type={isDay ? 'date' : 'datetime-local'}
          step={isDay ? undefined : 1}
          label={isDay ? words.day : words.moment}
          value={isDay ? field.slice(0, 10) : field}
          onChange={(event) => onChange(event.currentTarget.value.replace('T', ' '))}
          onKeyDown={(event) => (event.key === 'Enter' ? close() : undefined)}
        />
        <span className={styles.optionNote}>{words.hint}</span>
      </Popover.Dropdown>
    </Popover>
  );
}
