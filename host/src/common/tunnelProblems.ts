import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { hostFaultOf } from './destinationProblems.ts';
import { formFieldsOf } from './formFields.ts';
import type { FormProblem } from './formProblem.ts';
import { hostSentence } from './hostSentences.ts';
import { TUNNEL } from './tunnelFields.ts';
import { tunnelOf } from './tunnelOf.ts';

/**
 * Everything that is wrong with the way to a server: the one definition for the form, for saving, for importing and for connecting. An empty value
 * that is required is the form's to find. No sentence repeats what was entered.
 *
 * @returns one problem a field at most
 */
export function tunnelProblems(manifest: Manifest, settings: SettingsValues): readonly FormProblem[] {
  const tunnel = tunnelOf(manifest, settings);
  if (tunnel === undefined) return [];
  const { host, port } = tunnel;
  const fields =
    tunnel.kind === 'ssh'
      ? { host: TUNNEL.sshHost, port: TUNNEL.sshPort, user: TUNNEL.sshUser }
      : { host: TUNNEL.socksHost, port: TUNNEL.socksPort, user: TUNNEL.socksUser };
  const label = (id: string): { label: string } => ({
    label: formFieldsOf(manifest).find((field) => field.id === id)?.label ?? id,
  });
  const problems: FormProblem[] = [];
  const fault = host === '' ? undefined : hostFaultOf(host);
  if (fault !== undefined) problems.push({ field: fields.host, sentence: hostSentence(`address${fault}`, label(fields.host)) });
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push({ field: fields.port, sentence: hostSentence('addressPortNumber', label(fields.port)) });
  return problems;
}
