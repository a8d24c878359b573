import type { CreatedPrincipal } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { api } from '../api/client.ts';
import { fieldsInDriverWords } from '../api/driverTexts.ts';
import { strings } from '../i18n/index.ts';
import { PrincipalFormDialog } from './PrincipalFormDialog.tsx';

interface Props {
  readonly connectionId: string;
  readonly term: PrincipalsInfo['term'];
  readonly onCreated: (created: CreatedPrincipal) => void;
  readonly onClose: () => void;
}

/** Adds a principal to the database. */
export function AddPrincipalDialog({ connectionId, term, onCreated, onClose }: Props): ReactNode {
  const words = strings.principals;
  return (
    <PrincipalFormDialog
      words={{ title: words.addTitle(term), confirm: words.addConfirm(term), failed: words.addFailed(term) }}
      queryKey={['principals', connectionId, 'form']}
      load={async (signal) => fieldsInDriverWords(connectionId, await api.principals.form.query({ connectionId }, { signal }))}
      make={async (input) => onCreated(await api.principals.create.mutate({ connectionId, input }))}
      onClose={onClose}
    />
  );
}
