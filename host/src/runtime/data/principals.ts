import type {
  CreatedPrincipal,
  CredentialGenerator,
  GeneratedCredential,
  Principal,
  PrincipalAction,
  PrincipalChanges,
  PrincipalFacts,
  PrincipalField,
  PrincipalInput,
  PrincipalPlan,
  PrincipalRequest,
  PrincipalsFacet,
} from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import type { PrincipalsInfo } from '../../common/principals.ts';
import { readOnlyReason, requireWritable } from '../connections/readOnlyMode.ts';
import { englishOf } from '../../common/hostSentences.ts';
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
    return this.#use(connectionId, signal, async ({ term, editable, generator, changes }, connection) => ({
      term,
      editable,
      ...changeable(connection),
      ...(generator === undefined ? {} : { generator: { term: generator.term, help: generator.help, texts: generator.texts } }),
      ...(changes === undefined ? {} : { changes: { addable: changes.addable } }),
    }));
  }

  async list(connectionId: string, signal: AbortSignal): Promise<readonly Principal[]> {
    return this.#use(connectionId, signal, async (facet, connection) => {
      const principals = await facet.list({ signal });
      const reason = readOnlyReason(connection);
      if (reason === undefined) return principals;
      const removable = { allowed: false, reason: englishOf(reason) } as const;
      return principals.map((principal) => ({ ...principal, removable, editable: removable }));
    });
  }

  async form(connectionId: string, signal: AbortSignal): Promise<readonly PrincipalField[]> {
    return this.#use(connectionId, signal, (facet) => facet.form({ signal }));
  }

  /** @throws HostError `CONNECTION_READ_ONLY` in read-only mode */
  async create(connectionId: string, input: PrincipalInput, signal: AbortSignal): Promise<CreatedPrincipal> {
    return this.#use(connectionId, signal, (facet, connection) => {
      requireWritable(connection);
      return facet.create(input, { signal });
    });
  }

  async generatorForm(connectionId: string, signal: AbortSignal): Promise<readonly PrincipalField[]> {
    return this.#use(connectionId, signal, (facet) => generatorOf(facet).form({ signal }));
  }

  /** Computes a credential of others. The secrets of the input go to the driver's process and nowhere else. */
  async generate(connectionId: string, input: PrincipalInput, signal: AbortSignal): Promise<GeneratedCredential> {
    return this.#use(connectionId, signal, (facet) => generatorOf(facet).generate(input, { signal }));
  }

  /** The objects and permissions of a principal. */
  async details(connectionId: string, id: string, signal: AbortSignal): Promise<readonly PrincipalFacts[]> {
    return this.#use(connectionId, signal, (facet) => changesOf(facet).details(id, { signal }));
  }

  async changeForm(connectionId: string, action: PrincipalAction, signal: AbortSignal): Promise<readonly PrincipalField[]> {
    return this.#use(connectionId, signal, (facet) => changesOf(facet).form(action, { signal }));
  }

  /** The statements of an action. Secrets of its input go to the driver's process and nowhere else. */
  async plan(connectionId: string, request: PrincipalRequest, signal: AbortSignal): Promise<PrincipalPlan> {
    return this.#use(connectionId, signal, (facet) => changesOf(facet).plan(request, { signal }));
  }

  /** Does what was planned and confirmed. @throws HostError `CONNECTION_READ_ONLY` in read-only mode */
  async run(
    connectionId: string,
    request: PrincipalRequest,
    confirmed: PrincipalPlan['statements'],
    signal: AbortSignal,
  ): Promise<readonly Principal[]> {
    return this.#use(connectionId, signal, (facet, connection) => {
      requireWritable(connection, 'destructive');
      return changesOf(facet).run(request, confirmed, { signal });
    });
  }

  /** @throws HostError `CONNECTION_READ_ONLY` in read-only mode */
  async remove(connectionId: string, id: string, signal: AbortSignal): Promise<void> {
    await this.#use(connectionId, signal, (facet, connection) => {
      requireWritable(connection, 'destructive');
      return facet.remove(id, { signal });
    });
  }

  async #use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: PrincipalsFacet, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        if (session.principals !== undefined) return work(session.principals, connection);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver doesn't manage access to the database.`);
      },
      { signal },
    );
  }
}

/** Whether principals can be added and removed here; absent where nothing but the driver decides that. */
function changeable(connection: SavedConnection): Pick<PrincipalsInfo, 'readOnly'> {
  const reason = readOnlyReason(connection);
  return reason === undefined ? {} : { readOnly: { reason: englishOf(reason), sentence: reason } };
}

function changesOf({ changes }: PrincipalsFacet): PrincipalChanges {
  if (changes !== undefined) return changes;
  throw new DriverError('UNSUPPORTED', 'This driver shows no statements of changes.');
}

function generatorOf({ generator }: PrincipalsFacet): CredentialGenerator {
  if (generator !== undefined) return generator;
  throw new DriverError('UNSUPPORTED', 'This driver computes no credentials.');
}
