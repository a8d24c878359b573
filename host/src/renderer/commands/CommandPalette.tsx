import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './commands.module.css';
import { search } from './fuzzy.ts';
import { Keys } from './Keys.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { usePaletteEntries } from './usePaletteEntries.ts';
import type { PaletteEntry, PaletteScope } from './usePaletteEntries.ts';

interface Props {
  readonly scope: PaletteScope;
  readonly onShow: (connectionId: string) => void;
  /** The tab of a table came to the front. */
  readonly onTable: () => void;
  readonly onClose: () => void;
}

/** A person reads no more entries than this; the next letter finds the rest. */
const SHOWN = 100;
const PAGE = 8;
const READ_REST = 'command connection.readAll';

/** Everything that can be done, by its name. */
export function CommandPalette({ scope, onShow, onTable, onClose }: Props): ReactNode {
  const words = strings.commands.palette;
  const entries = usePaletteEntries(scope, onShow, onTable);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const isSearch = typed.trim() !== '';
  const found = useMemo(() => {
    // Once something is typed, recent entries are in their own sections alone.
    const asked = isSearch ? entries.filter(({ key }) => !key.startsWith('recent ')) : entries;
    const matching = search(typed, asked, ({ title, aliases }) => `${title} ${aliases}`).slice(0, SHOWN);
    // A table of a namespace that isn't read has no entry: what reads the rest is offered whatever is typed.
    const rest = isSearch ? asked.find(({ key }) => key === READ_REST) : undefined;
    return rest === undefined || matching.includes(rest) ? matching : [...matching, rest];
  }, [entries, typed, isSearch]);
  const at = Math.min(place, found.length - 1);
  const chosen = found[at];

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, typed]);

  const run = (entry: PaletteEntry): void => {
    if (entry.disabled !== undefined) return;
    onClose();
    // The focus is first back where it was: the command may be about what is there, or move it on.
    requestAnimationFrame(() => entry.run());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const to = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + PAGE),
      PageUp: Math.max(0, at - PAGE),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setPlace(to);
    } else if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(chosen);
    }
  };

  return (
    <DialogFrame label={words.title} onClose={onClose}>
      <div className={styles.search}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <input
          className={styles.input}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
          placeholder={scope === 'connections' ? words.findConnection : words.placeholder}
          aria-label={scope === 'connections' ? words.findConnection : words.placeholder}
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="tb-visually-hidden" role="status">
        {words.results(found.length)}
      </div>
      {found.length === 0 ? <p className={styles.noMatch}>{words.noMatch(typed)}</p> : null}
      <ul ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label={words.title}>
        {found.map((entry, index) => {
          const isFirst = !isSearch && entry.group !== found[index - 1]?.group;
          return (
            <li key={entry.key} role="presentation">
              {isFirst ? (
                <div className={styles.group} role="presentation">
                  {entry.group}
                </div>
              ) : null}
              <div
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                aria-disabled={entry.disabled !== undefined}
                className={styles.option}
                onMouseMove={() => setPlace(index)}
                onClick={() => run(entry)}
              >
                <span className={styles.text}>
                  <span className={styles.title}>{entry.title}</span>
                  {entry.disabled === undefined ? null : <span className={styles.reason}>{entry.disabled}</span>}
                </span>
                {isSearch ? <span className={styles.belongs}>{entry.group}</span> : null}
                {entry.keys[0] === undefined ? null : <Keys keys={entry.keys[0]} />}
              </div>
            </li>
          );
        })}
      </ul>
    </DialogFrame>
  );
}
