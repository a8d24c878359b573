import type { ObjectKind } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { ObjectDialog } from './ObjectDialog.tsx';
import { shortName } from './shortName.ts';

interface Props {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly document: string;
  readonly onClose: () => void;
}

/** A new object that saves how a search is set: named by the person, changed before it is saved, with its requests first. */
export function SaveSearchDialog({ connectionId, kind, document, onClose }: Props): ReactNode {
  const client = useQueryClient();
  return (
    <ObjectDialog
      connectionId={connectionId}
      kind={kind}
      place={{ kind: kind.id }}
      begin={document}
      onTried={() => {
        void client.invalidateQueries({ queryKey: ['objects', connectionId] });
        // It is one more choice of the search's options.
        void client.invalidateQueries({ queryKey: ['searchForm', connectionId] });
      }}
      onSaved={(name) => {
        notify({ tone: 'plain', text: strings.objects.saved(shortName(name)) });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
