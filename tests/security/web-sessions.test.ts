import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeStatement } from '../../host/src/common/windowSession.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { ResumeChallenge } from '../../host/src/web/resumeChallenge.ts';
import { IDLE_MILLISECONDS, LONGEST_MILLISECONDS, SessionStore } from '../../host/src/web/sessionStore.ts';
import { requestText, sendRaw } from '../support/rawHttp.ts';
import type { RawAnswer } from '../support/rawHttp.ts';

// A window comes back to a restarted host. Another user of the machine may have listened on the port in between, and has then got the path and the
// cookie of every window that asked.

let folder: string;
let file: string;
let transport: BrowserTransport;
let asked: number;

async function start(port?: number): Promise<void> {
  transport = await BrowserTransport.start({
    rendererFolder: join(folder, 'renderer'),
    logger: silentLogger,
    sessionFile: file,
    port,
    handler: async () => {
      asked += 1;
      return Response.json({});
    },
  });
}

const restart = async (port?: number): Promise<void> => {
  await transport[Symbol.asyncDispose]();
  await start(port);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-sessions-'));
  file = join(folder, 'window-sessions.json');
  await mkdir(join(folder, 'renderer', 'assets'), { recursive: true });
  await writeFile(join(folder, 'renderer', 'index.html'), '<!doctype html><html lang="en"><head></head></html>');
  await writeFile(join(folder, 'renderer', 'assets', 'index-B1x2c3D4.js'), 'export {};');
  asked = 0;
  await start();
});
afterEach(async () => {
  await transport[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Window {
  readonly path: string;
  readonly cookie: string;
}

const portOf = (): number => Number(new URL(transport.origin).port);
const send = (line: string, headers: Record<string, string | undefined> = {}, body = ''): Promise<RawAnswer> =>
  sendRaw(portOf(), requestText(line, { host: `127.0.0.1:${portOf()}`, ...headers }, body));
const post = (path: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<RawAnswer> =>
  send(`POST ${path}`, { origin: transport.origin, 'content-type': 'application/json', ...headers }, JSON.stringify(body));

async function openWindow(): Promise<Window> {
  const answer = await send(`GET ${transport.newUrl('untilUsed').slice(transport.origin.length)}`);
  return { path: answer.headers['location'] ?? '', cookie: answer.headers['set-cookie']?.split(';')[0] ?? '' };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

interface Enrolled extends Window {
  readonly privateKey: KeyObject;
  readonly recognition: string;
}

async function enrol(): Promise<Enrolled> {
  const window = await openWindow();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const answer = await post(`${window.path}session/key`, { x, y }, { cookie: window.cookie });
  const { recognition } = JSON.parse(answer.body) as { recognition: string };
  return { ...window, privateKey, recognition };
}

async function newNonce(): Promise<string> {
  return (JSON.parse((await post('/resume/challenge', {})).body) as { nonce: string }).nonce;
}

function signed(window: Enrolled, nonce: string, origin = transport.origin): string {
  const statement = Buffer.from(resumeStatement(origin, nonce));
  return sign('sha256', statement, { key: window.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

async function resume(window: Enrolled, nonce?: string, origin?: string): Promise<RawAnswer> {
  const asks = nonce ?? (await newNonce());
  return post('/resume', { session: sha256(window.path), nonce: asks, signature: signed(window, asks, origin) });
}

describe('a window of a host that was restarted', () => {
  it('comes back on the same port, by its key, to another path and with another cookie', async () => {
    const window = await enrol();
    const before = transport.origin;
    await restart();
    expect(transport.origin).toBe(before);
    const answer = await resume(window);
    expect(answer.status).toBe(200);
    const { path, proof } = JSON.parse(answer.body) as { path: string; proof: string };
    expect(path).not.toBe(window.path);
    expect(sha256(proof)).toBe(window.recognition);
    const cookie = answer.headers['set-cookie']?.split(';')[0];
    expect(cookie).not.toBe(window.cookie);
    expect(answer.headers['set-cookie']).toContain(`Path=${path}; HttpOnly; SameSite=Strict`);
    expect((await post(`${path}api/x`, {}, { cookie })).status).toBe(200);
  });

  it('is not let in by the path and cookie that it had, which somebody else may have got', async () => {
    const window = await enrol();
    await restart();
    const { cookie } = window;
    expect((await post(`${window.path}api/x`, {}, { cookie })).status).toBe(401);
    expect((await send(`GET ${window.path}session`, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
    const page = await send(`GET ${window.path}`, { cookie });
    expect([page.status, page.body.includes('data-returning')]).toEqual([200, true]);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect((await send(`GET ${window.path}assets/index-B1x2c3D4.js`)).status).toBe(200);
    expect(asked).toBe(0);
  });

  it("isn't let in by a signature for another port, which a program there could pass on", async () => {
    const window = await enrol();
    await restart();
    expect((await resume(window, undefined, 'http://127.0.0.1:1')).status).toBe(401);
    expect((await resume(window, undefined, `http://localhost:${portOf()}`)).status).toBe(401);
  });

  it("isn't let in twice by one signature, nor by one for a question of another run", async () => {
    const window = await enrol();
    const old = await newNonce();
    await restart();
    expect((await resume(window, old)).status).toBe(401);
    const nonce = await newNonce();
    expect((await resume(window, nonce)).status).toBe(200);
    expect((await resume(window, nonce)).status).toBe(401);
    expect((await resume(window, 'a.9999999999999.b')).status).toBe(401);
  });

  it("isn't let in by another window's key", async () => {
    const [one, two] = [await enrol(), await enrol()];
    await restart();
    expect((await resume({ ...one, privateKey: two.privateKey })).status).toBe(401);
  });

  it('is asked only by its own page', async () => {
    const window = await enrol();
    await restart();
    const nonce = await newNonce();
    const body = { session: sha256(window.path), nonce, signature: signed(window, nonce) };
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${portOf() + 1}`, undefined]) {
      expect((await post('/resume', body, { origin })).status).toBe(403);
      expect((await post('/resume/challenge', {}, { origin })).status).toBe(403);
    }
    expect((await send('GET /resume')).status).toBe(405);
    expect((await post('/resume', body)).status).toBe(200);
  });

  it('does not come back after it was signed out', async () => {
    const window = await enrol();
    const { cookie } = window;
    expect((await post(`${window.path}session/end`, {}, { cookie })).status).toBe(200);
    expect((await post(`${window.path}api/x`, {}, { cookie })).status).toBe(401);
    expect((await resume(window)).status).toBe(401);
    await restart();
    expect((await resume(window)).status).toBe(401);
    expect((await send(`GET ${window.path}`)).status).toBe(401);
  });

  it('does not come back to a host on another port: the one before may be somebody else’s by now', async () => {
    const window = await enrol();
    const { port } = new URL(transport.origin);
    await transport[Symbol.asyncDispose]();
    const other = createServer();
    other.listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    try {
      await start();
      expect(new URL(transport.origin).port).not.toBe(port);
      expect((await resume(window)).status).toBe(401);
    } finally {
      other.close();
    }
    await restart(Number(port));
    expect((await resume(window)).status).toBe(401);
  });

  it('shows the proof of the host only to the window with the key', async () => {
    const window = await enrol();
    const { proof } = (JSON.parse(await readFile(file, 'utf8')) as { sessions: { proof: string }[] }).sessions[0] ?? {
      proof: '',
    };
    expect(sha256(proof)).toBe(window.recognition);
    await restart();
    const nonce = await newNonce();
    const guessed = await post('/resume', { session: sha256(window.path), nonce, signature: 'A'.repeat(86) });
    const page = await send(`GET ${window.path}`);
    expect(guessed.text + page.text + nonce).not.toContain(proof);
  });
});

describe('the file of the sessions', () => {
  it('is its owner’s alone, and holds neither path nor cookie nor private key', async () => {
    const window = await enrol();
    await restart();
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { d } = window.privateKey.export({ format: 'jwk' });
    for (const secret of [window.path.slice(3, -1), window.cookie.split('=')[1], d]) expect(text).not.toContain(secret);
  });

  it('may be damaged or missing: windows sign in by a new address', async () => {
    const window = await enrol();
    await transport[Symbol.asyncDispose]();
    await writeFile(file, '{"version":1,"port":');
    await start();
    expect((await resume(window)).status).toBe(401);
    expect((await openWindow()).path).toMatch(/^\/w\//);
  });

  it('keeps a session for a day after its last use, and a week in all', async () => {
    let now = 1_000_000;
    await using store = await SessionStore.open(undefined, undefined, () => now);
    store.settle(1);
    const key = { x: 'A'.repeat(43), y: 'B'.repeat(43) };
    store.keep('/w/one/', key);
    now += IDLE_MILLISECONDS;
    expect(store.knows('/w/one/')).toBe(true);
    now += 1;
    expect(store.knows('/w/one/')).toBe(false);

    const { createdAt } = store.keep('/w/two/', key);
    while (now - createdAt + IDLE_MILLISECONDS / 2 <= LONGEST_MILLISECONDS) {
      now += IDLE_MILLISECONDS / 2;
      store.touch('/w/two/');
      expect(store.knows('/w/two/')).toBe(true);
    }
    // Coming back under another path doesn't begin a new week.
    store.keep('/w/three/', key, createdAt);
    now += IDLE_MILLISECONDS / 2;
    expect(store.knows('/w/two/')).toBe(false);
    expect(store.knows('/w/three/')).toBe(false);
  });

  it('holds a bounded number of sessions', async () => {
    await using store = await SessionStore.open(undefined);
    store.settle(1);
    const key = { x: 'A'.repeat(43), y: 'B'.repeat(43) };
    for (let number = 0; number < 200; number += 1) store.keep(`/w/${number}/`, key);
    expect([store.knows('/w/71/'), store.knows('/w/72/')]).toEqual([false, true]);
  });
});

describe('a question to a window', () => {
  it('is good for half a minute, and asking for many costs no memory', () => {
    let now = 1_000_000;
    const challenge = new ResumeChallenge(() => now);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const origin = 'http://127.0.0.1:1';
    const answerTo = (nonce: string) => ({
      ...{ nonce, origin },
      signature: sign('sha256', Buffer.from(resumeStatement(origin, nonce)), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url'),
    });
    const [early, late] = [challenge.nonce(), challenge.nonce()];
    now += 29_999;
    expect(challenge.accepts(answerTo(early), { x, y })).toBe(true);
    now += 2;
    expect(challenge.accepts(answerTo(late), { x, y })).toBe(false);
    // A point that isn't on the curve isn't a key.
    expect(challenge.accepts(answerTo(challenge.nonce()), { x: 'A'.repeat(43), y: 'A'.repeat(43) })).toBe(false);
  });
});
