import type { Strings } from '../en/index.ts';

/** The way to a server: an SSH server or a SOCKS proxy. */
export const tunnelWords: Strings['tunnels'] = {
  fields: {
    'connect.through': { label: 'Verbinden über' },
    'ssh.host': { label: 'SSH-Host' },
    'ssh.port': { label: 'SSH-Port' },
    'ssh.user': { label: 'SSH-Benutzer' },
    'ssh.signIn': { label: 'Anmelden mit' },
    'ssh.password': { label: 'SSH-Passwort' },
    'ssh.key': {
      label: 'Privater Schlüssel',
      help: 'Der vollständige Pfad des privaten Schlüssels auf dem Computer, auf dem Tabularium läuft.',
    },
    'ssh.passphrase': { label: 'Passphrase', help: 'Leer, wenn der Schlüssel keine hat.' },
    'socks.host': { label: 'Proxy-Host' },
    'socks.port': { label: 'Proxy-Port' },
    'socks.user': { label: 'Proxy-Benutzer', help: 'Leer, wenn der Proxy keinen verlangt.' },
    'socks.password': { label: 'Proxy-Passwort', help: 'SOCKS5 sendet es unverschlüsselt an den Proxy.' },
  },
  options: {
    direct: { label: 'Direkt' },
    ssh: { label: 'SSH-Server', help: 'Der SSH-Server löst den Namen des Datenbankservers auf und verbindet sich mit ihm.' },
    socks: { label: 'SOCKS5-Proxy', help: 'Der Proxy löst den Namen des Datenbankservers auf und verbindet sich mit ihm.' },
    password: { label: 'Passwort' },
    key: { label: 'Datei mit privatem Schlüssel' },
    agent: { label: 'SSH-Agent', help: 'Die Schlüssel des Agenten, den SSH_AUTH_SOCK nennt.' },
  },
  through: (url) => `Über ${url}.`,
  hostKey: {
    title: 'Den Host-Schlüssel des SSH-Servers prüfen',
    text: (server) =>
      `Das ist die erste Verbindung zum SSH-Server ${server}. Diesen Fingerabdruck mit dem vergleichen, den die Verwaltung des Servers nennt.`,
    server: 'SSH-Server',
    type: 'Art des Schlüssels',
    fingerprint: 'Fingerabdruck',
    hint: 'Es wurde noch nichts gesendet. Weichen die Fingerabdrücke voneinander ab, kann jemand zwischen diesem Computer und dem Server sein: abbrechen.',
    ask: 'Fingerabdruck prüfen…',
    confirm: 'Sie stimmen überein: Server vertrauen',
    cancel: 'Abbrechen',
    failed: 'Der Host-Schlüssel wurde nicht angenommen',
    advice: 'Erneut versuchen und den Fingerabdruck mit dem vergleichen, den die Verwaltung des Servers nennt.',
  },
};
