/** The advice where drivers are needed, and no registry is set up. */
export const WITHOUT_REGISTRY =
  'Install the driver from a file: "tabularium drivers install --file FILE". Or name a registry of npm that has it: "tabularium drivers registries add URL", or the variable TABULARIUM_REGISTRIES.';
