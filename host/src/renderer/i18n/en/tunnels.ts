/** The way to a server: an SSH server or a SOCKS proxy. */
export const tunnelWords = {
  /** By the id of the field. */
  fields: {
    'connect.through': { label: 'Connect through' },
    'ssh.host': { label: 'SSH host' },
    'ssh.port': { label: 'SSH port' },
    'ssh.user': { label: 'SSH user' },
    'ssh.signIn': { label: 'Sign in by' },
    'ssh.password': { label: 'SSH password' },
    'ssh.key': { label: 'Private key', help: 'The full path of the private key on the computer where Tabularium runs.' },
    'ssh.passphrase': { label: 'Passphrase', help: 'Empty if the key has none.' },
    'socks.host': { label: 'Proxy host' },
    'socks.port': { label: 'Proxy port' },
    'socks.user': { label: 'Proxy user', help: 'Empty if the proxy asks for none.' },
    'socks.password': { label: 'Proxy password', help: 'SOCKS5 sends it to the proxy unencrypted.' },
  },
  /** By the value of the option. */
  options: {
    direct: { label: 'Directly' },
    ssh: { label: 'SSH server', help: 'The SSH server looks up the name of the database server and connects to it.' },
    socks: { label: 'SOCKS5 proxy', help: 'The proxy looks up the name of the database server and connects to it.' },
    password: { label: 'Password' },
    key: { label: 'Private key file' },
    agent: { label: 'SSH agent', help: 'The keys of the agent that SSH_AUTH_SOCK names.' },
  },
  through: (url: string): string => `Through ${url}.`,
  hostKey: {
    title: 'Check the host key of the SSH server',
    text: (server: string): string =>
      `You connect to the SSH server ${server} for the first time. Compare this fingerprint with the one that its operator gave you.`,
    server: 'SSH server',
    type: 'Key type',
    fingerprint: 'Fingerprint',
    hint: 'Nothing has been sent yet. If the fingerprints differ, somebody may be between you and the server: cancel.',
    ask: 'Check the fingerprint…',
    confirm: 'They match: trust this server',
    cancel: 'Cancel',
    failed: 'The host key was not accepted',
    /** After the question was left unanswered. */
    advice: "Try again, and compare the fingerprint with that of the server's operator.",
  },
};
