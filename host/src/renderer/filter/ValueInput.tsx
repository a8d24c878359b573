import { Combobox, TextInput, useCombobox } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './filter.module.css';
import { lastOfList, withChosen } from './lastOfList.ts';
import { useSuggestions } from './useSuggestions.ts';
import type { SuggestionSource } from './useSuggestions.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string | undefined;
  readonly hasError: boolean;
  /** A list of values, of which the last one is being typed. */
  readonly isList: boolean;
  /** Where values come from, and for which column. Absent where nothing can be suggested. */
  readonly suggestions: { readonly source: SuggestionSource; readonly column: string } | undefined;
  readonly onChange: (text: string) => void;
  readonly onEnter: () => void;
}

/** A value of a condition, with values that rows have to choose from. Enter applies; an arrow key goes into the list. */
export function ValueInput(props: Props): ReactNode {
  const { label, value, placeholder, hasError, isList, suggestions, onChange, onEnter } = props;
  const words = strings.filter;
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const typed = isList ? lastOfList(value).typed : value;
  const isOpen = combobox.dropdownOpened;
  const found = useSuggestions(suggestions?.source, suggestions?.column ?? '', typed, isOpen);
  // The field's own value isn't offered.
  const values = (found?.values ?? []).filter((suggested) => suggested.value !== typed);
  // Only where every value is known can it be said that none fits.
  const fitsNothing = found?.from === 'all' && found.values.length === 0 && typed !== '';
  const input = (
    <TextInput
      className={styles.value}
      aria-label={label}
      role={suggestions === undefined ? undefined : 'combobox'}
      aria-autocomplete={suggestions === undefined ? undefined : 'list'}
      data-filter-value
      placeholder={placeholder}
      value={value}
      error={hasError}
      autoComplete="off"
      onChange={(event) => {
        onChange(event.currentTarget.value);
        if (suggestions !== undefined) combobox.openDropdown();
      }}
      onFocus={() => (suggestions === undefined || value !== '' ? undefined : combobox.openDropdown())}
      onClick={() => (suggestions === undefined ? undefined : combobox.openDropdown())}
      onBlur={() => combobox.closeDropdown()}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen && values.length > 0) {
          // Closes the list; the next one leaves the bar.
          event.stopPropagation();
          combobox.closeDropdown();
        } else if (event.key === 'Enter' && !event.defaultPrevented && combobox.getSelectedOptionIndex() === -1) {
          event.preventDefault();
          combobox.closeDropdown();
          onEnter();
        }
      }}
    />
  );
  if (suggestions === undefined) return input;
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={280}
      middlewares={{ flip: true, shift: true }}
      onOptionSubmit={(chosen) => {
        onChange(isList ? withChosen(value, chosen) : chosen);
        if (!isList) combobox.closeDropdown();
        combobox.resetSelectedOption();
      }}
    >
      <Combobox.Target withExpandedAttribute>{input}</Combobox.Target>
      <Combobox.Dropdown hidden={values.length === 0 && !fitsNothing}>
        {fitsNothing ? <Combobox.Empty>{words.suggestionsNone}</Combobox.Empty> : null}
        <Combobox.Options aria-label={words.suggestions(suggestions.column)} mah={260} style={{ overflowY: 'auto' }}>
          {values.map((suggested) => (
            <Combobox.Option key={suggested.value} value={suggested.value}>
              <span className={styles.suggestion}>
                <span>{suggested.value}</span>
                {suggested.rows === undefined ? null : (
                  <span className={styles.optionNote}>{words.rowsWith(suggested.rows)}</span>
                )}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found?.from === 'some' ? (
          <Combobox.Footer className={styles.suggestionNote}>{words.suggestionsSome}</Combobox.Footer>
        ) : null}
      </Combobox.Dropdown>
    </Combobox>
  );
}
