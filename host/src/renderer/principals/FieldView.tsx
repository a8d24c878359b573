import { Checkbox, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { PrincipalField } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import styles from './principals.module.css';
import { strings } from '../i18n/index.ts';
import { searchableList } from '../ui/searchableList.ts';

interface Props {
  readonly field: PrincipalField;
  readonly value: string | readonly string[];
  readonly error: string | undefined;
  /** Whether the form starts here. */
  readonly isFirst: boolean;
  readonly onChange: (value: string | readonly string[]) => void;
}

/** Choices by their groups; those without one come first. */
function choices(field: PrincipalField): (string | { group: string; items: string[] })[] {
  const { options = [] } = field;
  const groups = Map.groupBy(options, ({ group }) => group);
  return [...groups].flatMap<string | { group: string; items: string[] }>(([group, members]) => {
    const items = members.map(({ value }) => value);
    return group === undefined ? items : [{ group, items }];
  });
}

/** One field of the form that adds a principal. */
export function FieldView({ field, value, error, isFirst, onChange }: Props): ReactNode {
  const { label, help, required, type, ability } = field;
  const refusal = ability?.allowed === false ? ability.reason : undefined;
  const common = {
    label,
    description: refusal ?? help,
    withAsterisk: required,
    error,
    disabled: refusal !== undefined,
    'data-autofocus': isFirst || undefined,
  };
  const text = typeof value === 'string' ? value : '';
  if (type === 'flag') {
    const { withAsterisk, ...ofCheckbox } = common;
    return (
      <Checkbox
        {...ofCheckbox}
        className={styles.flag}
        size="xs"
        required={withAsterisk}
        checked={text === 'true'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
      />
    );
  }
  if (type === 'choice') {
    return (
      <Select
        {...common}
        size="xs"
        {...searchableList}
        clearable
        value={text === '' ? null : text}
        data={choices(field)}
        onChange={(chosen) => onChange(chosen ?? '')}
        maxDropdownHeight={260}
        comboboxProps={{ withinPortal: true }}
      />
    );
  }
  if (type === 'list') {
    const labels = new Map(field.options?.map((option) => [option.value, option.label]));
    return (
      <TagsInput
        {...common}
        size="xs"
        description={refusal ?? help ?? strings.principals.typedHelp}
        value={typeof value === 'string' ? [] : [...value]}
        onChange={onChange}
        data={choices(field)}
        renderOption={({ option }) => labels.get(option.value) ?? option.value}
        acceptValueOnBlur
        maxDropdownHeight={260}
        comboboxProps={{ withinPortal: true }}
      />
    );
  }
  if (type === 'secret') {
    return (
      <PasswordInput
        {...common}
        value={text}
        autoComplete="new-password"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      type={type === 'time' ? 'datetime-local' : 'text'}
      value={text}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
