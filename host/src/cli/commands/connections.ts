import { manifestSchema } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { connectionInputSchema, savedConnectionSchema } from '../../common/connection.ts';
import type { ConnectionInput, TestStep } from '../../common/connection.ts';
import { LARGEST_CONNECTION_FILE, importOutcomeSchema, onConflictSchema } from '../../common/connectionFile.ts';
import { HostError } from '../../common/errors.ts';
import { confirmationCodeSchema, secretQuestionSchema } from '../../common/secretQuestion.ts';
import type { HostServices } from '../hostServices.ts';
import { defineCommand, namesSchema, testStepSchema } from './command.ts';
import { findConnection } from './find.ts';

export const listConnections = defineCommand({
  input: z.object({}),
  output: z.object({ connections: z.array(savedConnectionSchema) }),
  run: async (services) => ({ connections: [...services.connections.list()] }),
});

/** The form of a database type, so that its options can be read from a command line. */
export const connectionForm = defineCommand({
  input: z.object({ driver: z.string() }),
  output: z.object({ manifest: manifestSchema }),
  run: async (services, { driver }, { signal }) => {
    const known = await services.drivers.knownCatalogue(signal);
    let entry = known.entries.find(({ id }) => id === driver);
    let asked = known;
    if (entry === undefined) {
      asked = await services.drivers.catalogue({ signal });
      entry = asked.entries.find(({ id }) => id === driver);
    }
    if (entry !== undefined) return { manifest: entry.manifest };
    const ids = asked.entries.map(({ id }) => id).join(', ');
    throw new HostError('DRIVER_UNKNOWN', `No registry knows the database type "${driver}".`, {
      details: { advice: ids === '' ? 'Check the registry, and try again.' : `Use one of: ${ids}.` },
    });
  },
});

export const addConnection = defineCommand({
  input: connectionInputSchema,
  output: z.object({ connection: savedConnectionSchema, warnings: z.array(z.string()) }),
  run: async (services, input) => {
    await refuseWhatCannotBeKept(services, input);
    const connection = await services.connections.create(input);
    return { connection, warnings: missingVariables(services, input) };
  },
});

/** The text of a file with these connections, or with all of them. */
export const exportConnections = defineCommand({
  input: z.object({ connections: namesSchema }),
  output: z.object({ text: z.string(), connections: z.number() }),
  run: async (services, input) => {
    const ids = input.connections.map((connection) => findConnection(services, connection).id);
    return {
      text: services.connections.export(ids.length === 0 ? undefined : ids),
      connections: ids.length === 0 ? services.connections.list().length : ids.length,
    };
  },
});

/** Saves the connections of a file's text, each for itself. */
export const importConnections = defineCommand({
  input: z.object({ text: z.string().max(LARGEST_CONNECTION_FILE), onConflict: onConflictSchema }),
  output: z.object({ connections: z.array(importOutcomeSchema) }),
  run: async (services, { text, onConflict }) => {
    const { candidates, problems } = await services.connections.previewImport(text);
    const [problem] = problems;
    if (problem !== undefined) {
      throw new HostError('INVALID_REQUEST', `${problem.message} (line ${problem.line}, column ${problem.column})`, {
        details: { advice: 'Nothing was saved. Use a file that "tabularium connections export" has written.' },
      });
    }
    const choices = candidates.map(({ index }) => ({ index, onConflict }));
    return { connections: [...(await services.connections.import({ text, choices }))] };
  },
});

export const removeConnection = defineCommand({
  input: z.object({ connection: z.string() }),
  output: z.object({ id: z.string(), name: z.string() }),
  run: async (services, input) => {
    const { id, name } = findConnection(services, input.connection);
    await services.connections.remove(id);
    return { id, name };
  },
});

export const testConnection = defineCommand({
  input: z.object({ connection: z.string() }),
  output: z.object({ ok: z.boolean(), steps: z.array(testStepSchema) }),
  run: async (services, input, { signal, emit }) => {
    const { id, name, driver, settings, access, color } = findConnection(services, input.connection);
    const steps = new Map<string, TestStep>();
    for await (const step of services.connections.test({ name, driver, settings, access, color, secrets: {} }, id, signal)) {
      steps.set(step.id, step);
      await emit({ type: 'testStep', step });
    }
    const ended = [...steps.values()];
    return { ok: ended.every(({ outcome }) => outcome !== 'failed'), steps: ended };
  },
});

/** What has to be confirmed before a connection uses its credentials; null: nothing. */
export const secretQuestion = defineCommand({
  input: z.object({ connection: z.string() }),
  output: z.object({ name: z.string(), question: secretQuestionSchema.nullable() }),
  run: async (services, input) => {
    const { id, name } = findConnection(services, input.connection);
    return { name, question: (await services.connections.secretQuestion(id)) ?? null };
  },
});

/**
 * A person has compared old and new. Both the new origin and the code have to be named: a script cannot agree to what its author has not seen.
 */
export const confirmSecrets = defineCommand({
  input: z.object({ connection: z.string(), to: namesSchema.min(1), code: confirmationCodeSchema }),
  output: z.object({ name: z.string(), confirmed: z.array(z.string()) }),
  run: async (services, input) => {
    const { id, name } = findConnection(services, input.connection);
    const question = await services.connections.secretQuestion(id);
    const origins = [...new Set((question?.changes ?? []).flatMap(({ now }) => now.origins))];
    const named = input.to.map((origin) => origin.replace(/\/$/, '').toLowerCase());
    const unnamed = origins.filter((origin) => !named.includes(origin));
    const foreign = named.filter((origin) => !origins.includes(origin));
    if (question !== undefined && unnamed.length + foreign.length > 0) {
      throw new HostError(
        'INVALID_REQUEST',
        `The credentials of "${name}" would be sent to ${origins.join(', ')}, and not to ${named.join(', ')}.`,
        {
          details: { advice: 'Compare old and new again, and name the origin only if it is right.' },
        },
      );
    }
    await services.connections.confirmSecrets(id, input.code);
    return { name, confirmed: origins };
  },
});

async function refuseWhatCannotBeKept(services: HostServices, input: ConnectionInput): Promise<void> {
  const kinds = Object.values(input.secrets).map(({ kind }) => kind);
  if (kinds.includes('session') && services.lifetime === 'command') {
    throw new HostError('INVALID_REQUEST', 'No host is running, so a credential for its session would be forgotten at once.', {
      details: { advice: 'Start one with "tabularium serve", or name an environment variable that holds the credential.' },
    });
  }
  if (!kinds.includes('store')) return;
  const state = await services.secureStore.state();
  if (state.available) return;
  throw new HostError('SECURE_STORE_UNAVAILABLE', state.reason, {
    details: {
      advice:
        'Name an environment variable that holds the credential (the option that ends in -env), or keep it until the running host stops ' +
        '(the one that ends in -session). It is never stored in clear.',
    },
  });
}

function missingVariables(services: HostServices, input: ConnectionInput): string[] {
  const warnings: string[] = [];
  for (const secret of Object.values(input.secrets)) {
    if (secret.kind !== 'environment' || services.hasVariable(secret.variable)) continue;
    const where =
      services.lifetime === 'host'
        ? 'The running host was started without it, so set it and start the host again'
        : 'Set it before the connection is used';
    warnings.push(`The environment variable ${secret.variable} is not set. ${where}.`);
  }
  return warnings;
}
