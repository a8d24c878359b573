/** The numbers of the array types that the server itself has: the same in every version. A test asks the server for them. */
export const OWN_ARRAYS: readonly number[] = [];
