import { Select } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import type { FilterRow, OfferedOperator } from './filterModel.ts';

interface Props {
  readonly operator: FilterRow['operator'];
  readonly offered: readonly OfferedOperator[];
  readonly onChoose: (operator: FilterRow['operator']) => void;
}

/** The line that stands for the operators that the database refuses. No operator has this name. */
const REFUSED = 'refused operators';

const labelOf = ({ operator, label }: OfferedOperator): string => label ?? strings.filter.operators[operator];

/** The operators of a column. Those that the database refuses are folded under one line, which shows them with the reasons. */
export function OperatorSelect({ operator, offered, onChoose }: Props): ReactNode {
  const words = strings.filter;
  const [isOpen, setIsOpen] = useState(false);
  const [showsRefused, setShowsRefused] = useState(false);
  const staysOpen = useRef(false);
  const refused = offered.filter((entry) => entry.refused !== undefined);
  const usable = offered.filter((entry) => entry.refused === undefined);
  const chosen = offered.find((entry) => entry.operator === operator);
  // The chosen one is there whatever became of it.
  const folded = refused.filter((entry) => entry !== chosen);
  const optionOf = (entry: OfferedOperator) => ({
    value: entry.operator,
    label: labelOf(entry),
    disabled: entry.refused !== undefined,
  });
  const isFolded = !showsRefused && folded.length > 0;
  return (
    <Select
      className={styles.operator}
      aria-label={words.operator}
      data={[
        ...usable.map(optionOf),
        ...(isFolded ? [{ value: REFUSED, label: words.refusedOperators(folded.length) }] : []),
        ...refused.filter((entry) => !isFolded || entry === chosen).map(optionOf),
      ]}
      value={operator}
      allowDeselect={false}
      onChange={(value) => {
        if (value === REFUSED) {
          staysOpen.current = true;
          setShowsRefused(true);
          return;
        }
        const next = usable.find((entry) => entry.operator === value);
        if (next !== undefined) onChoose(next.operator);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => {
        if (staysOpen.current) {
          staysOpen.current = false;
          return;
        }
        setIsOpen(false);
        setShowsRefused(false);
      }}
      title={chosen?.help}
      maxDropdownHeight={380}
      classNames={{ option: styles.choice ?? '' }}
      comboboxProps={{ width: 360, position: 'bottom-start' }}
      renderOption={({ option }) =>
        option.value === REFUSED ? (
          <span className={styles.optionNote}>{option.label}</span>
        ) : (
          <OperatorOption offered={offered.find((entry) => entry.operator === option.value)} fallback={option.label} />
        )
      }
    />
  );
}

interface OptionProps {
  readonly offered: OfferedOperator | undefined;
  readonly fallback: string;
}

function OperatorOption({ offered, fallback }: OptionProps): ReactNode {
  const note = offered?.refused ?? offered?.help;
  return (
    <span className={styles.option}>
      <span>{offered === undefined ? fallback : labelOf(offered)}</span>
      {note === undefined ? null : <span className={styles.optionNote}>{note}</span>}
    </span>
  );
}
