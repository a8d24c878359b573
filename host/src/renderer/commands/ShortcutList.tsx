import { ActionIcon } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './commands.module.css';
import { search } from './fuzzy.ts';
import { COMMAND_GROUPS, KEY_MAP, keysOf } from '../../common/keyMap.ts';
import type { KeyId } from '../../common/keyMap.ts';
import { Keys } from './Keys.tsx';
import { inDesktop } from './registry.ts';
import { DialogFrame } from './DialogFrame.tsx';

const ids = Object.keys(KEY_MAP) as KeyId[];

/** The keyboard map, by the parts of the window. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { shortcuts, keyNames, groups } = strings.commands;
  const [typed, setTyped] = useState('');
  const found = new Set(search(typed, ids, (id) => `${keyNames[id]} ${groups[KEY_MAP[id].group]}`));
  return (
    <DialogFrame label={shortcuts.title} onClose={onClose}>
      <div className={styles.search}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <input
          className={styles.input}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          placeholder={shortcuts.search}
          aria-label={shortcuts.search}
          autoComplete="off"
          spellCheck={false}
        />
        <ActionIcon aria-label={strings.common.close} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={styles.shortcuts} tabIndex={0} role="region" aria-label={shortcuts.title}>
        {found.size === 0 ? <p className={styles.noMatch}>{shortcuts.noMatch}</p> : null}
        {COMMAND_GROUPS.map((group) => {
          const rows = ids.filter((id) => KEY_MAP[id].group === group && found.has(id));
          return rows.length === 0 ? null : (
            <section key={group} className={styles.section}>
              <h3 className={styles.group}>{groups[group]}</h3>
              <dl className={styles.rows}>
                {rows.map((id) => (
                  <div key={id} className={styles.row}>
                    <dt>{keyNames[id]}</dt>
                    <dd>
                      {keysOf(id, inDesktop()).map((keys, place, all) => (
                        <Fragment key={keys}>
                          {place === 0 || all.length > 2 ? null : <span className={styles.or}>{shortcuts.or}</span>}
                          <Keys keys={keys} />
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </DialogFrame>
  );
}
