import { describe, expect, it } from 'vitest';
import { hiddenSpellings } from './hiddenSpellings.ts';

const spelled = (language: string, statement: string): readonly string[] =>
  (hiddenSpellings(language, statement) ?? []).map((spelling) => spelling.statement);

describe('hidden spellings', () => {
  it('of a request change method, path and query, and never the body', () => {
    const body = '{"path":"/a/b","method":"POST"}';
    const all = spelled('http', `POST /a%2Fb/docs?action=upsert\n${body}`);
    expect(all).toEqual(
      expect.arrayContaining([
        `post /a%2Fb/docs?action=upsert\n${body}`,
        `pOsT /a%2Fb/docs?action=upsert\n${body}`,
        `POST \t /a%2Fb/docs?action=upsert\n${body}`,
        `# GET /\nPOST /a%2Fb/docs?action=upsert\n${body}`,
        `POST /a%2Fb///docs?action=upsert\n${body}`,
        `POST //a%2Fb/docs?action=upsert\n${body}`,
        `POST /a%2Fb/docs/?action=upsert\n${body}`,
        `POST /%61%2Fb/docs?action=upsert\n${body}`,
        `POST /a%2Fb/%64%6F%63%73?action=upsert\n${body}`,
        `POST /a%2Fb/docs?%61ction=upsert\n${body}`,
        `POST /a%2Fb/docs?action=%75psert\n${body}`,
      ]),
    );
    expect(all.every((statement) => statement.endsWith(`\n${body}`))).toBe(true);
  });

  it('of SQL change keywords, spaces and comments, and nothing that is quoted', () => {
    const quoted = `"drop  table"`;
    const value = `'it''s  /* DROP */ -- x'`;
    const all = spelled('sql', `DELETE FROM ${quoted} WHERE Name = ${value};`);
    expect(all).toEqual(
      expect.arrayContaining([
        `delete from ${quoted} where Name = ${value};`,
        `dElEtE fRoM ${quoted} wHeRe Name = ${value};`,
        `DELETE/**/FROM/**/${quoted}/**/WHERE/**/Name/**/=/**/${value};`,
        `/* SELECT 1 */DELETE FROM ${quoted} WHERE Name = ${value};`,
        `DELETE FROM ${quoted} WHERE Name = ${value}\n; -- SELECT 1`,
      ]),
    );
    for (const statement of all) {
      expect(statement).toContain(quoted);
      expect(statement).toContain(value);
    }
  });

  it('keep a line comment on its line', () => {
    for (const statement of spelled('sql', '-- why\nDROP TABLE a')) expect(statement).toMatch(/-- why\n\s*drop/i);
  });

  it('leave a text with a backslash as it is', () => {
    for (const statement of spelled('sql', String.raw`DELETE FROM a WHERE b = '\' OR '`)) {
      expect(statement).toContain(String.raw`DELETE FROM a WHERE b = '\' OR '`);
    }
  });

  it.each(['http', 'sql'])('of %s are all different, and none is the statement', (language) => {
    const statement = 'delete /x';
    const all = spelled(language, statement);
    expect(all.length).toBeGreaterThan(8);
    expect(new Set([...all, statement]).size).toBe(all.length + 1);
  });

  it.each(['text', 'constructor', ''])('of the language “%s” are not known', (language) => {
    expect(hiddenSpellings(language, 'DROP TABLE a')).toBeUndefined();
  });
});
