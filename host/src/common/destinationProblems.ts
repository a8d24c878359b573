import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import type { SettingsValues } from './connection.ts';
import { formFieldsOf } from './formFields.ts';
import { destinationOf, enteredNodes, addressPartsOf } from './destinationOf.ts';
import type { FormProblem } from './formProblem.ts';
import type { HostSentence } from './hostSentences.ts';
import { hostSentence } from './hostSentences.ts';
import type { ServerPermission } from './serverPermission.ts';

/** Clusters have three or five nodes. */
const MOST_NODES = 15;

/** Labels of letters, digits, hyphens and underscores, with dots between: nothing that could end the host part of a URL or a header. */
const HOST_NAME = /^(?!-)(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?$/;

/** Names and dots, what a URL needs no encoding for: no `..`, no encoded slash, nothing that a proxy could read as another path. */
const PATH_PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]{1,100}){0,8}$/;

const ipV6 = z.ipv6();

/** The fault of a host. */
export type HostFault = 'User' | 'Scheme' | 'Path' | 'Port' | 'Zone' | 'Name';

/**
 * Everything that is wrong with the addresses of a connection's form: first node, further nodes and path prefix. The one definition for the form,
 * for saving, for importing and for connecting. No sentence repeats what was entered, because a password may be part of it.
 *
 * @returns one problem a field at most
 */
export function destinationProblems(
  server: ServerPermission,
  manifest: Manifest,
  settings: SettingsValues,
): readonly FormProblem[] {
  const { host, port, nodes, pathPrefix } = addressPartsOf(server);
  const { host: firstHost, port: firstPort, pathPrefix: prefix, nodes: further } = destinationOf(server, manifest, settings);
  const labelOf = (id: string): string => formFieldsOf(manifest).find((field) => field.id === id)?.label ?? id;
  const problems: FormProblem[] = [];
  const add = (field: string | undefined, sentence: HostSentence | undefined): void => {
    if (field !== undefined && sentence !== undefined) problems.push({ field, sentence });
  };

  const hostFault = hostFaultOf(firstHost);
  add(host.field, hostFault === undefined ? undefined : hostSentence(`address${hostFault}`, { label: labelOf(host.field) }));
  if (!isPort(firstPort)) add(port.field, hostSentence('addressPortNumber', { label: labelOf(port.field) }));

  const label = nodes === undefined ? '' : labelOf(nodes.field);
  const entered = enteredNodes(server, manifest, settings);
  const bad = entered.findIndex((text, index) => nodeFault(text, further[index], firstPort) !== undefined);
  if (entered.length > MOST_NODES) add(nodes?.field, hostSentence('nodesTooMany', { label, limit: MOST_NODES }));
  else if (bad !== -1) {
    const fault = nodeFault(entered[bad] ?? '', further[bad], firstPort) ?? 'Name';
    add(nodes?.field, hostSentence(`node${fault}`, { label, number: bad + 1 }));
  }
  if (!PATH_PREFIX.test(prefix))
    add(pathPrefix?.field, hostSentence('pathPrefixInvalid', { label: labelOf(pathPrefix?.field ?? '') }));
  return problems;
}

function nodeFault(
  text: string,
  node: { readonly host: string; readonly port: string } | undefined,
  firstPort: string,
): HostFault | undefined {
  if (node === undefined) return undefined;
  const fault = hostFaultOf(node.host);
  // The text as a whole: in `user:password@host` the part before the colon alone would pass for a host.
  if (fault === undefined && (isPort(node.port) || node.port === firstPort)) return undefined;
  const whole = hostFaultOf(text);
  return fault === undefined || whole === 'User' || whole === 'Scheme' || whole === 'Path' ? (whole ?? 'Port') : fault;
}

/** The fault of a host name or address; undefined: none. */
export function hostFaultOf(host: string): HostFault | undefined {
  // A URL reads numbers with dots as an IPv4 address, and refuses those that are none, such as 256.1.1.1.
  if (HOST_NAME.test(host) ? URL.canParse(`http://${host}`) : ipV6.safeParse(host).success) return undefined;
  if (host.includes('@')) return 'User';
  if (host.includes('://')) return 'Scheme';
  if (/[/\\?#]/.test(host)) return 'Path';
  // A zone, as in `fe80::1%eth0`, is of this computer: no URL can hold it.
  if (host.includes('%') && ipV6.safeParse(host.split('%', 1)[0]).success) return 'Zone';
  return host.includes(':') && !host.startsWith('[') ? 'Port' : 'Name';
}

function isPort(text: string): boolean {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port >= 1 && port <= 65_535;
}
