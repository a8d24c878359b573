// The parts of Node that a driver's process keeps. The program in the process holds to it, the author's tools check against it, the guide prints it.
export type { Kept } from './kept.ts';
export { KEPT_GLOBALS, KEPT_PROCESS } from './keptGlobals.ts';
export { GRANTED_MODULES, KEPT_MODULES } from './keptModules.ts';
export { importProblem, isImportable } from './importProblem.ts';
