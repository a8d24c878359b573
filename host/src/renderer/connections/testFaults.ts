import type { Manifest } from '@tabularium/sdk/manifest';
import type { TestStep } from '../../common/connection.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { connectionFields } from './connectionFields.ts';
import { strings } from '../i18n/index.ts';
import { TUNNEL } from '../../common/tunnelFields.ts';
import type { FormProblems } from './formModel.ts';

/** The fields to look at first after a test that failed: the host of a name that isn't found, the key that was rejected. */
export function testFaults(manifest: Manifest, steps: readonly TestStep[]): FormProblems {
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  const field = failed === undefined ? undefined : fieldOf(manifest, failed);
  return field === undefined ? {} : { [field]: strings.form.testFailedHere };
}

function fieldOf(manifest: Manifest, { id, failure }: TestStep): string | undefined {
  const named = connectionFields(manifest).find((field) => field.id === failure?.field);
  if (named !== undefined) return named.id;
  const origin = serverPermissionOf(manifest)?.origin;
  const credential = connectionFields(manifest).find(({ type }) => type === 'secret')?.id;
  switch (id) {
    case 'credentials':
      return credential;
    case 'name':
      return origin?.host.field;
    case 'sshReached':
      return TUNNEL.sshHost;
    case 'tcp':
      return origin?.port.field;
    case 'tls':
      return origin?.scheme.field;
    case 'server':
      // A refusal that a driver explains in a finding of its own has no code.
      if (failure === undefined || failure.code === 'ACCESS_REFUSED') return credential;
      return failure.code === 'BAD_ANSWER' ? origin?.port.field : undefined;
    default:
      return undefined;
  }
}
