import type { FormField, WayThrough } from '@tabularium/sdk/manifest';

/** Field ids of the way to the server. A dot is in no id of a manifest, so no driver has a field of these names and none gets their values. */
export const TUNNEL = {
  through: 'connect.through',
  sshHost: 'ssh.host',
  sshPort: 'ssh.port',
  sshUser: 'ssh.user',
  sshSignIn: 'ssh.signIn',
  sshPassword: 'ssh.password',
  sshKey: 'ssh.key',
  sshPassphrase: 'ssh.passphrase',
  socksHost: 'socks.host',
  socksPort: 'socks.port',
  socksUser: 'socks.user',
  socksPassword: 'socks.password',
} as const;
/** One of {@link TUNNEL}. */
export type TunnelFieldId = (typeof TUNNEL)[keyof typeof TUNNEL];

export const SSH_SIGN_INS = ['password', 'key', 'agent'] as const;
/** How a person signs in at the SSH server. */
export type SshSignIn = (typeof SSH_SIGN_INS)[number];

export const SSH_PORT = 22;
export const SOCKS_PORT = 1080;

export function isTunnelField(id: string): id is TunnelFieldId {
  return TUNNEL_IDS.has(id);
}

const TUNNEL_IDS: ReadonlySet<string> = new Set(Object.values(TUNNEL));

const base = { pane: 'general' as const, required: false };
const text = { ...base, type: 'text' as const };
const port = { ...base, type: 'number' as const, integer: true, min: 1, max: 65_535 };
const secret = { ...base, type: 'secret' as const };
const forSsh = { visibleWhen: { field: TUNNEL.through, values: ['ssh'] } };
const forSocks = { visibleWhen: { field: TUNNEL.through, values: ['socks'] } };
const signingInBy = (way: SshSignIn): Pick<FormField, 'visibleWhen'> => ({
  visibleWhen: { field: TUNNEL.sshSignIn, values: [way] },
});

const SSH: readonly FormField[] = [
  {
    ...text,
    ...forSsh,
    id: TUNNEL.sshHost,
    label: 'SSH Host',
    required: true,
    maxLength: 253,
    placeholder: 'bastion.example.com',
  },
  { ...port, ...forSsh, id: TUNNEL.sshPort, label: 'SSH Port', default: SSH_PORT, placeholder: String(SSH_PORT) },
  { ...text, ...forSsh, id: TUNNEL.sshUser, label: 'SSH User', required: true, maxLength: 200 },
  {
    ...base,
    ...forSsh,
    id: TUNNEL.sshSignIn,
    label: 'Sign In By',
    type: 'select',
    default: 'password',
    options: [
      { value: 'password', label: 'Password' },
      { value: 'key', label: 'Private key file' },
      { value: 'agent', label: 'SSH agent', help: 'Keys of the agent that SSH_AUTH_SOCK names.' },
    ],
  },
  { ...secret, ...signingInBy('password'), id: TUNNEL.sshPassword, label: 'SSH Password' },
  {
    ...base,
    ...signingInBy('key'),
    id: TUNNEL.sshKey,
    label: 'Private Key',
    type: 'file',
    readBy: 'host',
    required: true,
    placeholder: '/home/you/.ssh/id_ed25519',
    help: 'The full path of the private key.',
  },
  { ...secret, ...signingInBy('key'), id: TUNNEL.sshPassphrase, label: 'Passphrase', help: 'Empty where the key has none.' },
];

const SOCKS: readonly FormField[] = [
  { ...text, ...forSocks, id: TUNNEL.socksHost, label: 'Proxy Host', required: true, maxLength: 253, placeholder: 'localhost' },
  { ...port, ...forSocks, id: TUNNEL.socksPort, label: 'Proxy Port', default: SOCKS_PORT, placeholder: String(SOCKS_PORT) },
  {
    ...text,
    ...forSocks,
    id: TUNNEL.socksUser,
    label: 'Proxy User',
    maxLength: 200,
    help: 'Empty where the proxy asks for none.',
  },
  {
    ...secret,
    ...forSocks,
    id: TUNNEL.socksPassword,
    label: 'Proxy Password',
    help: 'The proxy gets it unencrypted, as SOCKS5 has it.',
  },
];

/** The fields with which a form offers these ways, in English; none where there are none. */
export function tunnelFields(ways: readonly WayThrough[]): readonly FormField[] {
  if (ways.length === 0) return [];
  const options = [
    { value: 'direct', label: 'Directly' },
    { value: 'ssh', label: 'SSH server', help: 'The SSH server looks up the name of the database server and connects to it.' },
    { value: 'socks', label: 'SOCKS5 proxy', help: 'The proxy looks up the name of the database server and connects to it.' },
  ].filter(({ value }) => value === 'direct' || ways.some((way) => way === value));
  return [
    { ...base, id: TUNNEL.through, label: 'Connect Through', type: 'select', default: 'direct', options },
    ...(ways.includes('ssh') ? SSH : []),
    ...(ways.includes('socks') ? SOCKS : []),
  ];
}
