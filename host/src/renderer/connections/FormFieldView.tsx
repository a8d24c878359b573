import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { FormField } from '@tabularium/sdk/manifest';
import type { ReactNode } from 'react';
import type { ApplicationInfo } from '../../common/api.ts';
import type { SecretReference } from '../../common/connection.ts';
import { strings } from '../i18n/index.ts';
import styles from './form.module.css';
import type { FormDraft, SecretDraft } from './formModel.ts';
import { emptySecret } from './formModel.ts';
import { SecretField } from './SecretField.tsx';

interface Props {
  readonly field: FormField;
  readonly draft: FormDraft;
  readonly error: string | undefined;
  readonly savedSecret: SecretReference | undefined;
  readonly secureStore: ApplicationInfo['secureStore'];
  readonly onValue: (id: string, value: string | boolean) => void;
  readonly onValues: (values: Readonly<Record<string, string | boolean>>) => void;
  /** Takes an address apart that was put into a text field; false leaves it as it is. */
  readonly onAddress: (id: string, text: string) => boolean;
  /** The keyboard leaves a number. */
  readonly onLeave: () => void;
  readonly onSecret: (id: string, secret: SecretDraft) => void;
}

/** One field of the form, as the manifest describes it. */
export function FormFieldView({
  field,
  draft,
  error,
  savedSecret,
  secureStore,
  onValue,
  onValues,
  onAddress,
  onLeave,
  onSecret,
}: Props): ReactNode {
  if (field.type === 'secret') {
    return (
      <SecretField
        field={field}
        draft={draft.secrets[field.id] ?? emptySecret(secureStore.available)}
        saved={savedSecret}
        secureStore={secureStore}
        error={error}
        onChange={(secret) => onSecret(field.id, secret)}
      />
    );
  }
  const value = draft.settings[field.id];
  if (field.type === 'toggle') {
    return (
      <Switch
        label={field.label}
        description={field.help}
        checked={value === true}
        onChange={(event) => onValue(field.id, event.currentTarget.checked)}
      />
    );
  }
  const text = typeof value === 'string' ? value : '';
  const common = {
    label: field.label,
    required: field.required,
    error,
    value: text,
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
    onChange: (event: { currentTarget: { value: string } }) => onValue(field.id, event.currentTarget.value),
  };
  switch (field.type) {
    case 'select': {
      const help = field.options.find((option) => option.value === text)?.help;
      const options = field.options.map((option) => ({ value: option.value, label: option.label }));
      return (
        <NativeSelect
          {...common}
          description={help ?? field.help}
          data={text === '' ? [{ value: '', label: strings.common.none }, ...options] : options}
        />
      );
    }
    case 'number':
      return (
        <div>
          <TextInput
            {...common}
            description={field.help}
            placeholder={field.placeholder}
            onBlur={onLeave}
            inputMode={field.integer ? 'numeric' : 'decimal'}
            autoComplete="off"
          />
          {field.suggestions === undefined ? null : (
            <div className={styles.suggestions}>
              {field.suggestions.map((suggestion) => (
                <button
                  key={suggestion.value}
                  type="button"
                  className={styles.suggestion}
                  aria-pressed={text === String(suggestion.value)}
                  title={strings.form.suggestion(suggestion.value, suggestion.label)}
                  onClick={() => onValues({ [field.id]: String(suggestion.value), ...formValues(suggestion.sets) })}
                >
                  <span>{suggestion.value}</span> {suggestion.label}
                </button>
              ))}
            </div>
          )}
        </div>
      );
    case 'file':
      return (
        <TextInput
          {...common}
          description={field.help ?? strings.form.fileHelp}
          placeholder={
            field.placeholder ?? (field.extensions === undefined ? undefined : strings.form.fileExtensions(field.extensions))
          }
          autoComplete="off"
          spellCheck={false}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          description={field.help}
          placeholder={field.placeholder}
          autoComplete="off"
          spellCheck={false}
          onPaste={(event) => {
            if (onAddress(field.id, event.clipboardData.getData('text'))) event.preventDefault();
          }}
          onBlur={() => onAddress(field.id, text)}
        />
      );
  }
}

/** Values of a manifest as the form has them: numbers as typed. */
function formValues(values: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string | boolean> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, typeof value === 'number' ? String(value) : value]));
}
