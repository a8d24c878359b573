import { ActionIcon, Checkbox, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { FILTER_VALUES } from '@tabularium/sdk';
import type { Column, FilterOperator } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { DateMenu } from './DateMenu.tsx';
import { dateFormOf } from './dateValue.ts';
import type { DateUnits } from './dateValue.ts';
import styles from './filter.module.css';
import { canFilterBy, faultOf, offeredOperators, rowFor, valueKindOf } from './filterModel.ts';
import type { FilterRow, FilterSelection } from './filterModel.ts';
import { OperatorSelect } from './OperatorSelect.tsx';
import { takesSuggestions } from './useSuggestions.ts';
import type { SuggestionSource } from './useSuggestions.ts';
import { ValueInput } from './ValueInput.tsx';
import { searchableList } from '../ui/searchableList.ts';

/** The columns of a condition. */
interface RowTable {
  readonly filtering: FilterSelection;
  readonly columns: readonly Column[];
  /** The source of suggestions; absent where the driver has none. */
  readonly suggestions: SuggestionSource | undefined;
  /** Units of the columns whose integers are moments. */
  readonly dateUnits: DateUnits;
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

/** One condition: column, operator, value. */
export function FilterRowView(props: Props): ReactNode {
  const { table, showsFault, refusal, onChange, onApply, onRemove } = props;
  const unit = table.dateUnits.get(props.row.column) ?? props.row.dateUnit;
  // The row keeps the unit with which it was written: rows that come later may suggest another one, or none.
  const row: FilterRow = unit === undefined ? props.row : { ...props.row, dateUnit: unit };
  const { filtering, columns } = table;
  const words = strings.filter;
  const column = columns.find(({ name }) => name === row.column);
  const offered = offeredOperators(filtering, column);
  const fault = showsFault && row.enabled ? faultOf(row, valueKindOf(filtering, column), columns) : undefined;
  const error =
    column === undefined ? words.noSuchColumn(row.column) : (refusal ?? (fault === undefined ? undefined : words.faults[fault]));

  const chooseColumn = (name: string | null): void => {
    const next = columns.find((candidate) => candidate.name === name);
    if (next !== undefined) onChange(rowFor(filtering, next, row));
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
        {...searchableList}
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
      <OperatorSelect operator={row.operator} offered={offered} onChoose={(operator) => onChange({ ...row, operator })} />
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

interface ValuesProps extends Pick<Props, 'row' | 'table' | 'onChange' | 'onApply'> {
  readonly column: Column | undefined;
  readonly error: string | undefined;
}

/** The labels and placeholders of an operator's fields. */
function fieldsOf(
  operator: FilterOperator,
  placeholder: string | undefined,
): readonly { label: string; placeholder: string | undefined }[] {
  const words = strings.filter;
  if (operator === 'withinRadius') {
    return [
      { label: words.point, placeholder: '48.8566, 2.3522' },
      { label: words.distance, placeholder: '5 km' },
    ];
  }
  if (operator === 'withinPolygon') return [{ label: words.corners, placeholder: '48, 2; 49, 2; 49, 3' }];
  switch (FILTER_VALUES[operator]) {
    case 'none':
      return [];
    case 'two':
      return [words.low, words.high].map((label) => ({ label, placeholder: label }));
    case 'many':
      return [{ label: words.list, placeholder: words.listPlaceholder }];
    case 'one':
      return [{ label: words.value, placeholder }];
  }
}

function Values({ row, table, column, error, onChange, onApply }: ValuesProps): ReactNode {
  const { filtering, suggestions: source } = table;
  const words = strings.filter;
  const takes = FILTER_VALUES[row.operator];
  if (takes === 'none') return <span className={styles.values}>{error === undefined ? null : <FieldError text={error} />}</span>;
  const suggestions =
    column === undefined || source === undefined || !takesSuggestions(row.operator) ? undefined : { source, column: column.name };
  const form = dateFormOf(column, row.dateUnit);
  const plain = column?.filterClass === undefined ? undefined : filtering.classes[column.filterClass]?.placeholder;
  const placeholder = form === undefined || form === 'timestamp' ? plain : words.dates.placeholder;
  const takesSince = offeredOperators(filtering, column).some(
    ({ operator, refused }) => operator === 'greaterOrEqual' && refused === undefined,
  );
  const fields = fieldsOf(row.operator, placeholder);
  const write = (place: number, text: string): void =>
    onChange({ ...row, texts: place === 0 ? [text, row.texts[1]] : [row.texts[0], text] });
  return (
    <span className={styles.values}>
      {fields.map(({ label, placeholder: hint }, place) => (
        <ValueInput
          key={label}
          label={label}
          value={row.texts[place] ?? ''}
          placeholder={hint}
          hasError={error !== undefined}
          isList={takes === 'many'}
          suggestions={suggestions}
          onChange={(text) => write(place, text)}
          onEnter={() => onApply(row)}
        />
      ))}
      {form === undefined || takes === 'many'
        ? null
        : fields.map(({ label }, place) => (
            <DateMenu
              key={label}
              label={label}
              value={row.texts[place] ?? ''}
              isDay={form === 'date'}
              onChange={(text) => write(place, text)}
              onSince={
                takesSince && place === 0
                  ? (text) => onApply({ ...row, operator: 'greaterOrEqual', texts: [text, ''] })
                  : undefined
              }
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
