import type { Implementation } from '@modelcontextprotocol/server';

/** `icons/tabularium-48.png`, in the answer itself: a client that shows it need not ask anybody for it. */
const ICON =
  'data:image/png;base64,' +
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmHAAABaUlEQVR4nOzZP0vDUBQF8POCwU7iooKDzga1joIOTq66ORXs4JTBT6MIYhGKzq2bbm6OUv+U' +
  'buog6KpQROv1GQRt31MIQu9NuL8lSW8L59AkD5IAGRcg47QANy3AbeCv4dT6RQkGqzA0b2DG0UcEugeZM7tTa+7PVH/7nvF9GJUuJyikXTtchgAEnJhXs3Fd' +
  'nb7rnflPoZAOpYT/lGQJ6cA3cwpE5UbZbhYgz+JXti6ef8CsQSw3m3sRG8xBKk82311oDHI52XQh45a/lTheGYVkcaX72FmJyYJgxvp5nL9TaPvoEWksFYcQ' +
  'TRaS/aubNk4bT+gnp8BWPV2BkeHwu8BtO/Xv/0tvo9y0ADctwE0LcNMC3LQANy3ALZcFHiCXk80tQDiHVJ5sTgEKaAdC+bI5BZp7szXb9BjSENWTbD28F3HH' +
  'vG/aZysvkOP5rTMY+wbeV0ytSrFlN4XMvmLKEl3IuGkBbpkv8AEAAP//hc0j1gAAAAZJREFUAwCrvF8HQwsmJgAAAABJRU5ErkJggg==';

/** The server as each answer of the stateless protocol names it. */
export function serverName(version: string): Implementation {
  return { name: 'tabularium', title: 'Tabularium', version };
}

/**
 * The server as clients show it to a person: with a sentence, an icon, and its website where it has one. Sent where a client asks who this is,
 * and not with every answer.
 */
export function serverIdentity(version: string, website: string | undefined): Implementation {
  return {
    ...serverName(version),
    description: 'The database connections that its owner has saved in Tabularium and opened to this client.',
    icons: [{ src: ICON, mimeType: 'image/png', sizes: ['48x48'] }],
    ...(website === undefined ? {} : { websiteUrl: website }),
  };
}
