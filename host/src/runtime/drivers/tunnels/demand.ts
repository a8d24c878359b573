import { hostSentence } from '../../../common/hostSentences.ts';
import type { TunnelFieldId } from '../../../common/tunnelFields.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';

/** Throws where a value of the form is missing. @throws DriverError `CREDENTIALS_MISSING` with the field */
export function demand(
  value: string,
  field: TunnelFieldId,
  id: 'sshHostMissing' | 'sshUserMissing' | 'sshPasswordMissing' | 'sshAgentMissing',
): void {
  if (value === '') throw hostDriverError('CREDENTIALS_MISSING', hostSentence(id), { details: { field } });
}
