import type { Strings } from '../en/index.ts';

/** Was schiefging: je Code ein Satz und ein Rat. Was darüber hinaus gemeldet wird, folgt im Wortlaut. */
export const errors: Strings['errors'] = {
  kinds: {
    INVALID_REQUEST: { sentence: 'Die Anfrage ist ungültig.', advice: 'Den genannten Wert berichtigen.' },
    NOT_SIGNED_IN: {
      sentence: 'Dieses Fenster hat keinen Zugang zum laufenden Tabularium.',
      advice: 'Die Adresse öffnen, die beim Start ausgegeben wurde.',
    },
    CONNECTION_UNKNOWN: { sentence: 'Diese Verbindung gibt es nicht.', advice: 'Liste der Verbindungen aktualisieren.' },
    CONNECTION_NAME_TAKEN: { sentence: 'Eine andere Verbindung heißt schon so.', advice: 'Anderen Namen wählen.' },
    SECRET_MISSING: {
      sentence: 'Zugangsdaten dieser Verbindung fehlen.',
      advice: 'Verbindung bearbeiten und die Zugangsdaten neu eingeben.',
    },
    SECRET_NOT_CONFIRMED: {
      sentence: 'Zugangsdaten dieser Verbindung würden an ein anderes Ziel gehen, als bei ihrer Eingabe vorgesehen war.',
      advice: 'Alt und neu im Fenster oder mit „tabularium connections confirm“ vergleichen.',
    },
    SECURE_STORE_UNAVAILABLE: {
      sentence: 'Der sichere Speicher des Betriebssystems ist nicht verfügbar.',
      advice:
        'Zugangsdaten nur für diese Sitzung behalten oder eine Umgebungsvariable nennen, die sie enthält. Unverschlüsselt werden sie nie gespeichert.',
    },
    DRIVER_UNKNOWN: {
      sentence: 'Keine Registry kennt diesen Typ von Datenbank.',
      advice: 'Registry in den Einstellungen prüfen oder den Katalog aktualisieren.',
    },
    DRIVER_NOT_INSTALLED: {
      sentence: 'Der Treiber für diesen Typ von Datenbank ist nicht installiert.',
      advice: 'Treiber installieren; die Wahl des Typs in einer neuen Verbindung genügt dafür.',
    },
    DRIVER_NOT_COMPATIBLE: {
      sentence: 'Keine Version dieses Treibers läuft mit dieser Version von Tabularium.',
      advice: 'Tabularium aktualisieren.',
    },
    REGISTRY_UNREACHABLE: {
      sentence: 'Die Registry der Treiber hat nicht geantwortet.',
      advice: 'Netz und Adresse der Registry prüfen, dann erneut versuchen.',
    },
    CATALOGUE_EXPIRED: {
      sentence: 'Der signierte Katalog der Registry ist abgelaufen.',
      advice:
        'Uhr dieses Computers prüfen. Geht sie richtig, signiert die Registry nicht mehr, oder neuere Kataloge werden zurückgehalten. Installierte Treiber laufen weiter.',
    },
    CATALOGUE_INVALID: {
      sentence: 'Dem signierten Katalog der Registry ist nicht zu trauen.',
      advice: 'Nichts von dieser Registry installieren, bis ihr Betreiber das erklärt hat. Installierte Treiber laufen weiter.',
    },
    DRIVER_REVOKED: {
      sentence: 'Die Registry hat diese Version des Treibers zurückgezogen.',
      advice: 'Andere Version des Treibers installieren.',
    },
    ADDRESS_NOT_ALLOWED: {
      sentence: 'Die Registry führt zu einer Adresse, die sie nicht benutzen darf.',
      advice:
        'Kommen die Pakete nach Angabe des Betreibers von dort, die Herkunft in den Einstellungen unter „Treiber“ zur Registry hinzufügen.',
    },
    PACKAGE_NOT_FOUND: {
      sentence: 'Die Registry hat dieses Paket oder diese Version nicht.',
      advice: 'Andere Version wählen oder den Katalog aktualisieren.',
    },
    PACKAGE_TRUNCATED: {
      sentence: 'Der Download brach vorzeitig ab.',
      advice: 'Erneut versuchen; es wurde nichts installiert.',
    },
    PACKAGE_TAMPERED: {
      sentence: 'Das Paket ist nicht das, welches die Registry angekündigt hat.',
      advice: 'Diese Registry nicht benutzen, bis ihr Betreiber das erklärt hat. Es wurde nichts installiert.',
    },
    PACKAGE_UNSIGNED: {
      sentence: 'Das Paket ist nicht signiert.',
      advice: 'Nur Treiber installieren, die ihr Herausgeber signiert hat. Es wurde nichts installiert.',
    },
    PACKAGE_SIGNATURE_INVALID: {
      sentence: 'Eine Datei des Pakets weicht von dem ab, was der Herausgeber signiert hat.',
      advice: 'Dieses Paket nicht benutzen. Es wurde nichts installiert.',
    },
    PACKAGE_KEY_UNKNOWN: {
      sentence: 'Das Paket hat ein Herausgeber signiert, dem noch nicht vertraut wird.',
      advice: 'Dem Herausgeber erst vertrauen, wenn sein Fingerabdruck bekannt ist. Es wurde nichts installiert.',
    },
    PACKAGE_KEY_REVOKED: {
      sentence: 'Der Schlüssel, mit dem dieser Treiber signiert ist, wurde widerrufen.',
      advice: 'Eine Version installieren, die mit einem gültigen Schlüssel signiert ist.',
    },
    PACKAGE_INVALID: {
      sentence: 'Das Paket ist kein gültiges Treiberpaket.',
      advice: 'Dem Autor des Treibers melden. Es wurde nichts installiert.',
    },
    PACKAGE_FAILED_TRIAL: {
      sentence: 'Der Treiber ließ sich im Probelauf nicht starten.',
      advice: 'Die vorherige Version bleibt in Gebrauch. Dem Autor des Treibers melden.',
    },
    GRANT_NEEDED: {
      sentence: 'Der Treiber will die Sandbox verlassen, und das ist noch nicht erlaubt.',
      advice: 'Verbindung im Fenster öffnen und die Frage beantworten oder „tabularium drivers allow“ benutzen.',
    },
    DRIVER_DOWNGRADE: {
      sentence: 'Der Treiber würde durch eine ältere Version ersetzt.',
      advice: 'Im Fenster bestätigen oder den Befehl mit --allow-downgrade wiederholen. Es wurde nichts geändert.',
    },
    DRIVER_DISABLED: {
      sentence: 'Dieser Treiber ist deaktiviert.',
      advice: 'In den Einstellungen unter „Treiber“ oder mit „tabularium drivers enable“ aktivieren.',
    },
    INSTALLATION_DAMAGED: {
      sentence: 'Ein Teil von Tabularium lässt sich nicht laden.',
      advice: 'Tabularium neu installieren.',
    },
    DRIVER_ROLLED_BACK: {
      sentence: 'Die neue Version des Treibers stürzte beim ersten Gebrauch ab. Die vorherige ist wieder in Gebrauch.',
      advice: 'Erneut versuchen; die vorherige Version wird benutzt. Den Absturz dem Autor des Treibers melden.',
    },
    OFFLINE: {
      sentence: 'Der Offline-Modus ist an: Keine Registry wird gefragt.',
      advice: 'Offline-Modus in den Einstellungen unter „Treiber“ ausschalten oder den Treiber aus einer Datei installieren.',
    },
    POLICY_FORBIDS: {
      sentence: 'Die Verwaltung dieses Computers erlaubt das nicht.',
      advice: 'Bei der Verwaltung dieses Computers nachfragen.',
    },
    HOME_IN_USE: {
      sentence: 'Das Datenverzeichnis wird schon von einem laufenden Tabularium benutzt.',
      advice: 'Dieses zuerst beenden oder sein Fenster benutzen; Befehle sprechen von selbst mit ihm.',
    },
    HOME_UNUSABLE: {
      sentence: 'Das Datenverzeichnis ist nicht benutzbar.',
      advice: 'Besitzer und Schreibrecht prüfen oder TABULARIUM_HOME setzen.',
    },
    HOME_READ_ONLY: {
      sentence: 'Das Datenverzeichnis ist schreibgeschützt.',
      advice: 'Schreibschutz aufheben oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    DISK_FULL: {
      sentence: 'Der Datenträger ist voll.',
      advice: 'Platz schaffen und erneut versuchen. Was vorher gespeichert war, ist unverändert.',
    },
    TOO_MANY_FILES: {
      sentence: 'Zu viele Dateien sind zugleich geöffnet.',
      advice:
        'Andere Programme schließen oder die Grenze erhöhen (unter Linux und macOS: „ulimit -n 1024“), dann erneut versuchen.',
    },
    DATABASE_DAMAGED: {
      sentence: 'Die Datei mit den Daten von Tabularium ist beschädigt.',
      advice: 'Eine Sicherung mit „tabularium restore DATEI“ wiederherstellen. Es wurde nichts geändert oder gelöscht.',
    },
    DATABASE_FOREIGN: {
      sentence: 'Die Datei im Datenverzeichnis stammt nicht von Tabularium.',
      advice:
        'Datei an einen anderen Ort verschieben oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen. Es wurde nichts geändert oder gelöscht.',
    },
    DATABASE_NEWER: {
      sentence: 'Eine neuere Version von Tabularium hat diese Daten geschrieben.',
      advice: 'Tabularium aktualisieren oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    DATABASE_LOCKED: {
      sentence: 'Ein anderes Programm hat die Daten von Tabularium gesperrt.',
      advice: 'Das Programm schließen, das die Datei geöffnet hat, und erneut versuchen.',
    },
    BACKUP_UNUSABLE: {
      sentence: 'Diese Datei lässt sich nicht wiederherstellen.',
      advice:
        'Andere Sicherung wählen; die Sicherungen stehen im Ordner „backups“ des Datenverzeichnisses. Es wurde nichts geändert.',
    },
    TOKEN_UNKNOWN: { sentence: 'Dieses Token gibt es nicht.', advice: 'Liste der Token ansehen.' },
    ACCESS_FORBIDDEN: {
      sentence: 'Diese Verbindung ist für diesen Client nicht freigegeben.',
      advice: 'Unter „Erweitert“ in der Verbindung ändern, was externe Clients und KI dürfen.',
    },
    READ_ONLY: {
      sentence: 'Externe Clients dürfen diese Verbindung nur lesen.',
      advice: 'Unter „Erweitert“ in der Verbindung ändern oder die Anweisung im Fenster ausführen.',
    },
    APPROVAL_REQUIRED: {
      sentence: 'Das muss von einem Menschen freigegeben werden.',
      advice: 'Freigeben oder die KI-Regel der Verbindung auf „Immer erlauben“ setzen.',
    },
    NOT_EDITABLE: {
      sentence: 'Diese Zeilen lassen sich nicht bearbeiten.',
      advice: 'Der Grund steht in der Meldung; vielleicht geht es in der Konsole.',
    },
    SAVE_RUNNING: {
      sentence: 'Änderungen dieser Tabelle werden gerade gespeichert.',
      advice: 'Das Ende abwarten oder das Speichern abbrechen.',
    },
    FILE_EXISTS: {
      sentence: 'Eine Datei mit diesem Namen gibt es schon.',
      advice: 'Anderen Namen wählen oder das Ersetzen der Datei bestätigen.',
    },
    FILE_UNWRITABLE: {
      sentence: 'Die Datei lässt sich nicht schreiben.',
      advice: 'Prüfen, ob es den Ordner gibt, ob dort geschrieben werden darf und ob genug Platz ist.',
    },
    CANCELLED: { sentence: 'Abgebrochen.', advice: 'Es ist nichts zu tun.' },
    INTERNAL: {
      sentence: 'In Tabularium ist etwas schiefgegangen.',
      advice: 'Erneut versuchen. Einzelheiten stehen im Protokoll im Datenverzeichnis.',
    },
    INVALID_INPUT: { sentence: 'Die Eingabe ist ungültig.', advice: 'Den genannten Wert berichtigen.' },
    UNSUPPORTED: {
      sentence: 'Das kann diese Datenbank nicht.',
      advice: 'Anderen Weg wählen; die Meldung sagt, welchen es gibt.',
    },
    NOT_FOUND: {
      sentence: 'Das Gesuchte gibt es nicht.',
      advice: 'Liste aktualisieren; es wurde vielleicht gelöscht oder umbenannt.',
    },
    CONFLICT: {
      sentence: 'Das gibt es schon, oder es wurde inzwischen von anderer Seite geändert.',
      advice: 'Neu laden, den jetzigen Wert ansehen und erneut versuchen.',
    },
    STRUCTURE_CHANGED: {
      sentence: 'Die Struktur der Tabelle ist anders als erwartet.',
      advice: 'Struktur der Tabelle neu laden und erneut versuchen.',
    },
    ACCESS_REFUSED: {
      sentence: 'Der Server hat die Zugangsdaten für diese Anfrage abgelehnt.',
      advice: 'Zugangsdaten in der Verbindung berichtigen oder solche mit ausreichenden Rechten benutzen.',
    },
    CREDENTIALS_MISSING: {
      sentence: 'Die Verbindung hat keine Zugangsdaten.',
      advice: 'Zugangsdaten in der Verbindung eingeben.',
    },
    HOST_NOT_FOUND: { sentence: 'Der Hostname ist unbekannt.', advice: 'Hostnamen und Netz prüfen.' },
    CONNECTION_REFUSED: {
      sentence: 'Unter dieser Adresse antwortet nichts.',
      advice: 'Host und Port prüfen, und ob der Server läuft.',
    },
    CONNECTION_LOST: {
      sentence: 'Die Verbindung brach ab, bevor die Antwort vollständig war.',
      advice: 'Erneut versuchen; ob eine begonnene Änderung noch ausgeführt wurde, ist offen.',
    },
    TLS_FAILED: {
      sentence: 'Der Server hat seine Identität nicht nachgewiesen.',
      advice: 'SSL-Modus, Hostname und Zertifizierungsstelle in den SSL-Einstellungen der Verbindung prüfen.',
    },
    TIMEOUT: {
      sentence: 'Der Server hat nicht rechtzeitig geantwortet.',
      advice: 'Erneut versuchen oder die Zeitgrenze in der Verbindung erhöhen.',
    },
    SERVER_NOT_READY: {
      sentence: 'Der Server startet oder holt Rückstände auf.',
      advice: 'Einige Sekunden warten und erneut versuchen.',
    },
    RATE_LIMITED: { sentence: 'Der Server verlangt weniger Anfragen.', advice: 'Einen Augenblick warten und erneut versuchen.' },
    SERVER_ERROR: {
      sentence: 'Der Server hat einen Fehler gemeldet.',
      advice: 'Die Meldung des Servers steht unter „Details“.',
    },
    BAD_ANSWER: {
      sentence: 'Der Treiber versteht die Antwort des Servers nicht.',
      advice: 'Prüfen, ob Host und Port zur richtigen Art von Server gehören.',
    },
    TOO_LARGE: {
      sentence: 'Die Antwort ist größer als erlaubt.',
      advice: 'Weniger Zeilen oder Spalten abfragen.',
    },
    PERMISSION_DENIED: {
      sentence: 'Der Treiber wollte etwas, das sein Manifest nicht nennt.',
      advice: 'Dem Autor des Treibers melden.',
    },
    DRIVER_CRASHED: {
      sentence: 'Der Prozess des Treibers endete unerwartet.',
      advice:
        'Erneut versuchen: Die Sitzung öffnet sich von selbst wieder. Geschieht es wiederholt, zur vorherigen Version des Treibers zurückkehren.',
    },
    DRIVER_FAULT: {
      sentence: 'Der Treiber hat sich nicht an die Regeln seiner Schnittstelle gehalten.',
      advice: 'Treiber aktualisieren oder dem Autor des Treibers melden.',
    },
  },
  byHost: (sentence, original) => `${sentence} Im Wortlaut: „${original}“`,
  byDriver: (sentence, original) => `${sentence} Der Treiber meldet: „${original}“`,
};
