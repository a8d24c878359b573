import type {
  CreatedPrincipal,
  CredentialGenerator,
  GeneratedCredential,
  Principal,
  PrincipalField,
  PrincipalInput,
  PrincipalsFacet,
} from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

/** The principals of a database. Nothing is cached; the secret of a new principal passes through and is kept nowhere. */
export class Principals {
  static readonly inject: Inject<typeof Principals> = [Sessions];

  readonly #sessions: Pick<Sessions, 'use'>;

  constructor(sessions: Pick<Sessions, 'use'>) {
    this.#sessions = sessions;
  }

  async info(connectionId: string, signal: AbortSignal): Promise<PrincipalsInfo> {
    return this.#use(connectionId, signal, async ({ term, editable, generator }) => ({
      term,
      editable,
      ...(generator === undefined ? {} : { generator: { term: generator.term, help: generator.help } }),
    }));
  }

  async list(connectionId: string, signal: AbortSignal): Promise<readonly Principal[]> {
    return this.#use(connectionId, signal, (facet) => facet.list({ signal }));
  }

  async form(connectionId: string, signal: AbortSignal): Promise<readonly PrincipalField[]> {
    return this.#use(connectionId, signal, (facet) => facet.form({ signal }));
  }

  async create(connectionId: string, input: PrincipalInput, signal: AbortSignal): Promise<CreatedPrincipal> {
    return this.#use(connectionId, signal, (facet) => facet.create(input, { signal }));
  }

  async generatorForm(connectionId: string, signal: AbortSignal): Promise<readonly PrincipalField[]> {
    return this.#use(connectionId, signal, (facet) => generatorOf(facet).form({ signal }));
  }

  /** Computes a credential of others. The secrets of the input go to the driver's process and nowhere else. */
  async generate(connectionId: string, input: PrincipalInput, signal: AbortSignal): Promise<GeneratedCredential> {
    return this.#use(connectionId, signal, (facet) => generatorOf(facet).generate(input, { signal }));
  }

  async remove(connectionId: string, id: string, signal: AbortSignal): Promise<void> {
    await this.#use(connectionId, signal, (facet) => facet.remove(id, { signal }));
  }

  async #use<T>(connectionId: string, signal: AbortSignal, work: (facet: PrincipalsFacet) => Promise<T>): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.principals !== undefined) return work(session.principals);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver doesn't manage access to the database.`);
      },
      { signal },
    );
  }
}

function generatorOf({ generator }: PrincipalsFacet): CredentialGenerator {
  if (generator !== undefined) return generator;
  throw new DriverError('UNSUPPORTED', 'This driver computes no credentials.');
}
