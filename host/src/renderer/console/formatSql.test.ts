import { describe, expect, it } from 'vitest';
import { formatSql } from './formatSql.ts';

describe('formatSql', () => {
  it('puts clauses on lines of their own and keeps every word, comment and string', () => {
    const text = "select id, 'two  words' from books -- all of them\nwhere price > 1.50; delete from t where id={{ id }}";
    const formatted = formatSql(text, 'sqlite') ?? '';
    expect(formatted.split('\n').slice(0, 3)).toEqual(['select', '  id,', "  'two  words'"]);
    for (const part of ["'two  words'", '-- all of them', '1.50', '{{ id }}']) expect(formatted).toContain(part);
  });

  it('takes standard SQL for a dialect that it does not know', () => {
    expect(formatSql('SELECT 1', 'no such dialect')).toBe('SELECT\n  1');
  });

  it.each([
    'SELECT * FROM asöl',
    'DELETE FROM t WHERE a INé',
    'SELECT inß FROM t',
    'SELECT a FROM t WHERE orös = 1',
    'SELECT [b  c], endé FROM t',
  ])('splits no word of a letter that the formatter does not know: %s', (text) => {
    const words = (sql: string) => sql.split(/\s+/).filter((word) => word !== '');
    expect(words(formatSql(text, 'sqlite') ?? text)).toEqual(words(text));
  });

  it('keeps a line that names a database as one line', () => {
    const text = 'select 1;\n\\connect sales\nselect a from t';
    expect(formatSql(text, 'postgresql')).toBe('select\n  1;\n\\connect sales\nselect\n  a\nfrom\n  t');
    expect(formatSql("select '\n\\connect sales\n'", 'postgresql')).toBeUndefined();
  });

  it('leaves a text alone that it cannot read', () => {
    expect(formatSql("SELECT ')( ", 'sqlite')).toBeUndefined();
  });
});
