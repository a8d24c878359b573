import { describe, expect, it } from 'vitest';
import { searchFile } from '../searchFile.ts';
import { excerpt, markedParts } from './markedText.ts';
import { SiteSearch } from './siteSearch.ts';

const page = (path: string, title: string, parts: readonly (readonly [string, string])[]) => ({
  path,
  title,
  isList: false,
  html: '',
  headings: [],
  sections: parts.map(([name, text]) => ({
    heading: name === '' ? undefined : { level: 2, text: name, anchor: name.toLowerCase().replaceAll(' ', '-') },
    text,
    links: [],
  })),
});

const search = new SiteSearch(
  searchFile([
    page('decisions/0001-import.html', '0001: Import', [['', 'Why rows are imported so.']]),
    page('guide/import.html', 'Import', [
      ['', 'Rows of a file.'],
      ['Rejected rows', 'A rejected row is listed with its reason.'],
    ]),
    page('reference/command-line.html', 'The command', [['The home', 'TABULARIUM_HOME names the data directory.']]),
  ]),
);
const addresses = (text: string): string[] => search.find(text).map(({ address }) => address);

describe('the search of the documentation', () => {
  it('finds titles, headings and text, and leads to the section', () => {
    expect(addresses('rejected')).toEqual(['guide/import.html#rejected-rows']);
    expect(addresses('data directory')).toEqual(['reference/command-line.html#the-home']);
    expect(addresses('tabularium_home')).toEqual(['reference/command-line.html#the-home']);
  });

  it('puts guides before decisions', () => {
    expect(addresses('import').indexOf('guide/import.html')).toBe(0);
    expect(addresses('import')).toContain('decisions/0001-import.html');
  });

  it('takes an unfinished last word, and a misspelt one where no other is found', () => {
    expect(addresses('data direc')).toEqual(['reference/command-line.html#the-home']);
    expect(addresses('rejekted')).toEqual(['guide/import.html#rejected-rows']);
    expect(addresses('row missing')).toEqual([]);
    expect(addresses('')).toEqual([]);
  });
});

describe('the text of a result', () => {
  it('is what is around the first word, with every word marked', () => {
    const long = `${'before '.repeat(40)}the Needle is here ${'after '.repeat(40)}`;
    const shown = excerpt(long, ['needle']);
    expect(shown).toMatch(/^…before .*the Needle is here .*…$/);
    expect(shown.length).toBeLessThan(200);
    expect(markedParts('a Needle, needles', ['needle'])).toEqual([
      { text: 'a ', isMarked: false },
      { text: 'Needle', isMarked: true },
      { text: ', needles', isMarked: false },
    ]);
  });
});
