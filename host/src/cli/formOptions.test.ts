import { describe, expect, it } from 'vitest';
import { manifest } from './cli.test-helper.ts';
import { describeFormOptions, optionName, parseFormOptions } from './formOptions.ts';

const parse = (words: string[], set: string[] = []) => parseFormOptions(manifest, words, set, '/somewhere/here');
const defaults = { host: 'localhost', port: 99, sslMode: 'off', skipTLSCheck: false };

describe('options of a form', () => {
  it.each([
    ['apiKey', 'api-key'],
    ['skipTLSCheck', 'skip-tls-check'],
    ['pin_code', 'pin-code'],
    ['sslMode2', 'ssl-mode2'],
    ['host', 'host'],
  ])('%s is --%s', (id, name) => {
    expect(optionName(id)).toBe(name);
  });

  it('begin with the defaults of the form', () => {
    expect(parse([])).toEqual({ settings: defaults, secrets: [] });
  });

  it('are read by the type of their field', () => {
    const { settings } = parse([
      '--host=h',
      '--port',
      '8108',
      '--ssl-mode',
      'VERIFY-CA',
      '--skip-tls-check',
      '--ca-file',
      '../ca.pem',
    ]);
    expect(settings).toEqual({ host: 'h', port: 8108, sslMode: 'verifyCa', skipTLSCheck: true, caFile: '/somewhere/ca.pem' });
  });

  it('take the label of a choice too, a value with anything in it, and the last of what is said twice', () => {
    expect(
      parse(['--ssl-mode', 'check the authority', '--host', 'a=b c', '--skip-tls-check', '--no-skip-tls-check']).settings,
    ).toEqual({
      ...defaults,
      sslMode: 'verifyCa',
      host: 'a=b c',
    });
  });

  it('say where a secret is, and never what it is', () => {
    expect(parse(['--access-key-env', 'KEY', '--pin-code-session']).secrets).toEqual([
      { field: 'accessKey', label: 'Access Key', from: 'environment', variable: 'KEY' },
      { field: 'pin_code', label: 'PIN', from: 'stdin', storage: 'session' },
    ]);
    expect(parse(['--access-key-stdin']).secrets).toEqual([
      { field: 'accessKey', label: 'Access Key', from: 'stdin', storage: 'store' },
    ]);
  });

  it('can be given by the id of their field', () => {
    expect(parse([], ['name=x=y', 'port=1', 'skipTLSCheck=on']).settings).toEqual({
      ...defaults,
      name: 'x=y',
      port: 1,
      skipTLSCheck: true,
    });
  });

  it.each([
    [['--access-key', 'hunter2'], "isn't accepted on a command line"],
    [['--access-key=hunter2'], "isn't accepted on a command line"],
    [['--access-key-env', 'hunter-2'], 'takes the name of an environment variable'],
    [['--access-key-stdin=hunter2'], 'takes no value'],
    [['--port', 'many'], 'takes a number'],
    [['--port'], 'needs a value'],
    [['--ssl-mode', 'perhaps'], 'takes one of off, verifyCa'],
    [['--colour', 'red'], `"--colour" isn't an option of Fixture. Its options: --host`],
    [['hunter2'], 'There is a word too many'],
  ])('refuses %j', (words, sentence) => {
    const attempt = (): unknown => parse(words);
    expect(attempt).toThrow(sentence);
    expect(attempt).not.toThrow('hunter2');
  });

  it('refuses a secret by id, and a field that the form does not have', () => {
    expect(() => parse([], ['accessKey=hunter2'])).toThrow("isn't accepted on a command line");
    expect(() => parse([], ['nothing=1'])).toThrow('a field of this type. "tabularium drivers options fixture" lists them.');
    expect(() => parse([], ['host=a', 'host=b'])).toThrow('--set host is given twice');
  });

  it('can be listed', () => {
    const flags = describeFormOptions(manifest).map((option) => option.flags);
    expect(flags).toContain('--access-key-env <variable>');
    expect(flags).toContain('--[no-]skip-tls-check');
    expect(flags).toContain('--ssl-mode <choice>');
  });
});
