import { Button, Code, Group, Modal } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TokenSummary } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { Answered } from './Answered.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './integrations.module.css';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { useReloadIntegrations, useTokens } from './queries.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

/** The tokens: made, listed, revoked. */
export function TokensPane(): ReactNode {
  const words = strings.integrations.tokens;
  const tokens = useTokens();
  const [minting, setMinting] = useState(false);
  const [revoking, setRevoking] = useState<TokenSummary>();
  const create = <Button onClick={() => setMinting(true)}>{words.create}</Button>;
  return (
    <>
      <Answered query={tokens} title={strings.integrations.sections.tokens}>
        {(known) =>
          known.length === 0 ? (
            <EmptyState icon={<IconKey size={36} stroke={1.25} />} title={words.none} text={words.noneText} action={create} />
          ) : (
            <>
              <Group justify="space-between">
                <p className={styles.muted}>{words.help}</p>
                {create}
              </Group>
              <ul className={styles.list} aria-label={strings.integrations.sections.tokens}>
                {known.map((token) => (
                  <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
                ))}
              </ul>
            </>
          )
        }
      </Answered>
      {minting ? <NewTokenDialog onClose={() => setMinting(false)} /> : null}
      {revoking === undefined ? null : <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: TokenSummary; readonly onRevoke: () => void }): ReactNode {
  const words = strings.integrations.tokens;
  const expired = token.expiresAt !== undefined && Date.parse(token.expiresAt) <= Date.now();
  const reach = token.connections === 'all' ? words.allConnections : words.countOfConnections(token.connections.length);
  return (
    <li>
      <div>
        <div className={styles.name}>
          <strong>{token.name}</strong>
          {token.byOAuth === true ? <StateBadge tone="accent">OAuth</StateBadge> : <Code>{words.begins(token.prefix)}</Code>}
          {token.revokedAt !== undefined ? <StateBadge tone="plain">{words.revoked}</StateBadge> : null}
          {token.revokedAt === undefined && expired ? <StateBadge tone="warning">{words.expired}</StateBadge> : null}
        </div>
        <div className={styles.muted}>
          {words.scopes[token.scope]} · {reach} · {words.lastUsed(token.lastUsedAt)} · {words.expiresAt(token.expiresAt)}
        </div>
      </div>
      {token.revokedAt === undefined ? (
        <Button variant="default" onClick={onRevoke} aria-label={words.revokeOf(token.name)}>
          {words.revoke}
        </Button>
      ) : null}
    </li>
  );
}

function RevokeDialog({ token, onClose }: { readonly token: TokenSummary; readonly onClose: () => void }): ReactNode {
  const words = strings.integrations.tokens;
  const reload = useReloadIntegrations();
  const [problem, setProblem] = useState<Problem>();
  const revoke = async (): Promise<void> => {
    try {
      await api.integrations.revokeToken.mutate({ id: token.id });
      await reload();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.revokeTitle(token.name)}
      size={440}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p style={{ marginTop: 0 }}>{words.revokeText}</p>
      {problem === undefined ? null : <ProblemPanel compact title={words.revokeTitle(token.name)} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button color="red" onClick={() => void revoke()}>
          {words.revoke}
        </Button>
      </DialogActions>
    </Modal>
  );
}
