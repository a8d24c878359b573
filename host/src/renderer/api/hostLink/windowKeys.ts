import { z } from 'zod';

// The keys by which windows of this browser come back to a restarted host. The browser keeps the private part and never shows it, also not to
// this page's scripts.

const DATABASE = 'tabularium-windows';
const STORE = 'keys';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const savedKeySchema = z.object({
  /** Not extractable. */
  privateKey: z.instanceof(CryptoKey),
  publicKey: z.object({ x: z.string(), y: z.string() }),
  /** SHA-256 of what the host proves itself with. */
  recognition: z.string(),
});

export type SavedKey = z.infer<typeof savedKeySchema>;

/** A new key, which the host does not know yet. */
export async function newKey(): Promise<Omit<SavedKey, 'recognition'>> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { privateKey, publicKey: { x, y } };
}

/** Signs a text. The result is base64url, as the host verifies it. */
export async function signText(text: string, privateKey: CryptoKey): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new TextEncoder().encode(text));
  return base64Url(signature);
}

/** SHA-256 of a text, as base64url. */
export async function digest(text: string): Promise<string> {
  return base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** The key that was kept under a window's path. */
export async function recallKey(path: string): Promise<SavedKey | undefined> {
  const found: unknown = await inStore('readonly', (store) => store.get(path));
  return savedKeySchema.safeParse(found).data;
}

export async function keepKey(path: string, saved: SavedKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(saved, path));
}

export async function dropKey(path: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(path));
}

async function inStore(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = (await ended(opening)) as IDBDatabase;
  try {
    return await ended(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function ended(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps nothing here.')));
  });
}

function base64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
