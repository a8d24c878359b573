import { expect, it } from 'vitest';
import type { Link } from './link.ts';
import { LinkBudget } from './linkBudget.ts';
import { Links } from './links.ts';
import { NoticeBuffer } from './noticeBuffer.ts';

const never = new AbortController().signal;
const fakeLink = (): Link =>
  ({
    isOpen: true,
    isIdle: true,
    notices: new NoticeBuffer(() => 0),
    close: async () => undefined,
    destroy: () => undefined,
  }) as unknown as Link;

/** A pool of one connection, which is taken. */
async function takenPool() {
  const links = new Links(async () => fakeLink(), new LinkBudget(1));
  return { links, taken: await links.take(never) };
}

/** Long enough for every call that waits to have begun to. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('a call that is aborted as a connection becomes free for it leaves it to the next one', async () => {
  const { links, taken } = await takenPool();
  const stopping = new AbortController();
  const first = links.take(stopping.signal);
  const second = links.take(never);
  await turn();
  links.give(taken);
  stopping.abort();
  await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await Promise.race([second, turn().then(() => 'waits')])).toBe(taken);
  await links.close();
});

it('a call that is aborted just before it waits ends', async () => {
  const { links } = await takenPool();
  const stopping = new AbortController();
  const call = links.take(stopping.signal).catch(() => 'ended');
  stopping.abort();
  expect(await Promise.race([call, turn().then(() => 'waits')])).toBe('ended');
  await links.close();
});

it('leaves connections to what ends soon, however many are wanted for long', async () => {
  const links = new Links(async () => fakeLink(), new LinkBudget(2, new LinkBudget(1)));
  const taken = await links.take(never);
  const stopping = new AbortController();
  const second = links.take(never);
  const third = links.take(stopping.signal).catch(({ code }: { readonly code: string }) => code);
  await turn();
  expect(await links.use(never, async () => 'used')).toBe('used');
  expect(await Promise.race([second, turn().then(() => 'waits')])).toBe('waits');
  stopping.abort();
  expect(await third).toBe('CANCELLED');
  links.give(taken);
  links.give(await second);
  expect(await links.useLong(never, async () => 'used')).toBe('used');
  await links.close();
});

it('reads where statements are planned already, and writes elsewhere: what writes leaves no plan behind', async () => {
  const link = (hasPrepared: boolean): Link => Object.assign(fakeLink(), { hasPrepared, reset: async () => undefined });
  const [planned, bare] = [link(true), link(false)];
  for (const order of [
    [planned, bare],
    [bare, planned],
  ]) {
    const opened = [...order];
    const links = new Links(async () => opened.shift() ?? fakeLink(), new LinkBudget(2, new LinkBudget(2)));
    const taken = [await links.take(never), await links.take(never)];
    for (const each of taken) links.give(each);
    expect(await links.use(never, async (used) => used)).toBe(planned);
    expect(await links.useToWrite(never, async (used) => used)).toBe(bare);
    expect(await links.use(never, async (used) => used)).toBe(planned);
    expect(links.hasAnother).toBe(true);
    await links.close();
  }
});
