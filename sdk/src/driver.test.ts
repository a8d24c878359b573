import { describe, expect, expectTypeOf, it } from 'vitest';
import * as sdk from './index.ts';
import { defineDriver } from './driver.ts';
import type { Driver, DriverContext, DriverDefinition, Finding, Session, Settings } from './driver.ts';
import type { CallOptions } from './callOptions.ts';
import type { HttpCapability, HttpRequest, HttpResponse } from './capabilities/http.ts';
import type { FileCapability } from './capabilities/file.ts';
import type { ConsoleFacet } from './facets/console.ts';
import type { RunOptions } from './facets/runOptions.ts';
import type { PermittedStatement } from './model/statement.ts';
import { SDK_CONTRACT, WIRE_VERSION } from './version.ts';

const connect: DriverDefinition['connect'] = () => Promise.reject(new Error('never called'));

describe('defining a driver', () => {
  it('gives an opaque value that carries its contract', () => {
    const driver = defineDriver({ id: 'my-db', connect });
    expect(driver).toEqual({ $$type: '@tabularium/driver', contract: SDK_CONTRACT, definition: { id: 'my-db', connect } });
    expect(Object.isFrozen(driver) && Object.isFrozen(driver.definition)).toBe(true);
  });

  it.each(['', 'X', '1x', 'my db', 'x'.repeat(41), 7, undefined])('refuses the id %j in a sentence that names the fix', (id) => {
    expect(() => defineDriver({ id, connect } as unknown as DriverDefinition)).toThrow(
      expect.objectContaining({ code: 'DRIVER_FAULT', message: expect.stringContaining('lower-case letters') as string }),
    );
  });

  it('refuses a definition that cannot connect, by the name of the driver', () => {
    expect(() => defineDriver({ id: 'my-db' } as unknown as DriverDefinition)).toThrow(
      expect.objectContaining({ code: 'DRIVER_FAULT', message: expect.stringContaining('"my-db" has no connect') as string }),
    );
    expect(() => defineDriver(undefined as unknown as DriverDefinition)).toThrow(
      expect.objectContaining({ code: 'DRIVER_FAULT' }),
    );
  });
});

it('versions are what hosts and drivers compare', () => {
  expect(SDK_CONTRACT).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Number.isInteger(WIRE_VERSION)).toBe(true);
  expect(sdk.SDK_CONTRACT).toBe(SDK_CONTRACT);
});

it('driver.ts has these types', () => {
  expectTypeOf(defineDriver).toEqualTypeOf<(definition: DriverDefinition) => Driver>();
  expectTypeOf<DriverDefinition['connect']>().parameters.toEqualTypeOf<[Settings, DriverContext, CallOptions]>();
  expectTypeOf<DriverDefinition['connect']>().returns.resolves.toEqualTypeOf<Session>();
  expectTypeOf<Settings[string]>().toEqualTypeOf<string | number | boolean>();
  expectTypeOf<Finding['outcome']>().toEqualTypeOf<'ok' | 'warning' | 'failed'>();
  expectTypeOf<DriverContext['http']>().toEqualTypeOf<HttpCapability | undefined>();
  expectTypeOf<DriverContext['file']>().toEqualTypeOf<FileCapability | undefined>();
  expectTypeOf<Session['console']>().toEqualTypeOf<ConsoleFacet | undefined>();
  expectTypeOf<CallOptions>().toEqualTypeOf<{ readonly signal: AbortSignal }>();
  // @ts-expect-error settings are not for changing
  void ((settings: Settings) => (settings['a'] = 1));
  // @ts-expect-error a session without a way to count is none
  void ((session: Omit<Session, 'countRows'>): Session => session);
});

it('capabilities/http.ts has these types', () => {
  expectTypeOf<HttpCapability['request']>().toEqualTypeOf<(request: HttpRequest) => Promise<HttpResponse>>();
  expectTypeOf<HttpRequest['method']>().toEqualTypeOf<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'>();
  expectTypeOf<{ method: 'GET'; path: '/' }>().toExtend<HttpRequest>();
  expectTypeOf<HttpResponse['body']>().toExtend<AsyncIterable<Uint8Array>>();
  // @ts-expect-error a request goes to the connection's origin, never to an address
  void ((): HttpRequest => ({ method: 'GET', path: '/', url: 'http://elsewhere.example' }));
});

it('capabilities/file.ts has these types', () => {
  expectTypeOf<FileCapability['paths']>().toEqualTypeOf<Readonly<Record<string, string>>>();
});

it('facets/console.ts has these types', () => {
  expectTypeOf<RunOptions>().toEqualTypeOf<{
    readonly maxRows: number;
    readonly whole?: boolean;
    readonly permitted?: PermittedStatement;
    readonly timeLimit?: number;
    readonly signal: AbortSignal;
  }>();
  expectTypeOf<ConsoleFacet['run']>().returns.toExtend<AsyncIterable<unknown>>();
  expectTypeOf<ConsoleFacet['run']>().parameters.toEqualTypeOf<[string, RunOptions]>();
});
