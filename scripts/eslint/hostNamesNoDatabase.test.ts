import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { driverIds, hostNamesNoDatabase } from './hostNamesNoDatabase.ts';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it;
Object.assign(RuleTester, { afterAll });

const tester = new RuleTester({
  languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
});
const options = [['search']];
const fine = (code: string) => ({ code, options, filename: 'a.tsx' });
const refused = (code: string, message: RegExp) => ({ ...fine(code), errors: [{ message }] });

tester.run('host-names-no-database', hostNamesNoDatabase, {
  valid: [
    fine(`const search = filter('search');`),
    fine(`program.command('search');`),
    fine(`// after a garbage collection the wrapper is gone\nconst recollection = 1;`),
    fine(`import { Typed } from 'some-package/typed.collection';`),
    fine(`if (operation === 'install') install();`),
    fine(`switch (kind) { case 'table': break; }`),
    fine(`const label = terms.table.plural;`),
  ],
  invalid: [
    refused(`if (driver === 'search') special();`, /never branches on a driver's identity \("search"\)/),
    refused(`if ('search' != connection.driver) special();`, /never branches/),
    refused(`switch (driver) { case 'search': break; }`, /never branches/),
    refused(`const collectionName = 1;`, /"collectionName" belongs into a driver/),
    refused(`const COLLECTION_LIMIT = 1;`, /COLLECTION_LIMIT/),
    refused(`class A { #collections = 1; }`, /collections/),
    refused(`const a = 'Collection';`, /Collection/),
    refused(`const a = <p>Open a collection</p>;`, /collection/),
    refused('const a = `${base}/collections/${name}`;', /\/collections/),
    refused(`fetch('/multi_search');`, /multi_search/),
    refused(`const a = { filter_by: 1 };`, /filter_by/),
    refused(`// as Typesense answers\nconst a = 1;`, /Typesense/),
    refused(`const a = 'a search server';`, /search server/),
    refused(`const a = '@tabularium/driver-search';`, /@tabularium\/driver-/),
  ],
});

describe('driverIds', () => {
  it('finds the ids of the drivers in this repository', () => {
    expect(driverIds(root)).toContain('search');
  });
});
