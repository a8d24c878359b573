import { Button, Group, Modal, MultiSelect, Radio, Select, Stack } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { tokenScopeSchema } from '../../common/access.ts';
import type { TokenScope } from '../../common/access.ts';
import { CONSENT_DAYS } from '../../common/integrations.ts';
import type { ConsentAnswer, PendingConsent } from '../../common/integrations.ts';
import { askedName } from '../../common/approvalText.ts';
import { lookAlikeWords } from '../../common/lookAlike.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useConnections } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './consent.module.css';
import { useReloadIntegrations } from './queries.ts';
import { useArmed } from './useArmed.ts';
import { useAsked } from './useAsked.ts';
import { useConsents } from './useConsents.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

type Days = (typeof CONSENT_DAYS)[number];

interface ConsentDialogProps {
  /** Called when a question comes, as for the approval of a change. */
  readonly onAsked?: () => void;
}

/** Asks a person whether a client that signs in with OAuth gets access, and how much. One question at a time, oldest first. */
export function ConsentDialog({ onAsked }: ConsentDialogProps): ReactNode {
  const [first] = useConsents();
  useAsked(first?.id, onAsked);
  return first === undefined ? null : <Question key={first.id} asked={first} />;
}

function Question({ asked }: { readonly asked: PendingConsent }): ReactNode {
  const words = strings.integrations.consent;
  const tokens = strings.integrations.tokens;
  const connections = useConnections();
  const reload = useReloadIntegrations();
  const [scope, setScope] = useState<TokenScope>('readOnly');
  const [all, setAll] = useState(false);
  const [only, setOnly] = useState<string[]>([]);
  const [days, setDays] = useState<Days>(30);
  const [answering, setAnswering] = useState(false);
  const { armed, onKeyDownCapture } = useArmed();
  const client = askedName(asked.clientName);
  const mixed = lookAlikeWords(asked.clientName);
  const answer = async (choice: ConsentAnswer): Promise<void> => {
    setAnswering(true);
    try {
      const { taken } = await api.integrations.answerConsent.mutate({ id: asked.id, answer: choice });
      if (!taken) notify({ tab: 'none', tone: 'warning', text: words.gone });
      await reload();
    } catch (error) {
      setAnswering(false);
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
  };
  const facts: readonly (readonly [label: string, value: string])[] = [
    [strings.integrations.dialog.client, words.clientSays(client)],
    [words.redirect, visibleText(asked.redirect, 'name', 500)],
    [words.asksFor, asked.scopes.length === 0 ? words.asksForNothing : visibleText(asked.scopes.join(', '), 'name', 300)],
    [words.expires, strings.integrations.dialog.expiresAt(asked.expiresAt)],
  ];
  return (
    <Modal
      opened
      onKeyDownCapture={onKeyDownCapture}
      onClose={() => void answer({ allow: false })}
      // Neither a click beside it nor a key that was meant for something else is an answer.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={words.title(client)}
      classNames={{ content: styles.content ?? '', body: styles.body ?? '' }}
      size={600}
      centered
      yOffset="3dvh"
      zIndex={1_000}
    >
      <p className={styles.number}>
        <strong>{asked.number}</strong>
        <span>{words.number}</span>
      </p>
      <div className={styles.choices} tabIndex={0} role="region" aria-label={words.choices}>
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {mixed.length === 0 ? null : <p className={styles.note}>{strings.integrations.dialog.mixed(mixed)}</p>}
        <Stack gap={12}>
          <Radio.Group label={tokens.scope} value={scope} onChange={(value) => setScope(tokenScopeSchema.parse(value))}>
            {tokenScopeSchema.options.map((value) => (
              <Radio key={value} value={value} label={tokens.scopes[value]} description={tokens.scopeHelp[value]} mt={6} />
            ))}
          </Radio.Group>
          <Radio.Group label={tokens.connections} value={all ? 'all' : 'some'} onChange={(value) => setAll(value === 'all')}>
            <Group gap={16} mt={6}>
              <Radio value="some" label={tokens.onlyThese} />
              <Radio value="all" label={tokens.allConnections} />
            </Group>
          </Radio.Group>
          {all ? null : (
            <MultiSelect
              aria-label={tokens.onlyThese}
              placeholder={only.length === 0 ? words.choose : ''}
              value={only}
              onChange={setOnly}
              comboboxProps={{ zIndex: 1_100 }}
              data={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: visibleText(name, 'name', 200) }))}
            />
          )}
          <Select
            label={tokens.expires}
            value={String(days)}
            onChange={(value) => setDays(CONSENT_DAYS.find((known) => String(known) === value) ?? 30)}
            data={CONSENT_DAYS.map((value) => ({ value: String(value), label: words.days(value) }))}
            allowDeselect={false}
            comboboxProps={{ zIndex: 1_100 }}
          />
        </Stack>
      </div>
      <p className={styles.note}>{words.revoke}</p>
      <DialogActions>
        <Button variant="default" disabled={answering} onClick={() => void answer({ allow: false })} data-autofocus>
          {words.deny}
        </Button>
        <Button
          color={scope === 'fullAccess' ? 'red' : undefined}
          disabled={answering || !armed || (!all && only.length === 0)}
          onClick={() => void answer({ allow: true, scope, days, ...(all ? {} : { connections: only }) })}
        >
          {words.allow}
        </Button>
      </DialogActions>
    </Modal>
  );
}
