import { SegmentedControl, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConnectionAccess } from '../../common/access.ts';
import { strings } from '../i18n/index.ts';
import styles from './form.module.css';

interface Props {
  readonly access: ConnectionAccess;
  readonly onChange: (access: ConnectionAccess) => void;
}

/** The permissions on a connection. Every connection has this, whatever its driver. */
export function AccessPane({ access, onChange }: Props): ReactNode {
  const words = strings.form.access;
  return (
    <section className={styles.access} aria-label={words.title}>
      <Switch
        label={words.readOnlyMode}
        description={words.readOnlyModeText}
        checked={access.readOnly === true}
        onChange={(event) => onChange({ ...access, readOnly: event.currentTarget.checked })}
      />
      <div>
        <h3 className={styles.accessTitle} id="external-clients">
          {words.externalClients}
        </h3>
        <p className={styles.accessText}>{words.externalClientsText}</p>
        <SegmentedControl
          aria-labelledby="external-clients"
          value={access.externalClients}
          onChange={(externalClients) => onChange({ ...access, externalClients })}
          data={[
            { value: 'blocked' as const, label: words.blocked },
            { value: 'readOnly' as const, label: words.readOnly },
            { value: 'readWrite' as const, label: words.readWrite },
          ]}
        />
        <p className={styles.accessHelp}>{words.externalClientsHelp[access.externalClients]}</p>
      </div>
      <div>
        <h3 className={styles.accessTitle} id="ai-policy">
          {words.aiPolicy}
        </h3>
        <p className={styles.accessText}>{words.aiPolicyText}</p>
        <SegmentedControl
          aria-labelledby="ai-policy"
          value={access.aiPolicy}
          onChange={(aiPolicy) => onChange({ ...access, aiPolicy })}
          data={[
            { value: 'never' as const, label: words.never },
            { value: 'askEachTime' as const, label: words.askEachTime },
            { value: 'alwaysAllow' as const, label: words.alwaysAllow },
          ]}
        />
        <p className={styles.accessHelp}>{words.aiPolicyHelp[access.aiPolicy]}</p>
      </div>
    </section>
  );
}
