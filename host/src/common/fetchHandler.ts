/** The window's one way to the runtime: what the carriers serve. */
export type FetchHandler = (request: Request) => Promise<Response>;
