// The parts of Node that a driver's process keeps. The program in the process holds to it, the author's tools check against it, the guide prints it.
export type { AllowedNames } from './allowedNames.ts';
export { ALLOWED_GLOBALS, ALLOWED_PROCESS } from './allowedGlobals.ts';
export { GRANTED_MODULES, ALLOWED_MODULES } from './allowedModules.ts';
export { importProblem, isImportable } from './importProblem.ts';
