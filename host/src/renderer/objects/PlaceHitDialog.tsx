import { Modal } from '@mantine/core';
import type { HitPlacement, ObjectChange } from '@tabularium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf, windowProblem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { kindInDriverWords } from './objectWords.ts';
import { ObjectDialog } from './ObjectDialog.tsx';
import styles from './objects.module.css';
import { RemoveObjectDialog } from './RemoveObjectDialog.tsx';
import { shortName } from './shortName.ts';

type SaveObject = Extract<ObjectChange, { action: 'save' }>;

/** A change that was made. `stored`: the document as the database has it since; undefined where that could not be read. */
export type MadeChange = SaveObject & { readonly stored: string | undefined };

/** The place that a hit is to have, or the change that gave it one, to be taken back. */
export type Placement = { readonly hit: HitPlacement } | { readonly undone: MadeChange };

interface Props {
  readonly connectionId: string;
  readonly placement: Placement;
  /** @param change - of an object that is there still */
  readonly onSaved: (change: MadeChange) => void;
  /** The object was changed, or may have been. */
  readonly onTried: () => void;
  readonly onClose: () => void;
}

/** Shows the change of the object that gives a hit its place, with its requests, and makes it when the person agrees. */
export function PlaceHitDialog({ connectionId, placement, onSaved, onTried, onClose }: Props): ReactNode {
  const words = strings.objects;
  const client = useQueryClient();
  const asked = useQuery({
    queryKey: ['placeHit', connectionId, placement],
    queryFn: async ({ signal }) => {
      const change =
        'hit' in placement
          ? await api.objects.placeHit.mutate({ connectionId, hit: placement.hit }, { signal })
          : await backTo(connectionId, placement.undone, signal);
      const kind = (await api.objects.kinds.query({ connectionId }, { signal })).find(({ id }) => id === change.object.kind);
      return { change, kind: kind === undefined ? undefined : kindInDriverWords(connectionId, kind) };
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const tried = (): void => {
    void client.invalidateQueries({ queryKey: ['objects', connectionId] });
    onTried();
  };
  const { change, kind } = asked.data ?? {};
  if (change === undefined || kind === undefined) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={'hit' in placement ? words.placeTitles[placement.hit.action] : words.undoPlace}
        size={520}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        {asked.error === null ? (
          <div className={styles.pending} aria-busy />
        ) : (
          <ProblemPanel compact title={words.placeFailed} problem={problemOf(asked.error)} onRetry={() => void asked.refetch()} />
        )}
      </Modal>
    );
  }
  const { name, ...place } = change.object;
  if (change.action === 'remove') {
    return (
      <RemoveObjectDialog
        connectionId={connectionId}
        kind={kind}
        object={change.object}
        {...(change.was === undefined ? {} : { was: change.was })}
        onRemoved={() => {
          notify({ tone: 'plain', text: words.removed(shortName(name)) });
          tried();
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <ObjectDialog
      connectionId={connectionId}
      kind={kind}
      place={place}
      name={name}
      draft={change}
      onTried={tried}
      onSaved={(saved) => {
        if ('hit' in placement) void stored(connectionId, change).then(onSaved);
        else notify({ tone: 'plain', text: words.saved(shortName(saved)) });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

async function stored(connectionId: string, change: SaveObject): Promise<MadeChange> {
  const { object } = change;
  const read = await api.objects.get.query({ connectionId, object }).catch(() => undefined);
  return { ...change, stored: read?.document };
}

/** The change that takes a change back: the object becomes what it was, or goes where it was not there. */
async function backTo(
  connectionId: string,
  { object, was, stored: known }: MadeChange,
  signal: AbortSignal,
): Promise<ObjectChange> {
  const now = await api.objects.get.query({ connectionId, object }, { signal });
  // Somebody may have changed it since: their work must not go with it.
  if (now.document !== known) {
    const words = strings.objects;
    throw windowProblem('CONFLICT', words.placeChanged(shortName(object.name)), words.placeChangedAdvice);
  }
  if (was === null) return { action: 'remove', object };
  return { action: 'save', object, document: was, was: now.document };
}
