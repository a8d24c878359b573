import { expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

it('refuses a text that is the id of one connection and the name of another, and names both', async () => {
  await using machine = await FakeMachine.create();
  for (const name of ['Shop', 'Attic']) await machine.run(['connections', 'add', '--driver', 'fixture', '--name', name]);
  const [shop, attic] = machine.connections;
  if (shop === undefined || attic === undefined) throw new Error('no connections');
  // A version before has let it have the name.
  machine.connections.splice(1, 1, { ...attic, name: shop.id.toUpperCase() });
  for (const words of [['remove'], ['rename', 'New'], ['export'], ['confirm'], ['test']].map(([verb = '', ...rest]) => [
    verb,
    shop.id,
    ...rest,
  ])) {
    const { code, err } = await machine.run(['connections', ...words]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`is the id of the connection "Shop" and the name of the connection ${attic.id}`),
    ]);
    expect(err).toContain(`tabularium connections rename ${attic.id} NAME`);
  }
  expect(machine.connections).toHaveLength(2);
  expect((await machine.run(['connections', 'remove', attic.id])).code).toBe(0);
  expect((await machine.run(['connections', 'remove', shop.id])).code).toBe(0);
});

it('refuses a text that is the id of one token and the name of another', async () => {
  await using machine = await FakeMachine.create();
  const first = await machine.json(['tokens', 'create', '--name', 'One']);
  const { id } = first as { readonly id: string };
  await machine.run(['tokens', 'create', '--name', id]);
  const { code, err } = await machine.run(['tokens', 'revoke', id]);
  expect([code, err]).toEqual([1, expect.stringContaining('is the id of one token and the name of another')]);
});
