import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal, PrincipalChanges, PrincipalInput, PrincipalsFacet, Session } from '@tabularium/sdk';
import { quoted } from '../names.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { serverVersion } from '../serverVersion.test-helper.ts';
import { administer, open, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

const options = { signal };
/** Memberships have INHERIT and SET, and are changed for each grantor; CREATEROLE is limited to roles that were made with it. */
const hasOptions = serverVersion >= 16;
/** Names that a driver must neither run, cut nor lose. */
const HOSTILE = [
  '"; drop role x; --',
  "o'brien\\",
  'line\nbreak\ttab',
  '\u202eevil\u200b',
  'ü'.repeat(31),
  ' spaces ',
  'A',
  '💥',
];

function rolesOf({ principals }: Session): PrincipalsFacet & { readonly changes: PrincipalChanges } {
  if (principals?.changes === undefined) throw new Error('The session has no roles.');
  return { ...principals, changes: principals.changes };
}

async function role(session: Session, name: string): Promise<Principal> {
  const found = (await rolesOf(session).list(options)).find(({ label }) => label === name);
  if (found === undefined) throw new Error(`There is no role ${JSON.stringify(name)}.`);
  return found;
}

async function add(session: Session, input: PrincipalInput): Promise<readonly string[]> {
  const { changes } = rolesOf(session);
  const { statements } = await changes.plan({ is: 'add', input }, options);
  await changes.run({ is: 'add', input }, statements, options);
  return statements;
}

async function change(session: Session, name: string, input: PrincipalInput): Promise<readonly string[]> {
  const { changes } = rolesOf(session);
  const { id } = await role(session, name);
  const { statements } = await changes.plan({ is: 'change', id, input }, options);
  await changes.run({ is: 'change', id, input }, statements, options);
  return statements;
}

async function remove(session: Session, name: string, input: PrincipalInput = {}): Promise<readonly string[]> {
  const { changes } = rolesOf(session);
  const { id } = await role(session, name);
  const { statements } = await changes.plan({ is: 'remove', id, input }, options);
  await changes.run({ is: 'remove', id, input }, statements, options);
  return statements;
}

describeWithServer(
  'roles of PostgreSQL',
  (server) => {
    let session: Session;
    beforeAll(async () => {
      await administer(
        server(),
        `CREATE EXTENSION pg_stat_statements; CREATE ROLE maker LOGIN CREATEROLE PASSWORD 'm'; CREATE ROLE plain LOGIN PASSWORD 'p'; CREATE ROLE stranger;
        CREATE ROLE lead LOGIN PASSWORD 'l'; CREATE ROLE crew; GRANT crew TO lead WITH ADMIN OPTION`,
      );
      session = await open(server());
    });
    afterAll(() => session.close());

    it('are listed with their attributes, and the parts of the server are marked and not deletable', async () => {
      const all = await rolesOf(session).list(options);
      const own = all.find(({ label }) => label === 'tester');
      expect(own).toMatchObject({ serverWide: true, removable: { allowed: false }, editable: { allowed: true } });
      expect(own?.actions).toContain('SUPERUSER');
      const monitor = all.find(({ label }) => label === 'pg_monitor');
      expect(monitor).toMatchObject({ reach: 'Predefined role', removable: { allowed: false }, editable: { allowed: true } });
      expect(all.find(({ label }) => label === 'crew')).toMatchObject({
        reach: 'Group role',
        attributes: [{ label: 'Members', value: 'lead' }],
      });
    });

    it('sign in with the password that they got, which no statement, log, activity or error has', async () => {
      const password = 'correct horse 7 battery';
      const statements = await add(session, {
        name: ['clerk'],
        password: [password],
        login: ['true'],
        createdb: ['true'],
        connectionLimit: ['3'],
        validUntil: ['2090-01-02T03:04:05.000Z'],
        memberOf: ['crew'],
        comment: ["the clerk's"],
      });
      expect(statements).toEqual([
        `CREATE ROLE "clerk" WITH LOGIN CREATEDB PASSWORD '<SCRAM verifier of the password>' CONNECTION LIMIT 3 VALID UNTIL '2090-01-02T03:04:05.000Z'`,
        'GRANT "crew" TO "clerk"',
        `COMMENT ON ROLE "clerk" IS 'the clerk''s'`,
      ]);
      expect(await role(session, 'clerk')).toMatchObject({
        reach: 'Login role',
        serverWide: false,
        actions: ['LOGIN', 'CREATEDB'],
        expiresAt: '2090-01-02T03:04:05.000Z',
      });
      const client = new PgClient({ host: '127.0.0.1', port: server().port, user: 'clerk', password, database: 'postgres' });
      await client.connect();
      await client.end();
      const admin = new PgClient({
        host: '127.0.0.1',
        port: server().port,
        user: server().user,
        password: server().password,
        database: 'postgres',
      });
      await admin.connect();
      const stored = await admin.query<{ hash: string }>("SELECT rolpassword AS hash FROM pg_authid WHERE rolname = 'clerk'");
      expect(stored.rows[0]?.hash).toMatch(/^SCRAM-SHA-256\$4096:/);
      // Other superusers see the last statement of each session.
      const seen = await admin.query<{ query: string }>('SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      expect(seen.rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(seen.rows)).not.toMatch(/SCRAM-SHA|correct horse/);
      const recorded = await admin.query<{ query: string }>(
        'SELECT query FROM pg_stat_statements WHERE query LIKE \'%"clerk"%\'',
      );
      expect(recorded.rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(recorded.rows)).not.toContain('correct horse');
      await admin.end();
      const slow = await session.activity?.slow?.(options);
      expect(slow?.available).toBe(true);
      expect(JSON.stringify(slow)).not.toMatch(/SCRAM-SHA-256\$\d/);
      const error: unknown = await rolesOf(session)
        .create({ name: ['clerk'], password: [password] }, options)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'CONFLICT', details: { field: 'name' } });
      const refused: unknown = await add(session, { name: ['late'], password: [password], connectionLimit: ['x'] }).catch(
        (thrown: unknown) => thrown,
      );
      expect(refused).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'connectionLimit' } });
      expect(JSON.stringify([error, refused])).not.toContain('correct horse');
      await remove(session, 'clerk');
    });

    it.each(HOSTILE)('keep the name %j through adding, changing, renaming, details and dropping', async (name) => {
      await administer(server(), 'CREATE ROLE x');
      await add(session, { name: [name], memberOf: ['crew'], comment: [name] });
      const found = await role(session, name);
      expect(found.attributes).toContainEqual({ label: 'Comment', value: name });
      expect(await change(session, name, { createdb: ['true'], name: [`${name}2`.slice(-30)] })).toHaveLength(2);
      const renamed = `${name}2`.slice(-30);
      expect((await role(session, renamed)).actions).toEqual(['CREATEDB']);
      const details = await rolesOf(session).changes.details(found.id, options);
      expect(details[0]).toMatchObject({ title: 'Member of', rows: [['crew', hasOptions ? 'INHERIT, SET' : '', 'tester']] });
      expect(await remove(session, renamed)).toEqual([`DROP ROLE ${quoted(renamed)}`]);
      await administer(server(), 'DROP ROLE x');
    });

    it('refuse names that the server would cut or keeps for itself', async () => {
      for (const name of ['ü'.repeat(32), 'pg_mine', 'public', 'none', 'a\0b', ''])
        await expect(rolesOf(session).changes.plan({ is: 'add', input: { name: [name] } }, options)).rejects.toMatchObject({
          code: 'INVALID_INPUT',
          details: { field: 'name' },
        });
    });

    it('refuse passwords that programs would send in different ways', async () => {
      for (const password of ['a\u00a0b', 'e\u0301', '\ufb01', 'a\u00adb', 'a\nb', 'x'.repeat(1_001)])
        await expect(
          rolesOf(session).changes.plan({ is: 'add', input: { name: ['n'], password: [password] } }, options),
        ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'password' } });
    });

    it('get and lose memberships with their options, and only what was changed', async () => {
      const membership = { name: ['worker'], memberOf: ['crew', 'stranger'], admin: ['crew'] };
      if (!hasOptions)
        for (const field of ['noInherit', 'noSet'])
          await expect(add(session, { ...membership, [field]: ['crew'] })).rejects.toMatchObject({
            code: 'INVALID_INPUT',
            message: expect.stringContaining('PostgreSQL 16') as string,
            details: { field },
          });
      await add(session, { ...membership, ...(hasOptions ? { noInherit: ['crew'] } : {}) });
      const { id } = await role(session, 'worker');
      const form = await rolesOf(session).changes.form({ is: 'change', id }, options);
      const of = (field: string): readonly string[] | undefined => form.find((one) => one.id === field)?.default;
      expect([of('memberOf'), of('admin'), of('noInherit'), of('noSet')]).toEqual([
        ['stranger', 'crew'],
        ['crew'],
        hasOptions ? ['crew'] : undefined,
        undefined,
      ]);
      expect(await change(session, 'worker', { admin: [], noInherit: [], noSet: hasOptions ? ['stranger'] : [] })).toEqual(
        hasOptions
          ? [
              'GRANT "stranger" TO "worker" WITH SET FALSE GRANTED BY "tester"',
              'GRANT "crew" TO "worker" WITH ADMIN FALSE, INHERIT TRUE GRANTED BY "tester"',
            ]
          : ['REVOKE ADMIN OPTION FOR "crew" FROM "worker"'],
      );
      expect(await change(session, 'worker', { memberOf: ['stranger'] })).toEqual([
        `REVOKE "crew" FROM "worker"${hasOptions ? ' GRANTED BY "tester"' : ''}`,
      ]);
      expect(await change(session, 'worker', { members: ['plain'] })).toEqual(['GRANT "worker" TO "plain"']);
      await expect(change(session, 'worker', { memberOf: ['worker'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(change(session, 'worker', { memberOf: ['nobody here'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(change(session, 'worker', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      const plan = await rolesOf(session).changes.plan({ is: 'remove', id, input: {} }, options);
      expect(plan.notes).toHaveLength(1);
      await remove(session, 'worker');
    });

    it('are not changed where the statements would be others than those that were seen', async () => {
      await add(session, { name: ['racer'] });
      const { id } = await role(session, 'racer');
      const input = { memberOf: ['crew'] };
      const { statements } = await rolesOf(session).changes.plan({ is: 'change', id, input }, options);
      await administer(server(), 'GRANT stranger TO racer');
      await expect(rolesOf(session).changes.run({ is: 'change', id, input }, statements, options)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect((await role(session, 'racer')).attributes).toEqual([{ label: 'Member of', value: 'stranger' }]);
      await remove(session, 'racer');
      await expect(rolesOf(session).changes.plan({ is: 'change', id, input }, options)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    it('change all of it, or nothing', async () => {
      await add(session, { name: ['whole'] });
      await add(session, { name: ['part'], memberOf: ['whole'] });
      // The server refuses the second statement: the two would be members of each other.
      await expect(change(session, 'whole', { createdb: ['true'], memberOf: ['part'] })).rejects.toMatchObject({
        details: { serverMessage: expect.stringContaining('is a member of role') as string },
      });
      expect((await role(session, 'whole')).actions).toEqual([]);
      await remove(session, 'part');
      await remove(session, 'whole');
    });

    it('are dropped after what depends on them was said and given to another, or dropped', async () => {
      await administer(
        server(),
        `CREATE ROLE owner; CREATE SCHEMA loft AUTHORIZATION owner; CREATE TABLE loft.box (id int); ALTER TABLE loft.box OWNER TO owner;
        CREATE TABLE public.shared (id int); GRANT SELECT, UPDATE ON public.shared TO owner; GRANT SELECT (id) ON public.shared TO owner;
        GRANT CONNECT ON DATABASE postgres TO owner WITH GRANT OPTION; ALTER ROLE owner SET work_mem = '8MB'`,
      );
      await administer(server(), 'CREATE DATABASE elsewhere');
      await administer(
        server(),
        'CREATE TABLE there (id int); GRANT ALL ON SCHEMA public TO owner; ALTER TABLE there OWNER TO owner',
        'elsewhere',
      );
      const { id } = await role(session, 'owner');
      const details = await rolesOf(session).changes.details(id, options);
      const rows = new Map(details.map((facts) => [facts.title, facts.rows]));
      expect(rows.get('Owned objects')).toEqual([['schema loft'], ['table loft.box']]);
      expect(rows.get('Permissions in this database')).toEqual([
        ['Column', 'public.shared.id', 'SELECT', 'tester'],
        ['Database', 'postgres', 'CONNECT (grant option)', 'tester'],
        ['Table', 'public.shared', 'SELECT, UPDATE', 'tester'],
      ]);
      expect(rows.get('In other databases')).toEqual([['elsewhere', '1', '1']]);
      expect(rows.get('Settings')).toEqual([['', 'work_mem=8MB']]);
      const form = await rolesOf(session).changes.form({ is: 'remove', id }, options);
      expect(form.map((field) => field.id)).toEqual(['reassignTo', 'dropOwned', 'keep']);
      const plan = (input: PrincipalInput) => rolesOf(session).changes.plan({ is: 'remove', id, input }, options);
      await expect(plan({})).rejects.toMatchObject({ code: 'CONFLICT', details: { field: 'reassignTo' } });
      await expect(plan({ reassignTo: ['tester'] })).rejects.toMatchObject({ code: 'CONFLICT', details: { field: 'dropOwned' } });
      await expect(plan({ reassignTo: ['tester'], dropOwned: ['true'] })).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { field: 'keep' },
        message: expect.stringContaining('elsewhere') as string,
      });
      expect(await remove(session, 'owner', { reassignTo: ['tester'], dropOwned: ['true'], keep: ['true'] })).toEqual([
        'REASSIGN OWNED BY "owner" TO "tester"',
        'DROP OWNED BY "owner"',
      ]);
      const other = await open(server(), { database: 'elsewhere' });
      try {
        expect(await remove(other, 'owner', { dropOwned: ['true'] })).toEqual(['DROP OWNED BY "owner"', 'DROP ROLE "owner"']);
      } finally {
        await other.close();
      }
      await administer(server(), 'DROP TABLE loft.box, public.shared; DROP SCHEMA loft');
      await administer(server(), 'DROP DATABASE elsewhere');
    });

    it('say beforehand what the connected role may not do', async () => {
      const plain = await open(server(), { user: 'plain', password: 'p' });
      const maker = await open(server(), { user: 'maker', password: 'm' });
      const lead = await open(server(), { user: 'lead', password: 'l' });
      try {
        expect(rolesOf(plain).changes.addable).toMatchObject({
          allowed: false,
          reason: expect.stringContaining('CREATEROLE') as string,
        });
        expect(await role(plain, 'stranger')).toMatchObject({ editable: { allowed: false }, removable: { allowed: false } });
        // The own password, and nothing else.
        const own = await role(plain, 'plain');
        const ownForm = await rolesOf(plain).changes.form({ is: 'change', id: own.id }, options);
        expect(ownForm.map((field) => field.id)).toEqual(['password', 'noPassword']);
        await change(plain, 'plain', { password: ['p2'] });
        await (await open(server(), { user: 'plain', password: 'p2' })).close();
        expect(rolesOf(maker).changes.addable).toEqual({ allowed: true });
        const form = await rolesOf(maker).changes.form({ is: 'add' }, options);
        const refused = form.filter(({ ability }) => ability?.allowed === false).map((field) => field.id);
        expect(refused).toEqual(['superuser', ...(hasOptions ? ['createdb'] : []), 'replication', 'bypassrls']);
        await add(maker, { name: ['made'], login: ['true'], password: ['x'] });
        expect(await role(maker, 'made')).toMatchObject({ editable: { allowed: true }, removable: { allowed: true } });
        expect(await role(maker, 'stranger')).toMatchObject(
          hasOptions
            ? {
                editable: { allowed: false, reason: expect.stringContaining('ADMIN option') as string },
                removable: { allowed: false },
              }
            : { editable: { allowed: true }, removable: { allowed: true } },
        );
        expect(await role(maker, 'tester')).toMatchObject({ editable: { allowed: false } });
        await remove(maker, 'made');
        const crew = await role(lead, 'crew');
        const crewForm = await rolesOf(lead).changes.form({ is: 'change', id: crew.id }, options);
        expect(crewForm.map((field) => field.id)).toEqual(['members']);
        await change(lead, 'crew', { members: ['lead', 'plain'] });
        expect((await role(session, 'crew')).attributes).toEqual([{ label: 'Members', value: 'plain, lead' }]);
        // The superuser granted it, which older servers ignore.
        if (hasOptions)
          await expect(change(lead, 'crew', { members: ['plain'] })).rejects.toMatchObject({
            code: 'ACCESS_REFUSED',
            message: expect.stringContaining('“tester” granted this membership') as string,
          });
        else expect(await change(lead, 'crew', { members: ['plain'] })).toEqual(['REVOKE "crew" FROM "lead"']);
        // The server refuses changes that the form doesn't offer.
        await expect(change(plain, 'stranger', { createdb: ['true'] })).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
      } finally {
        await Promise.all([plain.close(), maker.close(), lead.close()]);
      }
    });

    it('are found by their number, and no other id is taken for one', async () => {
      for (const id of ['x', '1 OR true', '-1', '99999999999', '4294967295'])
        for (const is of ['change', 'remove'] as const)
          await expect(rolesOf(session).changes.plan({ is, id, input: {} }, options)).rejects.toMatchObject({
            code: 'NOT_FOUND',
          });
    });
  },
  { settings: ["shared_preload_libraries = 'pg_stat_statements'"] },
);
