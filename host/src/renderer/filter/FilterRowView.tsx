import { ActionIcon, Checkbox, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { FILTER_VALUES } from '@tabularium/sdk';
import type { Column, FilterOperator } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import { canFilterBy, faultOf, offeredOperators, rowFor, valueKindOf } from './filterModel.ts';
import type { FilterRow, FilterSelection, OfferedOperator } from './filterModel.ts';
import { takesSuggestions } from './useSuggestions.ts';
import type { SuggestionSource } from './useSuggestions.ts';
import { ValueInput } from './ValueInput.tsx';

/** The columns of a condition. */
interface RowTable {
  readonly filtering: FilterSelection;
  readonly columns: readonly Column[];
  /** The source of suggestions; absent where the driver has none. */
  readonly suggestions: SuggestionSource | undefined;
}

interface Props {
  readonly row: FilterRow;
  readonly table: RowTable;
  readonly showsFault: boolean;
  /** The driver's fault of this row's column. */
  readonly refusal: string | undefined;
  readonly onChange: (row: FilterRow) => void;
  /** Changes the row and reloads at once. */
  readonly onApply: (row: FilterRow) => void;
  readonly onRemove: () => void;
}

function operatorLabel({ operator, label }: OfferedOperator): string {
  return label ?? strings.filter.operators[operator];
}

/** One condition: column, operator, value. */
export function FilterRowView(props: Props): ReactNode {
  const { row, table, showsFault, refusal, onChange, onApply, onRemove } = props;
  const { filtering, columns } = table;
  const words = strings.filter;
  const column = columns.find(({ name }) => name === row.column);
  const offered = offeredOperators(filtering, column);
  const chosen = offered.find(({ operator }) => operator === row.operator);
  const fault = showsFault && row.enabled ? faultOf(row, valueKindOf(filtering, column)) : undefined;
  const error =
    column === undefined ? words.noSuchColumn(row.column) : (refusal ?? (fault === undefined ? undefined : words.faults[fault]));

  const chooseColumn = (name: string | null): void => {
    const next = columns.find((candidate) => candidate.name === name);
    if (next !== undefined) onChange(rowFor(filtering, next, row));
  };
  const chooseOperator = (operator: string | null): void => {
    const next = offered.find((candidate) => candidate.operator === operator);
    if (next !== undefined && next.refused === undefined) onChange({ ...row, operator: next.operator });
  };
  const columnOptions = columns.map((candidate) => ({
    value: candidate.name,
    label: candidate.name,
    disabled: !canFilterBy(filtering, candidate),
  }));
  if (column === undefined) columnOptions.unshift({ value: row.column, label: row.column, disabled: true });

  return (
    <div className={styles.row} data-off={!row.enabled || undefined} data-testid="filter-row">
      <Checkbox
        size="xs"
        aria-label={words.enabled(row.column)}
        checked={row.enabled}
        onChange={(event) => onApply({ ...row, enabled: event.currentTarget.checked })}
      />
      <Select
        className={styles.column}
        aria-label={words.column}
        searchable
        // Typed letters search; they are not added to the present name.
        onClick={(event) => event.currentTarget.select()}
        nothingFoundMessage={words.noColumnFound}
        data={columnOptions}
        value={row.column}
        onChange={chooseColumn}
        error={column === undefined}
        classNames={{ option: styles.choice ?? '' }}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
        renderOption={({ option }) => (
          <ColumnOption
            name={option.value}
            type={columns.find(({ name }) => name === option.value)?.type}
            refused={option.disabled}
          />
        )}
      />
      <Select
        className={styles.operator}
        aria-label={words.operator}
        data={offered.map((entry) => ({
          value: entry.operator,
          label: operatorLabel(entry),
          disabled: entry.refused !== undefined,
        }))}
        value={row.operator}
        onChange={chooseOperator}
        title={chosen?.help}
        maxDropdownHeight={380}
        classNames={{ option: styles.choice ?? '' }}
        comboboxProps={{ width: 360, position: 'bottom-start' }}
        renderOption={({ option }) => (
          <OperatorOption offered={offered.find(({ operator }) => operator === option.value)} fallback={option.label} />
        )}
      />
      <Values row={row} table={table} column={column} error={error} onChange={onChange} onApply={onApply} />
      <ActionIcon size={24} aria-label={words.remove(row.column)} title={words.remove(row.column)} onClick={onRemove}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

function ColumnOption(props: {
  readonly name: string;
  readonly type: string | undefined;
  readonly refused: boolean | undefined;
}): ReactNode {
  return (
    <span className={styles.option}>
      <span>
        {props.name} <span className={styles.optionNote}>{props.type}</span>
      </span>
      {props.refused === true ? <span className={styles.optionNote}>{strings.filter.notFilterable}</span> : null}
    </span>
  );
}

function OperatorOption({
  offered,
  fallback,
}: {
  readonly offered: OfferedOperator | undefined;
  readonly fallback: string;
}): ReactNode {
  const note = offered?.refused ?? offered?.help;
  return (
    <span className={styles.option}>
      <span>{offered === undefined ? fallback : operatorLabel(offered)}</span>
      {note === undefined ? null : <span className={styles.optionNote}>{note}</span>}
    </span>
  );
}

interface ValuesProps extends Pick<Props, 'row' | 'table' | 'onChange' | 'onApply'> {
  readonly column: Column | undefined;
  readonly error: string | undefined;
}

function labelsOf(takes: 'one' | 'two' | 'many'): readonly string[] {
  const words = strings.filter;
  if (takes === 'two') return [words.low, words.high];
  return [takes === 'one' ? words.value : words.list];
}

function Values({ row, table, column, error, onChange, onApply }: ValuesProps): ReactNode {
  const { filtering, suggestions: source } = table;
  const words = strings.filter;
  const takes = FILTER_VALUES[row.operator satisfies FilterOperator];
  if (takes === 'none') return <span className={styles.values}>{error === undefined ? null : <FieldError text={error} />}</span>;
  const suggestions =
    column === undefined || source === undefined || !takesSuggestions(row.operator) ? undefined : { source, column: column.name };
  const placeholder = column?.filterClass === undefined ? undefined : filtering.classes[column.filterClass]?.placeholder;
  return (
    <span className={styles.values}>
      {labelsOf(takes).map((label, place) => (
        <ValueInput
          key={label}
          label={label}
          value={row.texts[place] ?? ''}
          placeholder={takes === 'many' ? words.listPlaceholder : takes === 'two' ? label : placeholder}
          hasError={error !== undefined}
          isList={takes === 'many'}
          suggestions={suggestions}
          onChange={(text) => onChange({ ...row, texts: place === 0 ? [text, row.texts[1]] : [row.texts[0], text] })}
          onEnter={() => onApply(row)}
        />
      ))}
      {error === undefined ? null : <FieldError text={error} />}
    </span>
  );
}

function FieldError({ text }: { readonly text: string }): ReactNode {
  return (
    <span className={styles.fieldError} role="alert" title={text}>
      {text}
    </span>
  );
}
