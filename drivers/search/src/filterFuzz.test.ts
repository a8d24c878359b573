import fc from 'fast-check';
import { describe, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import { isDriverError } from '@tabularium/sdk';
import type { FilterCondition, FilterOperator } from '@tabularium/sdk';
import { call, open, startFixture } from './fixture.test-helper.ts';

/** Text that no document holds, with all characters of the filter syntax in between. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '\\',
        '*',
        '[',
        ']',
        '(',
        ')',
        '{',
        '}',
        ',',
        ':',
        ':=',
        '!=',
        '..',
        '&&',
        '||',
        '!',
        '<',
        '>',
        '=',
        '$',
        '"',
        "'",
        ' ',
        '\n',
        '\t',
        '%',
        '+',
        '\u0000',
      ),
      fc.constantFrom(
        'zzz',
        'zzz:[zzz] || pages:>=0 || sku:=zzz',
        ': (',
        'zzz || id:!=zzz',
        '` || pages:>=0 || title:=`zzz',
        '`] || pages:>=0',
        'zzz) || (pages:>=0',
        'zzz && pages:>=0',
        '$shelf(pages:>0)',
        '💥',
        'ñandú',
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const POSITIVE: readonly FilterOperator[] = ['equals', 'in', 'contains', 'startsWith'];

describe.each(sandboxVersions)('filters with hostile values, put to a server of version %s', (version) => {
  it('match their literal text in any position, or are rejected', async () => {
    const sandbox = await startFixture(version);
    const session = await open(sandbox);
    const count = async (match: 'all' | 'any', ...conditions: FilterCondition[]): Promise<number | undefined> => {
      const sent = session.http.requests.length;
      try {
        return (await session.countRows({ table: { namespace: [], name: 'shelf' }, filter: { match, conditions } }, call)).rows;
      } catch (error) {
        if (!isDriverError(error) || (error.code !== 'INVALID_INPUT' && error.code !== 'UNSUPPORTED')) throw error;
        // A refusal is made here: a filter that the server cannot read was not written well. The server alone decides how it splits words.
        const wordless = error.details.serverMessage?.includes('Filter value cannot be empty') === true;
        if (session.http.requests.length > sent && !wordless)
          throw new Error(`The server refused it: ${error.message}`, { cause: error });
        return undefined;
      }
    };
    const none: FilterCondition = { column: 'pages', operator: 'greaterThan', values: ['100000'] };
    const every: FilterCondition = { column: 'pages', operator: 'greaterOrEqual', values: ['0'] };
    // The schema, which is read once.
    await count('all', every);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('title', 'sku', 'tags', 'maker.name', 'id'),
        fc.constantFrom(...POSITIVE),
        hostile,
        async (column, operator, value) => {
          const condition: FilterCondition = { column, operator, values: operator === 'in' ? [value, 'zzz'] : [value] };
          const alone = await count('all', condition);
          if (alone === undefined) return;
          if (alone !== 0) throw new Error(`It finds ${alone} documents.`);
          if ((await count('any', condition, none)) !== 0) throw new Error('With “or nothing” it finds documents.');
          if ((await count('all', every, condition)) !== 0) throw new Error('With “and everything” it finds documents.');
          if ((await count('any', every, condition)) !== 24)
            throw new Error('With “or everything” it does not find all documents.');
        },
      ),
      { numRuns: 250 },
    );
    await session.close();
    await sandbox.close();
  });
});
