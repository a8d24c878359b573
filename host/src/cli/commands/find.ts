import type { SavedConnection } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { HostServices } from '../hostServices.ts';
import type { CommandContext } from './command.ts';
import type { OpeningStep } from '../../runtime/data/sessions.ts';

/** The connection with that id or, letter case aside, that name. @throws HostError `CONNECTION_UNKNOWN` */
export function findConnection(services: HostServices, nameOrId: string): SavedConnection {
  const wanted = nameOrId.trim().toLowerCase();
  const all = services.connections.list();
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new HostError('CONNECTION_UNKNOWN', `There is no connection "${nameOrId}".`, {
    details: { advice: 'Run "tabularium connections list" to see which there are.' },
  });
}

/** Tells what opening a session waits for. */
export function tellOpening(context: CommandContext): (step: OpeningStep) => void {
  return (step) =>
    void context.emit(step.step === 'installing' ? { type: 'install', progress: step.install } : { type: 'connecting' });
}
