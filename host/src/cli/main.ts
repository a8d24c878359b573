import { reportLoadFailure } from './loadFailure.ts';

// Nothing of ours is imported statically but what is bundled into this file: a chunk that Node cannot load ends the process with a raw stack
// before a line of ours runs.
const program = await import('./runProgram.ts').catch((error: unknown) => {
  reportLoadFailure(error, process.argv.slice(2));
  return undefined;
});
await program?.runProgram();
