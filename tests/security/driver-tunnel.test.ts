import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsValues } from '../../host/src/common/connection.ts';
import { sealedFor } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { driverSource, ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import type { HostKeys } from '../../host/src/runtime/drivers/tunnels/hostKeys.ts';
import { UnknownHostKeyError } from '../../host/src/runtime/drivers/tunnels/hostKeys.ts';
import type { SshLimits } from '../../host/src/runtime/drivers/tunnels/sshLimits.ts';
import { connectorOf, hostKeysFor } from '../../host/src/runtime/drivers/tunnels/tunnels.test-helper.ts';
import { findSshd } from '../../scripts/testing/sshd.ts';
import { RawServer, SshKeys, Sshd, freePort } from './sshServers.ts';

// A driver reaches its server through a real sshd, and SSH servers lie about who they are.

const signal = new AbortController().signal;

function manifestWith(via: ('ssh' | 'socks')[]): ReturnType<typeof testManifest> {
  return testManifest({
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text' },
        { id: 'port', label: 'Port', type: 'number' },
        {
          id: 'sslMode',
          label: 'SSL',
          type: 'select',
          options: [
            { value: 'off', label: 'Off' },
            { value: 'on', label: 'On' },
          ],
          default: 'off',
        },
        { id: 'caFile', label: 'Authority', type: 'file', readBy: 'host' },
      ],
    },
    permissions: {
      socket: {
        endpoint: {
          host: { field: 'host', whenEmpty: '127.0.0.1' },
          port: { field: 'port', whenEmpty: 1 },
          scheme: { field: 'sslMode', plainValues: ['off'] },
        },
        tls: { mode: { field: 'sslMode', verifyIdentity: ['on'] }, certificateAuthorityFile: 'caFile' },
        maxSockets: 4,
        via,
      },
    },
  });
}

/** Does what the name of a table says, and answers with one text. */
const SOURCE = driverSource(
  `
  async describeTable(table) {
    const talk = async (socket, text) => {
      await socket.write(new TextEncoder().encode(text));
      for await (const chunk of socket.received) return new TextDecoder().decode(chunk);
      return 'ended';
    };
    const act = {
      async settings() { return JSON.stringify(settings); },
      async echo() { const socket = await context.socket.open(options); const text = await talk(socket, 'hello'); socket.close(); return text; },
      async twice() {
        const sockets = [await context.socket.open(options), await context.socket.open(options)];
        return (await Promise.all(sockets.map((socket, index) => talk(socket, String(index))))).join(' ');
      },
      async elsewhere() {
        const socket = await context.socket.open({ ...options, host: '127.0.0.1', port: Number(settings.otherPort ?? 1), endpoint: '127.0.0.1:1' });
        return talk(socket, 'where');
      },
      async open() { globalThis.socket = await context.socket.open(options); await globalThis.socket.write(new TextEncoder().encode('first')); return 'opened'; },
      async wait() {
        try { for await (const chunk of globalThis.socket.received) if (new TextDecoder().decode(chunk) !== 'first back') return 'other bytes'; return 'ended'; }
        catch (error) { return error.code + ' ' + error.message; }
      },
      async large() {
        const socket = await context.socket.open(options);
        const piece = new Uint8Array(1024 * 1024).fill(97);
        let received = 0;
        const reading = (async () => { for await (const chunk of socket.received) { received += chunk.length; if (received >= 8 * piece.length) break; } })();
        for (let count = 0; count < 8; count += 1) await socket.write(piece);
        await reading;
        return String(received);
      },
    };
    if (table.name === 'fail') await context.socket.open(options);
    let text;
    try { text = await act[table.name](); } catch (error) { text = error.code + ' ' + error.message; }
    return { ref: table, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [String(text).slice(0, 300)] };
  },
  `,
);

let bench: ProcessBench;
let keys: SshKeys;
let hostKey: string;
let otherHostKey: string;
let personKey: string;
let sshd: Sshd;
let echo: RawServer;
const sessions = new Set<RemoteSession>();
/** The servers that a driver tries to reach without being allowed to hear it. */
const heard: string[] = [];

beforeAll(async () => {
  if (findSshd() === undefined)
    throw new Error(
      'There is no sshd on this machine. "npm test" installs it as root on Debian where no systemd runs; else install openssh-server.',
    );
  bench = await ProcessBench.open();
  keys = new SshKeys();
  hostKey = keys.make('host');
  otherHostKey = keys.make('other-host');
  personKey = keys.make('person');
  sshd = await Sshd.start(keys, { hostKeys: [hostKey], authorized: personKey });
  echo = await RawServer.start((socket) => {
    socket.on('data', (chunk) => {
      if (chunk.length < 100) heard.push(chunk.toString('latin1'));
      socket.write(chunk.length < 100 ? `${chunk.toString('latin1')} back` : chunk);
    });
  });
});
beforeEach(() => {
  heard.length = 0;
});
afterEach(async () => {
  for (const session of sessions) await session.close();
  sessions.clear();
});
afterAll(async () => {
  await sshd[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
  keys[Symbol.dispose]();
  await bench.close();
});

interface Opening {
  readonly via?: ('ssh' | 'socks')[];
  readonly settings?: SettingsValues;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly hostKeys?: HostKeys;
  readonly environment?: NodeJS.ProcessEnv;
  readonly limits?: Partial<SshLimits>;
}

function throughSshd(more: SettingsValues = {}): SettingsValues {
  return {
    host: 'localhost',
    port: echo.port,
    sslMode: 'off',
    'connect.through': 'ssh',
    'ssh.host': '127.0.0.1',
    'ssh.port': sshd.port,
    'ssh.user': sshd.user,
    'ssh.signIn': 'key',
    'ssh.key': personKey,
    ...more,
  };
}

/** Lists of OpenSSH in which this server has this key. */
function knownAs(path: string, port: number, entry = `[127.0.0.1]:${port}`): HostKeys {
  const file = join(keys.folder, `known-${Math.random()}`);
  writeFileSync(file, `# a comment\n${entry} ${keys.publicKey(path)}\n`);
  return hostKeysFor([file]);
}

async function open({
  via = ['ssh', 'socks'],
  settings = throughSshd(),
  secrets = {},
  ...more
}: Opening = {}): Promise<RemoteSession> {
  const driver = await bench.driver(SOURCE, manifestWith(via));
  const { hostKeys = knownAs(hostKey, sshd.port), environment, limits } = more;
  const connector = connectorOf(await bench.processes(), hostKeys, environment, limits);
  const session = await connector.connect({ driver, settings, secrets: sealedFor(driver, settings, secrets), signal });
  sessions.add(session);
  return session;
}

async function does(session: RemoteSession, what: string): Promise<string> {
  const { notes } = await session.describeTable({ namespace: [], name: what }, { signal });
  return notes[0] ?? '';
}

describe('a driver whose server is behind a real sshd', () => {
  it('talks to the server, whose name the SSH server looks up, over several sockets of one tunnel', async () => {
    const session = await open();
    expect(await does(session, 'echo')).toBe('hello back');
    expect(await does(session, 'twice')).toBe('0 back 1 back');
  });

  it('gets none of the settings of the tunnel', async () => {
    const settings = await does(await open(), 'settings');
    expect(JSON.parse(settings)).toEqual({ host: 'localhost', port: echo.port, sslMode: 'off' });
  });

  it('moves 8 MB both ways', async () => {
    expect(await does(await open(), 'large')).toBe(String(8 * 1024 * 1024));
  });

  it('reaches the endpoint of the form, whatever it asks for', async () => {
    await using other = await RawServer.start((socket) => socket.end('wrong'));
    const session = await open({ settings: throughSshd({ otherPort: other.port }) });
    expect(await does(session, 'elsewhere')).toBe('where back');
    expect(other.sockets.size).toBe(0);
  });

  it('connects directly where the manifest does not allow the way that the settings name', async () => {
    const session = await open({ via: ['socks'], settings: throughSshd({ 'ssh.port': 1 }), hostKeys: hostKeysFor() });
    expect(await does(session, 'echo')).toBe('hello back');
  });

  it('closes the tunnel with its session', async () => {
    await using proxy = await proxyTo(sshd.port);
    const session = await open({
      settings: throughSshd({ 'ssh.port': proxy.port }),
      hostKeys: knownAs(hostKey, proxy.port),
    });
    await does(session, 'echo');
    expect(proxy.sockets.size).toBe(1);
    await session.close();
    await expect.poll(() => proxy.sockets.size).toBe(0);
  });

  it('hears which SSH server broke the tunnel, and gets a new one with its next socket', async () => {
    const session = await open();
    expect(await does(session, 'open')).toBe('opened');
    const waiting = does(session, 'wait');
    await expect.poll(() => heard).toContain('first');
    sshd.breakSessions();
    expect(await waiting).toMatch(new RegExp(`^CONNECTION_LOST .*SSH server 127\\.0\\.0\\.1:${sshd.port}`));
    expect(await does(session, 'echo')).toBe('hello back');
  });

  it('says what the SSH server does not allow, and what it cannot reach', async () => {
    const closed = await freePort();
    expect(await does(await open({ settings: throughSshd({ port: closed }) }), 'echo')).toMatch(
      new RegExp(`^CONNECTION_REFUSED The SSH server 127.0.0.1:${sshd.port} could not connect to localhost:${closed}`),
    );
    await using strict = await Sshd.start(keys, {
      hostKeys: [hostKey],
      authorized: personKey,
      settings: ['PermitOpen 127.0.0.1:1'],
    });
    const session = await open({
      settings: throughSshd({ 'ssh.port': strict.port }),
      hostKeys: knownAs(hostKey, strict.port),
    });
    expect(await does(session, 'echo')).toMatch(/^ACCESS_REFUSED The SSH server .* does not allow connections/);
  });

  it('has TLS end to end, with the name of the server checked and not that of the SSH server', async () => {
    const tls = certificates(keys.folder, 'localhost');
    const server = createTlsServer({ cert: tls.cert, key: tls.key }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => socket.write(`${chunk.toString()} encrypted`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const secure = { port, sslMode: 'on', caFile: tls.file };
      expect(await does(await open({ settings: throughSshd(secure) }), 'echo')).toBe('hello encrypted');
      expect(await does(await open({ settings: throughSshd({ ...secure, host: '127.0.0.1' }) }), 'echo')).toMatch(/^TLS_FAILED/);
    } finally {
      server.close();
    }
  });
});

describe('signing in at the SSH server', () => {
  it('takes a key with a passphrase, and asks for one that is missing', async () => {
    const locked = keys.make('locked', { passphrase: 'open sesame', rounds: 4 });
    await using own = await Sshd.start(keys, { hostKeys: [hostKey], authorized: locked });
    const settings = throughSshd({ 'ssh.port': own.port, 'ssh.key': locked });
    const hostKeys = knownAs(hostKey, own.port);
    const session = await open({ settings, hostKeys, secrets: { 'ssh.passphrase': 'open sesame' } });
    expect(await does(session, 'echo')).toBe('hello back');
    await expect(open({ settings, hostKeys })).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      details: { field: 'ssh.passphrase' },
    });
    await expect(open({ settings, hostKeys, secrets: { 'ssh.passphrase': 'wrong' } })).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      details: { field: 'ssh.passphrase' },
    });
  });

  it('takes the keys of an agent', async () => {
    const socket = join(keys.folder, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
    try {
      const environment = { SSH_AUTH_SOCK: socket };
      await expect
        .poll(() => {
          execFileSync('ssh-add', ['-q', personKey], { env: { ...process.env, ...environment }, stdio: 'ignore' });
          return true;
        })
        .toBe(true);
      const settings = throughSshd({ 'ssh.signIn': 'agent' });
      expect(await does(await open({ settings, environment }), 'echo')).toBe('hello back');
      await expect(open({ settings, environment: {} })).rejects.toMatchObject({ details: { field: 'ssh.signIn' } });
    } finally {
      agent.kill();
    }
  });

  it.each([0o666, 0o640])('refuses a key that others may read (%o), with the command', async (mode) => {
    const own = keys.make(`open ${mode}`);
    chmodSync(own, mode);
    await expect(open({ settings: throughSshd({ 'ssh.key': own }) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`chmod 600 '${own}'`) as string,
      details: { field: 'ssh.key' },
    });
  });

  it('says that the server rejected a key', async () => {
    const settings = throughSshd({ 'ssh.key': otherHostKey });
    await expect(open({ settings })).rejects.toMatchObject({ code: 'ACCESS_REFUSED', details: { field: 'ssh.key' } });
  });
});

describe('the host key', () => {
  it('is asked about once, with its fingerprint, and then known', async () => {
    const hostKeys = hostKeysFor();
    const refused = await open({ hostKeys }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnknownHostKeyError);
    if (!(refused instanceof UnknownHostKeyError)) return;
    const { question } = refused;
    expect(question).toMatchObject({ host: '127.0.0.1', port: sshd.port, fingerprint: keys.fingerprint(hostKey) });
    expect(refused.message).not.toContain('127.0.0.1');
    expect(() => hostKeys.accept('0'.repeat(32))).toThrow('not waiting');
    hostKeys.accept(question.code);
    expect(await does(await open({ hostKeys }), 'echo')).toBe('hello back');
  });

  it('is refused when it is another than before, in known_hosts or accepted, with both fingerprints', async () => {
    const both = new RegExp(
      `Presented: ${escaped(keys.fingerprint(hostKey))}.*Known: ${escaped(keys.fingerprint(otherHostKey))}`,
    );
    await expect(open({ hostKeys: knownAs(otherHostKey, sshd.port) })).rejects.toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringMatching(both) as string,
      questions: {},
    });

    const hostKeys = hostKeysFor();
    const port = await freePort();
    const settings = throughSshd({ 'ssh.port': port });
    {
      await using first = await Sshd.start(keys, { port, hostKeys: [otherHostKey], authorized: personKey });
      const refused = await open({ hostKeys, settings }).catch((error: unknown) => error);
      if (refused instanceof UnknownHostKeyError) hostKeys.accept(refused.question.code);
      expect(await does(await open({ hostKeys, settings }), 'echo')).toBe('hello back');
      expect(first.port).toBe(port);
    }
    await using second = await Sshd.start(keys, { port, hostKeys: [hostKey], authorized: personKey });
    await expect(open({ hostKeys, settings })).rejects.toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringMatching(both) as string,
      questions: {},
    });
    // A deliberate act of the person, and the key is asked about again.
    expect(hostKeys.forget({ host: '127.0.0.1', port: second.port })).toBe(true);
    await expect(open({ hostKeys, settings })).rejects.toBeInstanceOf(UnknownHostKeyError);
  });

  it('that changes while a session is open is a warning with both fingerprints, and no lost connection', async () => {
    const port = await freePort();
    const settings = throughSshd({ 'ssh.port': port });
    const first = await Sshd.start(keys, { port, hostKeys: [hostKey], authorized: personKey });
    const session = await open({ settings, hostKeys: knownAs(hostKey, port) });
    expect(await does(session, 'echo')).toBe('hello back');
    await first[Symbol.asyncDispose]();
    await using second = await Sshd.start(keys, { port, hostKeys: [otherHostKey], authorized: personKey });
    // The driver may catch the end of the first one before.
    const failing = async (): Promise<unknown> =>
      session.describeTable({ namespace: [], name: 'fail' }, { signal }).catch((error: unknown) => error);
    await expect.poll(failing).toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringMatching(
        new RegExp(`Presented: ${escaped(keys.fingerprint(otherHostKey))}.*Known: ${escaped(keys.fingerprint(hostKey))}`),
      ) as string,
    });
    expect(second.port).toBe(port);
    await second.stop();
    await using third = await Sshd.start(keys, { port, hostKeys: [hostKey], authorized: personKey });
    await expect.poll(() => does(session, 'echo')).toBe('hello back');
    expect(third.port).toBe(port);
  });

  it('is found under a hashed name, and preferred among several keys of a server', async () => {
    const rsa = keys.make('rsa', { type: 'rsa' });
    await using several = await Sshd.start(keys, { hostKeys: [hostKey, rsa], authorized: personKey });
    const file = join(keys.folder, 'hashed');
    writeFileSync(file, `[127.0.0.1]:${several.port} ${keys.publicKey(rsa)}\n`);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' });
    const session = await open({ settings: throughSshd({ 'ssh.port': several.port }), hostKeys: hostKeysFor([file]) });
    expect(await does(session, 'echo')).toBe('hello back');
  });

  it('is refused where it is revoked, also where it is trusted too', async () => {
    const file = join(keys.folder, 'revoked');
    writeFileSync(file, `[127.0.0.1]:${sshd.port} ${keys.publicKey(hostKey)}\n`);
    appendFileSync(file, `@revoked * ${keys.publicKey(hostKey)}\n`);
    await expect(open({ hostKeys: hostKeysFor([file]) })).rejects.toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringContaining('revoked') as string,
    });
  });

  it('is refused with a reason where known_hosts trusts an authority', async () => {
    const hostKeys = knownAs(otherHostKey, sshd.port, '@cert-authority [127.0.0.1]:*');
    await expect(open({ hostKeys })).rejects.toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringContaining('@cert-authority') as string,
      questions: {},
    });
  });

  it('is not checked against half a list', async () => {
    const file = join(keys.folder, 'a-folder');
    execFileSync('mkdir', ['-p', file]);
    await expect(open({ hostKeys: hostKeysFor([file]) })).rejects.toMatchObject({
      code: 'SSH_KEY_CHANGED',
      message: expect.stringContaining("can't be read") as string,
    });
  });
});

describe('an SSH server that means no good', () => {
  const LIMITS = { connect: 3_000, greeting: 64 * 1024 };

  it.each([
    ['says nothing', () => undefined, 'TIMEOUT'],
    ['hangs after its version', (socket) => void socket.write('SSH-2.0-x\r\n'), 'TIMEOUT'],
    ['closes at once', (socket) => void socket.end(), undefined],
    ['closes midway', (socket) => void socket.end('SSH-2.0-x\r\n\0\0'), undefined],
    ['is no SSH server', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), undefined],
    ['sends an endless banner', endless('a banner that is no version\r\n'), undefined],
    ['sends an endless line', endless('x'.repeat(1_000)), undefined],
    ['sends packets without an end', endless(Buffer.alloc(1_000, 255), 'SSH-2.0-x\r\n'), undefined],
  ] satisfies [string, (socket: import('node:net').Socket) => void, string | undefined][])(
    'is given up when it %s',
    async (_what, serve, code) => {
      await using server = await RawServer.start(serve);
      const error: unknown = await open({
        settings: throughSshd({ 'ssh.port': server.port }),
        hostKeys: hostKeysFor(),
        // A refusal of what was sent takes its time on a busy machine.
        limits: code === 'TIMEOUT' ? LIMITS : { ...LIMITS, connect: 120_000 },
      }).catch((refused: unknown) => refused);
      expect(error).toMatchObject({
        code: code ?? (expect.stringMatching(/^(?:BAD_ANSWER|CONNECTION_LOST)$/) as string),
        message: expect.stringContaining(`127.0.0.1:${server.port}`) as string,
      });
      await expect.poll(() => server.sockets.size).toBe(0);
    },
  );
});

describe('Test Connection', () => {
  it('shows the steps at the SSH server before those of the server', async () => {
    const steps = await probed(throughSshd(), knownAs(hostKey, sshd.port));
    expect(steps.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'sshReached running',
      'sshReached ok',
      'sshHostKey ok',
      'sshSignIn ok',
      'name skipped',
      'tcp ok',
      'tls skipped',
    ]);
    expect(steps.find(({ id }) => id === 'sshHostKey')?.message).toContain(keys.fingerprint(hostKey));
  });

  it('stops at the step that fails', async () => {
    const steps = await probed(throughSshd({ 'ssh.key': otherHostKey }), knownAs(hostKey, sshd.port));
    expect(steps.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'sshReached running',
      'sshReached ok',
      'sshHostKey ok',
      'sshSignIn failed',
    ]);
  });

  async function probed(settings: SettingsValues, hostKeys: HostKeys) {
    const driver = await bench.driver(SOURCE, manifestWith(['ssh']));
    const connector = connectorOf(await bench.processes(), hostKeys);
    return Array.fromAsync(connector.probe(driver, settings, sealedFor(driver, settings, {}), signal));
  }
});

function escaped(text: string): string {
  return text.replaceAll(/[+/.]/g, String.raw`\$&`);
}

function endless(what: string | Buffer, first = ''): (socket: import('node:net').Socket) => void {
  return (socket) => {
    socket.write(first);
    const more = (): void => {
      while (!socket.destroyed && socket.write(what));
    };
    socket.on('drain', more);
    more();
  };
}

/** A server in between that counts. */
async function proxyTo(port: number): Promise<RawServer> {
  const { connect } = await import('node:net');
  return RawServer.start((socket) => {
    const far = connect(port, '127.0.0.1');
    far.on('error', () => socket.destroy());
    far.on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
    socket.pipe(far).pipe(socket);
  });
}

function certificates(folder: string, name: string): { readonly cert: string; readonly key: string; readonly file: string } {
  const file = join(folder, 'tls.pem');
  const keyFile = join(folder, 'tls.key');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-keyout',
      keyFile,
      '-out',
      file,
    ],
    { stdio: 'ignore' },
  );
  const read = (path: string): string => execFileSync('cat', [path], { encoding: 'utf8' });
  return { cert: read(file), key: read(keyFile), file };
}
