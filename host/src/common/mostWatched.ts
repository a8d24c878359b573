/** As many things are followed in one stream: the windows of a browser share one. */
export const MOST_WATCHED = 500;
