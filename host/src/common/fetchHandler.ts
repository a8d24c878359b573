/** The window's one way to the runtime: what the transports serve. */
export type FetchHandler = (request: Request) => Promise<Response>;
