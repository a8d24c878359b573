import type { GeneratedCredential } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { api } from '../api/client.ts';
import { fieldsInDriverWords } from '../api/driverTexts.ts';
import { strings } from '../i18n/index.ts';
import { PrincipalFormDialog } from './PrincipalFormDialog.tsx';

interface Props {
  readonly connectionId: string;
  readonly generator: NonNullable<PrincipalsInfo['generator']>;
  readonly onGenerated: (generated: GeneratedCredential) => void;
  readonly onClose: () => void;
}

/** Computes a credential from another one. The database does not hear of it. */
export function GenerateDialog({ connectionId, generator, onGenerated, onClose }: Props): ReactNode {
  const words = strings.principals;
  const { term, help } = generator;
  return (
    <PrincipalFormDialog
      words={{ title: words.generateTitle(term), help, confirm: words.generateConfirm, failed: words.generateFailed(term) }}
      queryKey={['principals', connectionId, 'generatorForm']}
      load={async (signal) =>
        fieldsInDriverWords(connectionId, await api.principals.generatorForm.query({ connectionId }, { signal }))
      }
      make={async (input) => onGenerated(await api.principals.generate.mutate({ connectionId, input }))}
      onClose={onClose}
    />
  );
}
