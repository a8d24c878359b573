import { describe, expect, it } from 'vitest';
import { preferencesSchema } from './api.ts';
import { speak } from './languages.ts';

describe('the language of the window', () => {
  it('is the first of those a person prefers that there are words in, with its region', () => {
    expect(speak('system', ['xx-YY', 'en-GB', 'en'])).toEqual({ language: 'en', locale: 'en-GB' });
    expect(speak('system', ['xx'])).toEqual({ language: 'en', locale: 'en' });
    expect(speak('system', [])).toEqual({ language: 'en', locale: 'en' });
    expect(speak('system', ['fr', 'de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' });
  });

  it('is the chosen one, in the region that goes with it', () => {
    expect(speak('en', ['xx', 'en-IE'])).toEqual({ language: 'en', locale: 'en-IE' });
    expect(speak('en', ['xx'])).toEqual({ language: 'en', locale: 'en' });
    expect(speak('de', ['en-US', 'en'])).toEqual({ language: 'de', locale: 'de' });
  });

  it('is a partly translated one only where it is chosen', () => {
    expect(speak('system', ['pl-PL', 'de'])).toEqual({ language: 'de', locale: 'de' });
    expect(speak('system', ['pl'])).toEqual({ language: 'en', locale: 'en' });
    expect(speak('pl', ['en', 'pl-PL'])).toEqual({ language: 'pl', locale: 'pl-PL' });
  });

  it('is that of the system where a newer version has saved one that is not known', () => {
    expect(preferencesSchema.parse({ theme: 'dark', language: 'xx' })).toMatchObject({ theme: 'dark', language: 'system' });
  });
});
