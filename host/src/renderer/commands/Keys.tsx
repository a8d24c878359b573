import { Fragment } from 'react';
import type { ReactNode } from 'react';
import styles from './commands.module.css';
import { keyNames, keysText, onMac } from './keys.ts';

/** A chord as the keys are labelled. */
export function Keys({ keys }: { readonly keys: string }): ReactNode {
  const isMac = onMac();
  return (
    <span className={styles.chord}>
      <span className="tb-visually-hidden">{keysText(keys, isMac)}</span>
      {keyNames(keys, isMac).map((name, place) => (
        <Fragment key={name}>
          {place > 0 && !isMac ? <span aria-hidden>+</span> : null}
          <kbd className={styles.key} aria-hidden>
            {name}
          </kbd>
        </Fragment>
      ))}
    </span>
  );
}
