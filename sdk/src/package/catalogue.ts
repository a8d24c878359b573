/** Where a registry serves the metadata of its signed catalogue, relative to its address. */
export const CATALOGUE_PATH = '-/tabularium/catalogue/';
