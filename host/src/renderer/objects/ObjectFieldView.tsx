import { ActionIcon, Autocomplete, Button, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { ObjectField, ObjectValueField } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import { documentPart, documentValue, isJsonValue, withDocumentPart, withDocumentValue } from './documentText.ts';
import { LIST_ABOVE } from './listAbove.ts';
import styles from './objects.module.css';

interface Props {
  readonly field: ObjectField;
  /** The whole document. */
  readonly text: string;
  readonly tables: readonly string[];
  /** Whether it has the focus when its dialog opens. */
  readonly hasFocus?: boolean;
  readonly onText: (text: string) => void;
  /** Whether the field has a text that isn't in the document, because it isn't valid. */
  readonly onInvalid: (isInvalid: boolean) => void;
}

/** One field of a form over a document. */
export function ObjectFieldView({ field, text, ...rest }: Props): ReactNode {
  if (field.type !== 'list') return <ValueField {...rest} field={field} path={field.path} text={text} />;
  return <ListField {...rest} field={field} text={text} />;
}

interface ValueProps extends Omit<Props, 'field'> {
  readonly field: ObjectValueField;
  /** From the outermost object on. */
  readonly path: readonly (number | string)[];
  readonly isInList?: boolean;
}

/** Whether a control can show a value. */
function fits(field: ObjectValueField, value: unknown): boolean {
  if (value === undefined) return true;
  switch (field.type) {
    case 'text':
    case 'table':
      return typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'number':
      return typeof value === 'number' && Number.isSafeInteger(value);
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && field.choices.some((choice) => choice.value === value);
    case 'json':
      return true;
  }
}

/** A value that is new loses the blanks around it, as the field does for all but the last one. Those of the document stay as they are. */
function withoutTypedBlanks(before: readonly string[], next: readonly string[]): string[] {
  return next.map((one) => (before.includes(one) ? one : one.trim())).filter((one) => one !== '');
}

function ValueField({ field, path, text, tables, isInList = false, hasFocus = false, onText, onInvalid }: ValueProps): ReactNode {
  const words = strings.objects;
  const value = documentValue(text, path);
  const set = (next: unknown): void => onText(withDocumentValue(text, path, next));
  const { label, required } = field;
  const common = isInList
    ? { 'aria-label': label, placeholder: label }
    : { label, description: field.help, withAsterisk: required, 'data-autofocus': hasFocus || undefined };
  const size = 'xs';
  const texts = Array.isArray(value) ? value.map(String) : [];
  if (!fits(field, value)) {
    return <TextInput {...common} size={size} readOnly value={documentPart(text, path)} error={words.asJson} />;
  }
  switch (field.type) {
    case 'text':
      return (
        <TextInput
          {...common}
          size={size}
          autoComplete="off"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value === '' && !isInList ? undefined : event.currentTarget.value)}
        />
      );
    case 'table':
      return (
        <Autocomplete
          {...common}
          size={size}
          autoComplete="off"
          data={[...tables]}
          limit={100}
          comboboxProps={LIST_ABOVE}
          value={typeof value === 'string' ? value : ''}
          onChange={(next) => set(next === '' ? undefined : next)}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...common}
          size={size}
          acceptValueOnBlur
          placeholder={words.typeAndEnter}
          value={texts}
          onChange={(next) => set(next.length === 0 ? undefined : withoutTypedBlanks(texts, next))}
        />
      );
    case 'number':
      return (
        <WholeNumberInput
          {...common}
          name={label}
          min={field.minimum}
          max={field.maximum}
          value={typeof value === 'number' ? value : undefined}
          onValue={set}
        />
      );
    case 'switch':
      return (
        <Switch
          size={size}
          label={label}
          description={isInList ? undefined : field.help}
          checked={typeof value === 'boolean' ? value : field.default}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          size={size}
          clearable={!required}
          allowDeselect={false}
          data={field.choices.map((choice) => ({ value: choice.value, label: choice.label }))}
          value={typeof value === 'string' ? value : null}
          onChange={(next) => set(next ?? undefined)}
        />
      );
    case 'json':
      return <JsonField common={common} path={path} text={text} onText={onText} onInvalid={onInvalid} />;
  }
}

interface JsonProps extends Pick<Props, 'text' | 'onText' | 'onInvalid'> {
  readonly common: object;
  readonly path: readonly (number | string)[];
}

/** Any JSON, as a text of its own while it isn't valid. */
function JsonField({ common, path, text, onText, onInvalid }: JsonProps): ReactNode {
  const words = strings.objects;
  const [draft, setDraft] = useState<string>();
  const change = (next: string): void => {
    const isEmpty = next.trim() === '';
    const isValid = isEmpty || isJsonValue(next);
    setDraft(next);
    onInvalid(!isValid);
    if (isValid) onText(isEmpty ? withDocumentValue(text, path, undefined) : withDocumentPart(text, path, next));
  };
  const isBroken = draft !== undefined && draft.trim() !== '' && !isJsonValue(draft);
  return (
    <Textarea
      {...common}
      size="xs"
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      classNames={{ input: styles.json ?? '' }}
      value={draft ?? indentJson(documentPart(text, path))}
      error={isBroken ? words.notJson : undefined}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface ListProps extends Omit<Props, 'field'> {
  readonly field: Extract<ObjectField, { type: 'list' }>;
}

/** A list of small objects, a line for each. */
function ListField({ field, text, onText, ...rest }: ListProps): ReactNode {
  const words = strings.objects;
  const value = documentValue(text, field.path);
  const entries = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.listField}>
      <legend>{field.label}</legend>
      {field.help === undefined ? null : <p className={styles.muted}>{field.help}</p>}
      {entries.map((_entry, place) => (
        // An entry has no name of its own: its place is all that it has.
        <div key={place} className={styles.listLine}>
          {field.fields.map((inner) => (
            <div key={inner.path.join('.')} className={styles.listCell}>
              <ValueField
                {...rest}
                field={inner}
                path={[...field.path, place, ...inner.path]}
                text={text}
                isInList
                onText={onText}
              />
            </div>
          ))}
          <ActionIcon
            variant="subtle"
            aria-label={words.removeLine(field.label, place + 1)}
            title={words.removeLine(field.label, place + 1)}
            onClick={() => onText(withDocumentValue(text, [...field.path, place], undefined))}
          >
            <IconX size={14} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={12} />}
        onClick={() => onText(withDocumentValue(text, [...field.path, entries.length], {}))}
      >
        {words.addLine(field.label)}
      </Button>
    </fieldset>
  );
}
