import { z } from 'zod';

/**
 * Sentences of the host that a window shows beside error reports, in English. A name in braces is a value; `:lower` writes it in lower case. A window of another language has the
 * same ids in its catalogue, so a sentence crosses the API as its id and values, next to the English text for programs and logs.
 */
export const HOST_SENTENCES = {
  // Checks of a connection form.
  fieldUnknown: 'This type has no field "{field}".',
  fieldMissing: 'Enter the {label}.',
  fieldNotNumber: '{label} must be a number.',
  fieldNotInteger: '{label} must be a whole number.',
  fieldTooSmall: '{label} must be {min} or more.',
  fieldTooLarge: '{label} must be {max} or less.',
  fieldNotToggle: '{label} must be on or off.',
  fieldNotOption: '{label} must be one of {options}.',
  fieldNotText: '{label} must be text.',
  fieldTooLong: '{label} is longer than {limit} characters.',
  fieldControl: '{label} has the control character {character}, such as a line break. Leave it out.',
  fieldNotFile: '{label} must be the path of a file.',
  addressUser: '{label} must be a host name or an IP address, without a user name or password.',
  addressScheme: '{label} must be a host name or an IP address, without a scheme such as https://.',
  addressPath: '{label} must be a host name or an IP address, without a path.',
  addressPort: '{label} must be a host name or an IP address alone, because the port has a field of its own.',
  addressZone: "{label} can't be an address with a zone such as %eth0. Enter a host name or another address.",
  addressName: '{label} must be an IP address or a host name of letters, digits, hyphens, dots and underscores.',
  addressPortNumber: '{label} must be a whole number from 1 to 65535.',
  nodesTooMany: '{label} must be {limit} nodes or fewer.',
  nodeUser: '{label}: node {number} must be host or host:port, without a user name or password.',
  nodeScheme: '{label}: node {number} must be host or host:port, without a scheme such as https://.',
  nodePath: '{label}: node {number} must be host or host:port, without a path.',
  nodePort: '{label}: the port of node {number} must be a whole number from 1 to 65535.',
  nodeZone: "{label}: node {number} can't be an address with a zone such as %eth0. Enter a host name or another address.",
  nodeName: '{label}: node {number} must be an IP address or a host name of letters, digits, hyphens, dots and underscores.',
  pathPrefixInvalid: '{label} must be a path such as /search: letters, digits, dots, hyphens, _ and ~, without an address.',

  // A file of connections.
  fileNestedTooDeeply: 'The file is nested too deeply.',
  fileNotJson: "The file isn't valid JSON: {what}.",
  fileNotConnections: 'The file isn\'t a connections file, which begins with "format": "tabularium-connections".',
  fileVersion: 'The file has version {found}; this Tabularium reads version {supported}.',
  fileTooManyConnections: 'The file has more than {limit} connections.',
  fileValueInvalid: '{place}: the value is invalid.',
  fileValueType: '{place}: the value must be of the type {type}.',
  fileValueTooLong: '{place}: the value is longer than {limit}.',
  fileValueTooShort: '{place}: the value is shorter than {limit}.',
  fileValueNotOption: '{place}: the value must be one of {options}.',
  fileValueNotVariable: "{place}: the value isn't the name of a variable.",
  fileNamesUnknown: '{place}: the name {names} is unknown.',
  fileConnectionInvalid: 'The connection is invalid.',
  fileConnectionType: 'The connection must be of the type {type}.',
  fileConnectionNamesUnknown: 'The connection has the unknown name {names}.',
  fileConnectionUnreadable: 'The connection cannot be read.',
  fileDriverUnknown: 'No registry has a driver for the database type "{driver}".',

  // Test Connection.
  testDriverSearched: 'Looking for the driver…',
  testServerAsked: 'Asking the server…',
  testOriginAbsent: "The form has no address for it, so the driver can't send requests there.",
  testSkipped: 'Skipped because an earlier step failed.',
  testVersionUnknown: '{product} (version unknown)',
  testOtherVersion: '{product} {version}, but the first node has {first}.',
  testIsAddress: '{host} is an address; no name to look up.',
  testAddresses: '{host} is {addresses}.',
  testConnected: 'Connected to {address}.',
  testTlsUpgrades: 'The database protocol starts TLS itself. Signing in checks it.',
  testUnencrypted: "The connection isn't encrypted: its SSL mode says so.",
  testTlsIdentity: '{protocol}; the certificate is trusted and for this host.',
  testTlsChain: '{protocol}; the certificate is trusted. Its host name was not checked, as the SSL mode says.',
  testTlsUnchecked: '{protocol}; the certificate was not checked, as the settings say.',

  // The way to a server.
  serverSilent: '{address} did not answer within {seconds} s.',
  serverNameUnknown: 'The host name "{host}" couldn\'t be resolved.',
  serverNameUnanswered: 'The host name "{host}" couldn\'t be resolved (the name server didn\'t answer).',
  serverNotListening: 'Nothing is listening at {address}.',
  serverUnreachable: '{address} cannot be reached from this machine.',
  serverStopped: '{address} stopped in the middle of its answer.',
  serverLate: '{address} did not accept the connection in time.',
  serverLost: 'The connection to {address} was lost before the response was complete.',
  serverNotHttp: '{address} did not answer as an HTTP server does.',
  requestInvalid: 'The driver made an invalid request.',
  tlsExpired: '{address} did not pass the TLS check: its certificate has expired.',
  tlsNotYetValid: '{address} did not pass the TLS check: its certificate is not valid yet.',
  tlsSelfSigned: '{address} did not pass the TLS check: its certificate is self-signed.',
  tlsUnknownAuthority:
    "{address} did not pass the TLS check: its certificate was issued by an authority that this computer doesn't trust.",
  tlsRevoked: '{address} did not pass the TLS check: its certificate has been revoked.',
  tlsUntrusted: '{address} did not pass the TLS check: its certificate is not trusted.',
  tlsSignature: '{address} did not pass the TLS check: the signature of its certificate is wrong.',
  tlsAuthority: '{address} did not pass the TLS check: its certificate authority is not valid.',
  tlsPurpose: '{address} did not pass the TLS check: its certificate is not one for servers.',
  tlsOtherHost: '{address} did not pass the TLS check: its certificate is for another host name.',
  tlsNotSpoken: '{address} did not pass the TLS check: it does not speak TLS on this port.',
  tlsClientCertificate: '{address} did not pass the TLS check: it requires a client certificate.',
  tlsClientAuthority: '{address} rejected the client certificate: the server does not trust the authority that issued it.',
  tlsClientExpired: '{address} rejected the client certificate: it has expired.',
  tlsClientRevoked: '{address} rejected the client certificate: it has been revoked.',
  tlsClientRejected: '{address} rejected the client certificate: OpenSSL says {status}.',
  tlsAlert: '{address} ended the TLS handshake: OpenSSL says {status}.',
  tlsOwnFiles: 'The certificate files of the SSL settings cannot be used: OpenSSL says {status}.',
  tlsCertificateUnusable: '{path} is not a certificate in the PEM form, which begins with BEGIN CERTIFICATE.',
  tlsCertificateIsKey: '{path} holds a private key, and no certificate.',
  tlsKeyUnusable: '{path} is not a private key in the PEM form, which begins with BEGIN PRIVATE KEY.',
  tlsKeyIsCertificate: '{path} holds a certificate, and no private key.',
  tlsKeyEncrypted:
    'The private key {path} has a passphrase, and such a key cannot be used here. "openssl pkey -in FILE -out COPY" makes a copy without one.',
  tlsKeyOther: 'The private key {path} does not belong to the certificate {certificate}.',
  tlsHandshake: '{address} did not pass the TLS check: it rejected the handshake; it may require a client certificate.',
  tlsOther: '{address} did not pass the TLS check: OpenSSL says {status}.',

  // Through an SSH server or a proxy.
  testNameBeyond: '{through} looks up {host}.',
  testConnectedThrough: 'Connected to {address} through {through}.',
  testHostKey: '{type} key {fingerprint}.',
  testSshSignedIn: 'Signed in as {user}.',
  sshHostMissing: 'Enter the host of the SSH server or proxy.',
  sshUserMissing: 'Enter the SSH user.',
  sshPasswordMissing: 'Enter the SSH password.',
  sshAgentMissing: 'No SSH agent is running: SSH_AUTH_SOCK is not set for Tabularium.',
  sshAgentSilent: 'The SSH agent that SSH_AUTH_SOCK names did not answer.',
  sshKeyOpen:
    'Other users can read or write the private key {path}. Enter {command} in a terminal, and make another key if someone else may have read it.',
  sshKeyUnusable:
    '{path} is not a private key in the form of OpenSSH or PuTTY, or a PEM file of RSA, DSA or EC. "ssh-keygen -p" converts others.',
  sshKeyRounds: 'The passphrase of {path} is derived in more than {limit} rounds. "ssh-keygen -p -a 24" makes fewer.',
  sshPassphraseMissing: 'The private key {path} needs its passphrase.',
  sshPassphraseWrong: 'The passphrase does not open the private key {path}.',
  sshSignInRefused: 'The SSH server {ssh} rejected the sign-in.',
  sshKeyPublic: '{path} is a public key. Choose the private key: it has mostly the same name without .pub.',
  sshNotSpoken: '{ssh} did not answer as an SSH server does.',
  sshNoAlgorithm:
    'The SSH server {ssh} offers only algorithms that are weak or slow. Allow curve25519-sha256 or ECDH in its configuration.',
  sshLate: 'The SSH server {ssh} did not complete the sign-in within {seconds} s.',
  sshLost: 'The connection to the SSH server {ssh} was lost.',
  sshChannelLost: 'The SSH server {ssh} ended the connection to {target}.',
  sshFlood: 'The SSH server {ssh} sent more than it was asked for, so the connection was closed.',
  sshForwardForbidden: 'The SSH server {ssh} does not allow connections to {target}.',
  sshForwardFailed: 'The SSH server {ssh} could not connect to {target}.',
  socksNotSpoken: '{proxy} did not answer as a SOCKS5 proxy does.',
  socksSignInNeeded: 'The SOCKS proxy {proxy} takes no connection without a user and password that it accepts.',
  socksSignInRefused: 'The SOCKS proxy {proxy} rejected the user or password.',
  socksForbidden: 'The SOCKS proxy {proxy} does not allow connections to {target}.',
  socksUnreachable: 'The SOCKS proxy {proxy} could not connect to {target}.',
  socksNotListening: 'Nothing is listening at {target}, says the SOCKS proxy {proxy}.',
  socksSilent: 'The SOCKS proxy {proxy} did not answer within {seconds} s.',
  socksEnded: 'The SOCKS proxy {proxy} closed the connection before it answered.',

  // Drivers that cannot run here.
  contractInvalid: '{driver} declares the contract "{contract}", which isn\'t a version range.',
  contractOlder:
    '{driver} was made for an older Tabularium (contract {contract}; this one has {own}). Ask its author for a newer version.',
  contractNewer: '{driver} needs a newer Tabularium (contract {contract}; this one has {own}). Update Tabularium.',
  platformMissing: '{driver} has no files for this computer ({platform}). It runs on: {platforms}.',
  platformAbsent: 'The registry "{place}" has no {package}, which holds the files of the driver for this computer.',
  platformAbsentInFile: '{file} has no files for this computer: they are in {package}, and {beside} is not beside the file.',
  platformAlone: '{file} has the native files of {driver} for {platform}, and not the driver itself. That is in {archive}.',
  platformKey: "{package} is signed by another key than {driver}, to which it belongs, so it isn't installed.",
  platformOther: 'In place of {package} came {actual}. Nothing of it is installed.',
  platformWrong: '{package} holds files for {actual}, and this computer is {platform}.',
  manifestNewer: '{driver} needs a newer Tabularium. Update Tabularium.',
  manifestUnreadable: '{driver} has a manifest that cannot be read ({problem}).',
  versionRolledBack: '{reason} Version {version} is in use again.',
  versionRefusedByPerson: 'You rolled it back.',
  registriesMissing: 'No driver registry is running or configured, so only cached drivers are shown.',

  // The administrator's policy.
  policyInvalid: 'The policy file {file} is invalid, so drivers are disabled.',
  policyDriver: 'The administrator of this computer has disabled the driver "{driver}".',
  policyPublisher: 'The administrator of this computer has disabled drivers by "{publisher}".',
  policyRegistry: 'The administrator of this computer has disabled the registry {registry}.',
  policyFolders: 'The administrator of this computer has disabled unsigned drivers from folders.',
  policyGrants: 'The administrator of this computer has disabled the permission that the driver "{driver}" needs ({grants}).',
  policyKernelRequired:
    'The administrator of this computer allows drivers only inside the kernel sandbox, and this computer has none. {reason}',
  policyOffline: "Registries aren't used: this computer works offline.",
  policyRegistries: 'Allowed registries: {registries}.',
  policyNoRegistries: 'Allowed registries: none.',
  policyDrivers: 'Allowed drivers: {drivers}.',
  policyNoDrivers: 'Allowed drivers: none.',
  policyPublishers: 'Drivers of {count} publishers are allowed, no others.',
  policyNoGrants: "Drivers can't leave the sandbox.",
  policyGrantsAllowed: 'You can grant drivers outside the sandbox: {grants}.',
  policyKernelSandbox: 'Drivers run only inside the kernel sandbox.',
  policyNoFolders: 'Unsigned drivers from folders are not allowed.',

  // Why this computer has no kernel sandbox.
  kernelPlatform: "The kernel sandbox isn't supported on {platform} yet.",
  kernelProcessor: 'Tabularium has no kernel sandbox for drivers on {processor} processors.',
  kernelNoLandlock: 'This kernel has no Landlock, or it is switched off.',
  kernelLandlockForbidden:
    'A filter of system calls around Tabularium, such as that of its container, forbids Landlock. Allow it landlock_create_ruleset, landlock_add_rule and landlock_restrict_self.',
  kernelNoSeccomp: 'This kernel has no seccomp filters.',
  kernelFailed: 'The kernel sandbox failed its test ({reason}).',
  kernelUntested: "The kernel sandbox couldn't be tested: {reason}",
  kernelTurnedOff: 'The kernel sandbox is turned off.',

  // Why the operating system's secure store is not available.
  storeKeychain: 'The Keychain',
  storeCredentialManager: 'The Windows Credential Manager',
  storeSecretService: 'The Secret Service',
  storeTimeout: '{store} did not answer: it may be waiting to be unlocked.',
  storeDenied: '{store} denied access: it may be locked, or not open to this program.',
  storeUnreachable: '{store} cannot be reached from this session.',
  storeMissing:
    'This session has no Secret Service, which keeps passwords on Linux. Install and unlock gnome-keyring or KWallet (or KeePassXC with its Secret Service switched on) and log in to a desktop session.',

  // Why the encrypted file of secrets can't be used.
  secretsKeyUnreadable: "The key file {file} can't be read ({reason}).",
  secretsKeyNoFile: '{file} is not a file that can hold a key.',
  secretsKeyForeign: 'The key file {file} belongs to another user.',
  secretsKeyOpen: 'The key file {file} is open to other users. Close it with chmod 600.',
  secretsKeyInHome: 'The key file {file} is in the data directory, beside the file that it opens. Move it elsewhere.',
  secretsKeyLength: 'The passphrase or key in {file} must have {least} to {most} bytes.',
  secretsKeyWeak:
    'The passphrase or key in {file} is easy to guess: it repeats itself or has too few different characters. Make a random one: (umask 077 && head -c 32 /dev/urandom | base64 > FILE).',
  secretsNoCredential: 'The passphrase is the systemd credential "{name}", and this process was started without one.',
  secretsKeyWrong: "The passphrase or key doesn't open {file}. It was made with another one.",
  secretsFileDamaged: '{file} was changed or cut short, so nothing in it is used.',
  secretsFileNewer: 'A newer version of Tabularium wrote {file}. Update Tabularium.',
  secretsFileUnreadable: "The secrets file {file} can't be read ({reason}).",
  secretsFileLink: '{file} is a symbolic link, so nothing in it is used. Put the secrets file itself there.',
  secretsFileForeign: 'The secrets file {file} belongs to another user.',
  secretsFileOpen: 'The secrets file {file} is open to other users. Close it with chmod 600.',
  secretsFolderOpen: 'The folder {folder} of the secrets file is open to other users. Close it with chmod 700.',
  secretsFolderForeign: 'The folder {folder} of the secrets file belongs to another user.',
  secretsFromEnvironment: 'Passwords and keys come from environment variables here, so none can be saved.',

  // External clients.
  mcpServerNotStarted: "The MCP server couldn't be started: {reason}",
  bridgeSilent: "The bridge didn't respond within {seconds} seconds.",
  bridgeNotStarted: "{bridge} couldn't be started: {reason}",
  bridgeEnded: 'The bridge ended without a response.',
  bridgeOtherOutput: "The bridge wrote a line that isn't an MCP message.",
  bridgeReported: '{message}',

  // An import.
  importColumnsLacking: "The table has no column {names}: rows with a value there can't be written.",

  // Why the rows of a table cannot be edited.
  connectionReadOnly: '"{connection}" is in read-only mode.',
  rowsDriverReadOnly: '{type} rows cannot be edited with this driver.',
  rowsNotEdited: '{type}: this driver does not edit {rows:lower}.',
  rowsOfView: '"{table}" is a view; its {rows:lower} cannot be edited.',
  rowsWithoutKey: '"{table}" has no key, so its {row:lower} can\'t be identified.',
  cellWithoutOriginal:
    'The old value of "{column}" is missing, so a save could overwrite another person\'s change. Reload the rows and change it again.',

  // The files that a driver opens.
  fileMissing: 'The file {path} does not exist or cannot be read.',
  objectChanged: '“{name}” was changed meanwhile. Nothing was deleted: look at it as it is now.',
  fileAbsent: 'The file {path} does not exist.',
  fileTilde: 'The file {path} does not exist: "~" is the name of a folder here. Enter the whole path of your home directory.',
  fileForbidden: 'Tabularium has no permission to read the file {path}.',
  fileUnreadable: 'The file {path} cannot be read ({reason}).',
  fileNoFile: '{path} is not a file.',
  fileWildcard: 'The path {path} contains a "*", which cannot be granted to a driver. Rename the folder or file.',
  fileProtected:
    "{path} belongs to Tabularium's own data directory, which no driver may open. Choose another file, or a copy of this one elsewhere.",

  // How a save ended.
  saveUncertain: 'The change may have been made; check the row before you save it again.',
  saveInterrupted:
    'Tabularium stopped while it was sending this change, which may have been made. Check the row before you save it again.',
} as const;

export type HostSentenceId = keyof typeof HOST_SENTENCES;

/** A sentence as it crosses the API: its id, and a value for each name in braces. A value that is a sentence has texts alone. */
export interface HostSentence {
  readonly id: HostSentenceId;
  readonly values: Readonly<Record<string, string | HostSentence>>;
}

// A newer host may have sentences that a window lacks, so any id is accepted there.
const id = z.string().max(60) as unknown as z.ZodType<HostSentenceId>;
const plainSentenceSchema: z.ZodType<HostSentence> = z.object({ id, values: z.record(z.string(), z.string()) });
export const hostSentenceSchema: z.ZodType<HostSentence> = z.object({
  id,
  values: z.record(z.string(), z.union([z.string(), plainSentenceSchema])),
});

/** How a window of another language finds a text of the host: its sentence, or the code of the error that it comes from. */
export const textOriginSchema = z.object({
  /** Of either table of errors; a newer host may have codes that a window lacks. */
  code: z.string().optional(),
  sentence: hostSentenceSchema.optional(),
});
export type TextOrigin = z.output<typeof textOriginSchema>;

type ValueNames<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Word}:lower` ? Word : Name) | ValueNames<Rest>
  : never;

/** A sentence with its values; the compiler asks for each that the English text names. */
export function hostSentence<Id extends HostSentenceId>(
  id: Id,
  ...[values]: [ValueNames<(typeof HOST_SENTENCES)[Id]>] extends [never]
    ? []
    : [Readonly<Record<ValueNames<(typeof HOST_SENTENCES)[Id]>, string | number | HostSentence>>]
): HostSentence {
  const texts = Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]);
  return { id, values: Object.fromEntries(texts) as HostSentence['values'] };
}

/** A sentence in the words of a catalogue. A value is never searched for braces itself. */
export function sentenceIn(catalogue: Readonly<Record<HostSentenceId, string>>, { id, values }: HostSentence): string {
  return catalogue[id].replaceAll(/\{(\w{1,20})(:lower)?\}/gu, (whole, name: string, lower?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    const text = typeof value === 'string' ? value : sentenceIn(catalogue, value);
    return lower === undefined ? text : text.toLowerCase();
  });
}

/** The sentence for command line, logs and a window that speaks English. */
export function englishOf(sentence: HostSentence): string {
  return sentenceIn(HOST_SENTENCES, sentence);
}
