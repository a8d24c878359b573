import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { destinationUrl } from './destinationOf.ts';
import { waysThroughOf } from './formFields.ts';
import type { SshSignIn, TunnelFieldId } from './tunnelFields.ts';
import { SOCKS_PORT, SSH_PORT, SSH_SIGN_INS, TUNNEL } from './tunnelFields.ts';

/** The way to a connection's server, as entered, valid or not. */
export type TunnelSettings =
  | {
      readonly kind: 'ssh';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly signIn: SshSignIn;
      /** Of a sign-in by key. */
      readonly keyFile: string;
    }
  | { readonly kind: 'socks'; readonly host: string; readonly port: number; readonly user: string };

/** Undefined for a direct connection, also where the manifest does not allow the way that the settings name. */
export function tunnelOf(manifest: Manifest, settings: SettingsValues): TunnelSettings | undefined {
  const way = waysThroughOf(manifest).find((one) => one === settings[TUNNEL.through]);
  const text = (id: TunnelFieldId): string => String(Object.hasOwn(settings, id) ? settings[id] : '').trim();
  const host = (id: TunnelFieldId): string => text(id).replace(/^\[(.*)\]$/, '$1');
  const port = (id: TunnelFieldId, usual: number): number => (text(id) === '' ? usual : Number(text(id)));
  switch (way) {
    case undefined:
      return undefined;
    case 'ssh':
      return {
        kind: way,
        host: host(TUNNEL.sshHost),
        port: port(TUNNEL.sshPort, SSH_PORT),
        user: text(TUNNEL.sshUser),
        signIn: SSH_SIGN_INS.find((one) => one === text(TUNNEL.sshSignIn)) ?? 'password',
        keyFile: text(TUNNEL.sshKey),
      };
    case 'socks':
      return {
        kind: way,
        host: host(TUNNEL.socksHost),
        port: port(TUNNEL.socksPort, SOCKS_PORT),
        user: text(TUNNEL.socksUser),
      };
  }
}

/** `bastion.example:22`, an IPv6 address in brackets. */
export function tunnelAddress({ host, port }: Pick<TunnelSettings, 'host' | 'port'>): string {
  return destinationUrl({ scheme: 'tcp', host, port }).slice('tcp://'.length);
}

/** `ssh://ada@bastion.example:22`, `socks5://proxy.example:1080`: what a person reads, and what a secret is bound to. */
export function tunnelUrl(tunnel: TunnelSettings): string {
  const scheme = tunnel.kind === 'ssh' ? 'ssh' : 'socks5';
  const user = tunnel.user === '' ? '' : `${encodeURIComponent(tunnel.user)}@`;
  return `${scheme}://${user}${tunnelAddress({ ...tunnel, host: tunnel.host.toLowerCase() })}`;
}

/** The secret fields that the way of these settings uses. */
export function tunnelSecretsOf(tunnel: TunnelSettings | undefined): readonly TunnelFieldId[] {
  if (tunnel === undefined) return [];
  if (tunnel.kind === 'socks') return [TUNNEL.socksPassword];
  switch (tunnel.signIn) {
    case 'password':
      return [TUNNEL.sshPassword];
    case 'key':
      return [TUNNEL.sshPassphrase];
    case 'agent':
      return [];
  }
}
