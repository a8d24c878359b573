import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconInfoCircle, IconPlus, IconRefresh, IconSearch, IconUsers } from '@tabler/icons-react';
import type { CreatedPrincipal, Principal } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { api } from '../api/client.ts';
import { abilityInDriverWords, inDriverWords } from '../api/driverTexts.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { useCommands } from '../commands/registry.ts';
import type { WindowCommand } from '../commands/registry.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import type { ToolProps } from '../state/toolProps.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { AddPrincipalDialog } from './AddPrincipalDialog.tsx';
import { GenerateDialog } from './GenerateDialog.tsx';
import { PlannedPrincipalDialog } from './PlannedPrincipalDialog.tsx';
import { PrincipalDetailsDialog } from './PrincipalDetailsDialog.tsx';
import { PrincipalList } from './PrincipalList.tsx';
import styles from './principals.module.css';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SecretOnce } from './SecretOnce.tsx';

type Layer =
  | { readonly is: 'add' }
  | { readonly is: 'edit'; readonly principal: Principal }
  | { readonly is: 'details'; readonly principal: Principal }
  | { readonly is: 'generate' }
  | {
      readonly is: 'secret';
      readonly title: string;
      readonly secret: NonNullable<CreatedPrincipal['secret']>;
      readonly notes?: readonly string[];
    }
  | { readonly is: 'remove'; readonly principal: Principal };

/** All words of the search must be somewhere in the shown text. */
function matches(principal: Principal, search: string): boolean {
  const { label, reach, actions, attributes } = principal;
  const all = [label, reach, ...actions, ...attributes.flatMap((attribute) => [attribute.label, attribute.value])]
    .join('\n')
    .toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The users or keys of a database. */
export function PrincipalsTab({ connection, isShown }: ToolProps): ReactNode {
  const { connectionId } = connection;
  const info = useQuery({
    queryKey: ['principals', connectionId, 'info'],
    queryFn: ({ signal }) => api.principals.info.query({ connectionId }, { signal }),
  });
  if (info.error !== null && info.data === undefined) {
    return (
      <div className={styles.centered}>
        <ProblemPanel title={strings.principals.infoFailed} problem={problemOf(info.error)} onRetry={() => void info.refetch()} />
      </div>
    );
  }
  return info.data === undefined ? (
    <div aria-busy />
  ) : (
    <Principals connectionId={connectionId} info={info.data} isShown={isShown} />
  );
}

interface PrincipalsProps {
  readonly connectionId: string;
  readonly info: PrincipalsInfo;
  readonly isShown: boolean;
}

function Principals({ connectionId, info, isShown }: PrincipalsProps): ReactNode {
  const words = strings.principals;
  const { term } = info;
  const editable = abilityInDriverWords(connectionId, info.editable);
  const generator = info.generator === undefined ? undefined : inDriverWords(connectionId, info.generator);
  const list = useQuery({
    queryKey: ['principals', connectionId, 'list'],
    queryFn: ({ signal }) => api.principals.list.query({ connectionId }, { signal }),
    // Others add and remove them too: what is shown when the tab is opened is what there is.
    staleTime: 0,
  });
  const [search, setSearch] = useState('');
  const [layer, setLayer] = useState<Layer>();
  const all = (list.data ?? []).map((one) => ({
    ...one,
    removable: abilityInDriverWords(connectionId, one.removable),
    ...(one.editable === undefined ? {} : { editable: abilityInDriverWords(connectionId, one.editable) }),
  }));
  const shown = all.filter((principal) => matches(principal, search.trim()));
  const close = (): void => setLayer(undefined);
  const done = (text: string): void => {
    void list.refetch();
    notify({ tone: 'plain', text });
    close();
  };
  const frozen = info.readOnly === undefined ? undefined : textInWindowLanguage(info.readOnly.reason, info.readOnly);
  const addable = info.changes === undefined ? undefined : abilityInDriverWords(connectionId, info.changes.addable);
  const notAddable = addable?.allowed === false ? addable.reason : undefined;
  const hasChanges = info.changes !== undefined;
  const refused = frozen ?? notAddable ?? (list.data === undefined && list.error !== null ? words.listFailed(term) : undefined);
  useCommands(
    [
      {
        id: 'principals.add',
        group: 'view',
        title: words.commands.add(term),
        disabled: refused,
        run: () => setLayer({ is: 'add' }),
      },
      ...(generator === undefined
        ? []
        : [
            {
              id: 'principals.generate',
              group: 'view',
              title: words.generate(generator.term),
              run: () => setLayer({ is: 'generate' }),
            } satisfies WindowCommand,
          ]),
      { id: 'principals.refresh', group: 'view', title: words.commands.refresh(term), run: () => void list.refetch() },
    ],
    isShown,
  );

  const addButton = (
    <Button leftSection={<IconPlus size={14} stroke={2} />} onClick={() => setLayer({ is: 'add' })}>
      {words.add(term)}
    </Button>
  );
  return (
    <section className={styles.principals} aria-label={words.list(term)}>
      <div className={styles.bar}>
        <TextInput
          className={styles.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => (event.key === 'Escape' ? setSearch('') : undefined)}
          placeholder={words.search(term)}
          aria-label={words.search(term)}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
        />
        <ActionIcon
          aria-label={words.refresh}
          title={words.refresh}
          loading={list.isFetching && list.data !== undefined}
          onClick={() => void list.refetch()}
        >
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
        <span className={styles.count}>{list.data === undefined ? null : words.count(shown.length, term)}</span>
        {generator === undefined ? null : (
          <Button variant="default" onClick={() => setLayer({ is: 'generate' })}>
            {words.generate(generator.term)}
          </Button>
        )}
        {refused === undefined ? addButton : null}
      </div>
      {editable.allowed && frozen === undefined && notAddable === undefined ? null : (
        <p className={styles.note} id="principals-editable">
          <IconInfoCircle size={14} stroke={1.75} aria-hidden />
          {frozen ?? notAddable ?? (editable.allowed ? undefined : editable.reason)}
        </p>
      )}
      <div className={styles.body}>
        {list.error === null ? null : (
          <div className={styles.problem}>
            <ProblemPanel title={words.listFailed(term)} problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
          </div>
        )}
        {list.data !== undefined && all.length === 0 ? (
          <EmptyState
            icon={<IconUsers size={36} stroke={1.25} />}
            title={words.emptyTitle(term)}
            text={words.emptyText(term)}
            action={refused === undefined ? addButton : undefined}
          />
        ) : null}
        {all.length > 0 && shown.length === 0 ? (
          <div className={styles.noMatch}>
            <p>{words.noMatch(search)}</p>
            <Button variant="subtle" onClick={() => setSearch('')}>
              {words.clearSearch}
            </Button>
          </div>
        ) : null}
        {shown.length > 0 ? (
          <PrincipalList
            label={words.list(term)}
            principals={shown}
            editable={editable}
            onRemove={(principal) => setLayer({ is: 'remove', principal })}
            onEdit={hasChanges ? (principal) => setLayer({ is: 'edit', principal }) : undefined}
            onDetails={hasChanges ? (principal) => setLayer({ is: 'details', principal }) : undefined}
          />
        ) : null}
      </div>
      {layer?.is === 'details' ? (
        <PrincipalDetailsDialog connectionId={connectionId} principal={layer.principal} onClose={close} />
      ) : null}
      {hasChanges && layer?.is === 'add' ? (
        <PlannedPrincipalDialog
          connectionId={connectionId}
          action={{ is: 'add' }}
          words={{ title: words.addTitle(term), confirm: words.addConfirm(term), failed: words.addFailed(term) }}
          onClose={close}
          onDone={(principal) => done(words.added(principal?.label ?? term.one))}
        />
      ) : null}
      {layer?.is === 'edit' ? (
        <PlannedPrincipalDialog
          connectionId={connectionId}
          action={{ is: 'change', id: layer.principal.id }}
          words={{
            title: words.editTitle(layer.principal.label),
            confirm: words.editConfirm,
            failed: words.editFailed(layer.principal.label),
          }}
          onClose={close}
          onDone={(principal) => done(words.edited(principal?.label ?? layer.principal.label))}
        />
      ) : null}
      {hasChanges && layer?.is === 'remove' ? (
        <PlannedPrincipalDialog
          connectionId={connectionId}
          action={{ is: 'remove', id: layer.principal.id }}
          words={{
            title: words.removeTitle(layer.principal.label),
            confirm: words.removeConfirm(layer.principal.label),
            failed: words.removeFailed(layer.principal.label),
          }}
          typedName={layer.principal.label}
          onClose={close}
          onDone={(principal) =>
            done(principal === undefined ? words.removed(layer.principal.label) : words.edited(principal.label))
          }
        />
      ) : null}
      {!hasChanges && layer?.is === 'add' ? (
        <AddPrincipalDialog
          connectionId={connectionId}
          term={term}
          onClose={close}
          onCreated={({ principal, secret }) => {
            void list.refetch();
            notify({ tone: 'plain', text: words.added(principal.label) });
            setLayer(secret === undefined ? undefined : { is: 'secret', title: words.secretTitle(principal.label), secret });
          }}
        />
      ) : null}
      {layer?.is === 'generate' && generator !== undefined ? (
        <GenerateDialog
          connectionId={connectionId}
          generator={generator}
          onClose={close}
          onGenerated={({ secret, notes }) => setLayer({ is: 'secret', title: words.generated(generator.term), secret, notes })}
        />
      ) : null}
      {layer?.is === 'secret' ? <SecretOnce {...layer} onDone={close} /> : null}
      {!hasChanges && layer?.is === 'remove' ? (
        <RemoveDialog
          connectionId={connectionId}
          principal={layer.principal}
          onClose={close}
          onRemoved={() => {
            void list.refetch();
            notify({ tone: 'plain', text: words.removed(layer.principal.label) });
            close();
          }}
        />
      ) : null}
    </section>
  );
}
