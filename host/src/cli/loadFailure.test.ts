import { describe, expect, it } from 'vitest';
import { HOST_ERRORS } from '../common/errors.ts';
import { loadFailure } from './loadFailure.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: open '/x/chunks/serve.js'`), { code });

describe('a program that cannot be loaded', () => {
  it.each<readonly [string, Error]>([
    ['no descriptor is left in the process', systemError('EMFILE')],
    ['no descriptor is left in the system', systemError('ENFILE')],
    [
      'a cause further down says so',
      new Error('cannot load', { cause: new Error('cannot open', { cause: systemError('EMFILE') }) }),
    ],
    ["Node's reader of package.json says so", new Error('Cannot read package config /x/package.json: too many open files.')],
  ])('reports the limit when %s', (_, error) => {
    const { sentence, advice } = HOST_ERRORS.TOO_MANY_FILES;
    expect(loadFailure(error)).toEqual({ code: 'TOO_MANY_FILES', message: sentence, advice, details: {} });
  });

  it.each(['ENOENT', 'EACCES', 'ERR_MODULE_NOT_FOUND'])('reports a damaged installation for %s, with the file', (code) => {
    const failure = loadFailure(systemError(code));
    expect(failure).toMatchObject({ code: 'INSTALLATION_DAMAGED', advice: HOST_ERRORS.INSTALLATION_DAMAGED.advice });
    expect(failure.message).toContain(HOST_ERRORS.INSTALLATION_DAMAGED.sentence.slice(0, -1));
    expect(failure.message).toContain('/x/chunks/serve.js');
  });
});
