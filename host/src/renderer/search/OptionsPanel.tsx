import { ActionIcon, Button, Checkbox, Select, Switch, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconArrowUp } from '@tabler/icons-react';
import type { SearchForm, SearchOption, SearchOptionValue, SearchRequest } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import styles from './search.module.css';
import { chosenFields, chosenOptions } from './searchSettings.ts';
import type { OptionSet } from './searchSettings.ts';

interface Props {
  readonly form: SearchForm;
  readonly settings: OptionSet;
  readonly onChange: (change: Partial<OptionSet>) => void;
  /** Why the last search failed: an option that it names is marked. */
  readonly problem?: Problem | undefined;
  /** Above the fields. */
  readonly head?: ReactNode;
  /** Below the fields: the other tables that are looked in. */
  readonly tables?: ReactNode;
}

/** How a table is searched: the fields with their weights, and the driver's options with what differs from the default. */
export function OptionsPanel({ form, settings, onChange, problem, head, tables }: Props): ReactNode {
  const words = strings.search;
  const changed = chosenOptions(form, settings);
  const count = Object.keys(changed).length;
  const groups = [...new Set(form.options.map(({ group }) => group))];
  const set = (id: string, value: SearchOptionValue | undefined): void => {
    const { [id]: _, ...others } = settings.options;
    onChange({ options: value === undefined ? others : { ...others, [id]: value } });
  };
  return (
    <section className={styles.options} aria-label={words.optionsTitle}>
      {head}
      <FieldList form={form} settings={settings} onChange={onChange} />
      {tables}
      <div className={styles.panelHead}>
        <h2>{words.optionsTitle}</h2>
        {count === 0 ? null : <span className={styles.badge}>{words.changed(count)}</span>}
        {count === 0 ? null : (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange({ options: {} })}>
            {words.resetAll}
          </Button>
        )}
      </div>
      {groups.map((group) => (
        <fieldset key={group} className={styles.optionGroup}>
          <legend>{group}</legend>
          {form.options
            .filter((option) => option.group === group)
            .map((option) => (
              <OptionRow
                key={option.id}
                option={option}
                value={changed[option.id]}
                fault={problem?.details.field === option.id ? problem.message : undefined}
                onValue={(value) => set(option.id, value === option.default ? undefined : value)}
              />
            ))}
        </fieldset>
      ))}
    </section>
  );
}

function FieldList({ form, settings, onChange }: Omit<Props, 'head' | 'problem' | 'tables'>): ReactNode {
  const words = strings.search;
  const chosen = chosenFields(form, settings);
  const others = form.fields.filter(({ name }) => !chosen.some((one) => one.name === name));
  const set = (fields: SearchRequest['fields']): void =>
    onChange({ fields: fields.map(({ name, weight }) => ({ name, ...(weight === undefined ? {} : { weight }) })) });
  return (
    <div className={styles.fields} role="group" aria-label={words.fieldsTitle}>
      <div className={styles.panelHead}>
        <h2>{words.fieldsTitle}</h2>
        {settings.fields === undefined ? null : (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange({ fields: undefined })}>
            {words.defaultFields}
          </Button>
        )}
      </div>
      <p className={styles.muted}>{form.fields.length === 0 ? words.none : words.fieldsHelp}</p>
      {chosen.map(({ name, weight }, place) => (
        <div key={name} className={styles.field}>
          <Checkbox
            label={name}
            aria-label={words.searchIn(name)}
            checked
            disabled={chosen.length === 1}
            onChange={() => set(chosen.filter((one) => one.name !== name))}
          />
          {form.mostWeight === undefined ? null : (
            <WholeNumberInput
              className={styles.weight}
              name={words.weight(name)}
              aria-label={words.weight(name)}
              placeholder="–"
              hasSteps={false}
              isAtRight
              min={0}
              max={form.mostWeight}
              value={weight}
              onValue={(value) =>
                set(chosen.map((one) => (one.name === name ? { name, ...(value === undefined ? {} : { weight: value }) } : one)))
              }
            />
          )}
          <ActionIcon
            size={22}
            aria-label={words.up(name)}
            title={words.up(name)}
            disabled={place === 0}
            onClick={() =>
              set([...chosen.slice(0, place - 1), ...chosen.slice(place - 1, place + 1).toReversed(), ...chosen.slice(place + 1)])
            }
          >
            <IconArrowUp size={14} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      {others.map(({ name }) => (
        <div key={name} className={styles.field}>
          <Checkbox label={name} aria-label={words.searchIn(name)} checked={false} onChange={() => set([...chosen, { name }])} />
        </div>
      ))}
    </div>
  );
}

interface OptionRowProps {
  readonly option: SearchOption;
  /** Undefined: the default. */
  readonly value: SearchOptionValue | undefined;
  /** Why it was refused. */
  readonly fault: string | undefined;
  readonly onValue: (value: SearchOptionValue | undefined) => void;
}

function OptionRow({ option, value, fault, onValue }: OptionRowProps): ReactNode {
  const words = strings.search;
  return (
    <div className={styles.option} data-changed={value !== undefined || undefined}>
      <div className={styles.optionInput}>
        <OptionInput option={option} value={value} fault={fault} onValue={onValue} />
      </div>
      {value === undefined ? null : (
        <ActionIcon
          size={22}
          aria-label={words.reset(option.label)}
          title={`${words.changedOption}. ${words.reset(option.label)}`}
          onClick={() => onValue(undefined)}
        >
          <IconArrowBackUp size={14} stroke={1.75} />
        </ActionIcon>
      )}
    </div>
  );
}

function OptionInput({ option, value = option.default, fault, onValue }: OptionRowProps): ReactNode {
  const { label, help } = option;
  const shown = { label, ...(help === undefined ? {} : { description: help }) };
  const shared = { ...shown, size: 'xs' as const, error: fault };
  switch (option.type) {
    case 'switch':
      return <Switch {...shared} checked={value === true} onChange={({ currentTarget }) => onValue(currentTarget.checked)} />;
    case 'number':
      return (
        <WholeNumberInput
          {...shown}
          name={label}
          min={option.minimum}
          max={option.maximum}
          value={typeof value === 'number' ? value : option.default}
          // An emptied field is the default again.
          onValue={onValue}
        />
      );
    case 'text':
      return (
        <TextInput
          {...shared}
          value={typeof value === 'string' ? value : ''}
          spellCheck={false}
          maxLength={20_000}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={option.choices.map((choice) => ({ value: choice.value, label: choice.label }))}
          value={typeof value === 'string' ? value : option.default}
          allowDeselect={false}
          onChange={(next) => onValue(next ?? undefined)}
        />
      );
  }
}
