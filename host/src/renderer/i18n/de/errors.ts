import type { Strings } from '../en/index.ts';
import { hostSentences } from './hostSentences.ts';

/** Was schiefging: je Code ein Satz und ein Rat. Was darüber hinaus gemeldet wird, folgt im Wortlaut. */
export const errors: Strings['errors'] = {
  kinds: {
    INVALID_REQUEST: { sentence: 'Die Anfrage ist ungültig.', advice: 'Beheben, was die Meldung nennt.' },
    NOT_SIGNED_IN: {
      sentence: 'Die Sitzung dieses Fensters ist abgelaufen.',
      advice: 'Die Adresse öffnen, die beim Start ausgegeben wurde.',
    },
    CONNECTION_UNKNOWN: { sentence: 'Die Verbindung existiert nicht.', advice: 'Liste der Verbindungen aktualisieren.' },
    CONNECTION_NAME_TAKEN: { sentence: 'Eine andere Verbindung hat schon diesen Namen.', advice: 'Einen anderen Namen wählen.' },
    SECRET_MISSING: {
      sentence: 'Die Verbindung hat keine gespeicherten Zugangsdaten.',
      advice: 'Die Verbindung bearbeiten und die Zugangsdaten neu eingeben.',
    },
    SECRET_NOT_CONFIRMED: {
      sentence: 'Das Ziel dieser Verbindung ist nicht das, das eingegeben oder bestätigt wurde.',
      advice: 'Das neue Ziel im Fenster oder mit „tabularium connections confirm NAME“ bestätigen.',
    },
    SSH_KEY_UNKNOWN: {
      sentence: 'Der Host-Schlüssel des SSH-Servers ist noch nicht bekannt, daher wurde nichts gesendet.',
      advice:
        'Die Verbindung im Fenster öffnen oder „tabularium connections test NAME“ ausführen und den Fingerabdruck mit dem vergleichen, den die Verwaltung des Servers nennt.',
    },
    SSH_KEY_CHANGED: {
      sentence: 'Der SSH-Server hat einen anderen Host-Schlüssel gezeigt als bisher, daher wurde nichts gesendet.',
      advice:
        'Jemand kann zwischen diesem Computer und dem Server sein. Bei der Verwaltung des Servers nachfragen, ob der Schlüssel ersetzt wurde. Erst dann den alten entfernen: aus known_hosts mit „ssh-keygen -R“, aus Tabularium mit „tabularium connections forget-host-key NAME“.',
    },
    SECURE_STORE_UNAVAILABLE: {
      sentence: 'Der sichere Speicher des Betriebssystems ist nicht verfügbar.',
      advice: 'Die Zugangsdaten nur für diese Sitzung behalten oder eine Umgebungsvariable nennen, die sie enthält.',
    },
    DRIVER_UNKNOWN: {
      sentence: 'Keine Registry hat einen Treiber für diesen Datenbanktyp.',
      advice: 'Die Registrys in den Einstellungen prüfen oder den Katalog aktualisieren.',
    },
    DRIVER_NOT_INSTALLED: {
      sentence: 'Der Treiber für diesen Datenbanktyp ist nicht installiert.',
      advice: 'Den Treiber in den Einstellungen unter „Treiber“ installieren.',
    },
    DRIVER_NOT_COMPATIBLE: {
      sentence: 'Keine Version dieses Treibers unterstützt diese Version von Tabularium.',
      advice: 'Tabularium aktualisieren.',
    },
    DRIVER_NOT_FOR_PLATFORM: {
      sentence: 'Der Treiber hat keine Dateien für diese Art von Computer.',
      advice: 'Den Autor des Treibers nach einer Version fragen, die darauf läuft.',
    },
    PLATFORM_FILES_MISSING: {
      sentence: 'Die Dateien des Treibers für diesen Computer fehlen.',
      advice:
        'Dem Autor des Treibers melden. Bei einer Datei das Archiv für diesen Computer daneben legen oder eine Datei nehmen, die „tabularium drivers bundle ID“ auf einem solchen Computer geschrieben hat.',
    },
    PLATFORM_FILES_ALONE: {
      sentence: 'Die Datei enthält nur die nativen Dateien eines Treibers für eine Plattform.',
      advice: 'Die Datei des Treibers selbst installieren. Die nativen Dateien liest Tabularium aus der Datei daneben.',
    },
    REGISTRY_UNREACHABLE: {
      sentence: 'Die Treiber-Registry hat nicht geantwortet.',
      advice: 'Netz und Adresse der Registry prüfen, dann erneut versuchen.',
    },
    CATALOGUE_EXPIRED: {
      sentence: 'Der signierte Katalog der Registry ist abgelaufen.',
      advice: 'Die Uhr dieses Computers prüfen, dann den Betreiber der Registry um einen neuen Katalog bitten.',
    },
    CATALOGUE_INVALID: {
      sentence: 'Die Signatur des Katalogs der Registry ist ungültig.',
      advice: 'Den Betreiber der Registry fragen, bevor etwas von ihr installiert wird.',
    },
    DRIVER_REVOKED: {
      sentence: 'Die Registry hat diese Version des Treibers zurückgezogen.',
      advice: 'Eine andere Version des Treibers installieren.',
    },
    ADDRESS_NOT_ALLOWED: {
      sentence: 'Die Pakete der Registry liegen an einer Adresse, die nicht erlaubt ist.',
      advice:
        'Den Betreiber der Registry fragen, dann ihren Server in den Einstellungen unter „Treiber“, „Registrys“ als Download-Server eintragen.',
    },
    PACKAGE_NOT_FOUND: {
      sentence: 'Die Registry enthält dieses Paket oder diese Version nicht.',
      advice: 'Eine andere Version wählen oder den Katalog aktualisieren.',
    },
    PACKAGE_TRUNCATED: {
      sentence: 'Das Paket ist nicht vollständig, daher wurde nichts installiert.',
      advice: 'Erneut herunterladen oder die Datei erneut kopieren.',
    },
    PACKAGE_TAMPERED: {
      sentence: 'Das Paket passt nicht zur Prüfsumme der Registry und wurde nicht installiert.',
      advice: 'Den Betreiber der Registry fragen, bevor sie wieder benutzt wird.',
    },
    PACKAGE_UNSIGNED: {
      sentence: 'Das Paket ist nicht signiert und wurde nicht installiert.',
      advice: 'Eine Version installieren, die ihr Herausgeber signiert hat.',
    },
    PACKAGE_SIGNATURE_INVALID: {
      sentence: 'Eine Datei des Pakets passt nicht zu ihrer Signatur, daher wurde das Paket nicht installiert.',
      advice: 'Dem Herausgeber des Treibers melden.',
    },
    PACKAGE_KEY_UNKNOWN: {
      sentence: 'Ein Herausgeber, dem noch nicht vertraut wird, hat das Paket signiert.',
      advice: 'Den Fingerabdruck mit dem des Herausgebers vergleichen, dann ihm vertrauen und erneut installieren.',
    },
    PACKAGE_KEY_REVOKED: {
      sentence: 'Der Schlüssel, der diesen Treiber signiert hat, wurde widerrufen.',
      advice: 'Eine Version installieren, die mit einem anderen Schlüssel signiert ist.',
    },
    PACKAGE_INVALID: {
      sentence: 'Das Paket ist kein Treiberpaket.',
      advice: 'Die Datei noch einmal beschaffen. Ändert das nichts, dem Autor des Treibers melden.',
    },
    PACKAGE_FAILED_TRIAL: {
      sentence: 'Der Treiber startete im Probelauf nicht.',
      advice: 'Die vorherige Version behalten und das dem Autor des Treibers melden.',
    },
    GRANT_NEEDED: {
      sentence: 'Der Treiber braucht eine Berechtigung, die noch nicht erteilt wurde.',
      advice:
        'Die Verbindung im Fenster öffnen und die Berechtigung erteilen oder „tabularium drivers allow ID BERECHTIGUNG“ benutzen.',
    },
    DRIVER_DOWNGRADE: {
      sentence: 'Eine ältere Version würde den installierten Treiber ersetzen.',
      advice: 'Die ältere Version im Fenster bestätigen oder den Befehl mit --allow-downgrade wiederholen.',
    },
    DRIVER_DISABLED: {
      sentence: 'Dieser Treiber ist deaktiviert.',
      advice: 'Den Treiber in den Einstellungen unter „Treiber“ oder mit „tabularium drivers enable ID“ aktivieren.',
    },
    INSTALLATION_DAMAGED: {
      sentence: 'Ein Teil von Tabularium lässt sich nicht laden.',
      advice: 'Tabularium neu installieren.',
    },
    DRIVER_ROLLED_BACK: {
      sentence: 'Die neue Version des Treibers stürzte beim ersten Gebrauch ab und wurde zurückgenommen.',
      advice: 'Mit der vorherigen Version erneut versuchen und den Absturz dem Autor des Treibers melden.',
    },
    OFFLINE: {
      sentence: 'Der Offline-Modus ist an, daher sind Registrys nicht verfügbar.',
      advice: 'Den Offline-Modus in den Einstellungen unter „Treiber“ ausschalten oder den Treiber aus einer Datei installieren.',
    },
    POLICY_FORBIDS: {
      sentence: 'Die Verwaltung dieses Computers hat das deaktiviert.',
      advice: 'Bei der Verwaltung dieses Computers nachfragen.',
    },
    HOME_IN_USE: {
      sentence: 'Ein anderes Tabularium benutzt dieses Datenverzeichnis.',
      advice: 'Dessen Fenster benutzen oder es beenden und erneut versuchen.',
    },
    HOME_UNUSABLE: {
      sentence: 'Das Datenverzeichnis ist nicht benutzbar.',
      advice: 'Besitzer und Berechtigungen prüfen oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    HOME_READ_ONLY: {
      sentence: 'Das Datenverzeichnis ist schreibgeschützt.',
      advice: 'Schreibschutz aufheben oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    DISK_FULL: { sentence: 'Der Datenträger ist voll.', advice: 'Platz schaffen und erneut versuchen.' },
    TOO_MANY_FILES: {
      sentence: 'Zu viele Dateien sind geöffnet.',
      advice:
        'Andere Programme schließen oder die Grenze erhöhen (unter Linux und macOS: „ulimit -n 1024“), dann erneut versuchen.',
    },
    DATABASE_DAMAGED: {
      sentence: 'Die Datenbank im Datenverzeichnis ist beschädigt.',
      advice: 'Eine Sicherung mit „tabularium restore DATEI“ wiederherstellen.',
    },
    DATABASE_FOREIGN: {
      sentence: 'Die Datenbank im Datenverzeichnis stammt nicht von Tabularium.',
      advice: 'Die Datei verschieben oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    DATABASE_NEWER: {
      sentence: 'Eine neuere Version von Tabularium hat die Datenbank geschrieben.',
      advice: 'Tabularium aktualisieren oder TABULARIUM_HOME auf ein anderes Verzeichnis setzen.',
    },
    DATABASE_LOCKED: {
      sentence: 'Ein anderes Programm hat die Datenbank gesperrt.',
      advice: 'Das Programm schließen, das die Datei geöffnet hat, und erneut versuchen.',
    },
    BACKUP_UNUSABLE: {
      sentence: 'Diese Datei lässt sich nicht wiederherstellen.',
      advice: 'Eine andere Sicherung aus dem Ordner „backups“ des Datenverzeichnisses wählen.',
    },
    TOKEN_UNKNOWN: { sentence: 'Das Token existiert nicht.', advice: 'Mit „tabularium tokens list“ alle Tokens anzeigen.' },
    ACCESS_FORBIDDEN: {
      sentence: 'Dieser Client darf diese Verbindung nicht benutzen.',
      advice: 'In der Verbindung unter „Erweitert“ die Einstellung „Externe Clients“ oder „KI-Richtlinie“ ändern.',
    },
    READ_ONLY: {
      sentence: 'Externe Clients können diese Verbindung nur lesen.',
      advice: 'Die Stufe unter „Erweitert“ in der Verbindung ändern oder die Anweisung im Fenster ausführen.',
    },
    APPROVAL_REQUIRED: {
      sentence: 'Ein Mensch muss das genehmigen.',
      advice: 'Genehmigen oder die KI-Richtlinie der Verbindung auf „Immer erlauben“ setzen.',
    },
    CONNECTION_READ_ONLY: {
      sentence: 'Diese Verbindung ist schreibgeschützt.',
      advice: 'Den Schreibschutz unter „Erweitert“ in der Verbindung ausschalten.',
    },
    SESSION_LIMIT: {
      sentence: 'Die Verbindung hat so viele Konsolensitzungen offen, wie sie haben kann.',
      advice: 'Einen Tab der Konsole schließen oder seine Sitzung beenden.',
    },
    NOT_EDITABLE: {
      sentence: 'Diese Zeilen können nicht bearbeitet werden.',
      advice: 'Die Zeilen in der Konsole ändern, wenn der Treiber eine hat.',
    },
    SAVE_RUNNING: {
      sentence: 'Änderungen dieser Tabelle werden gerade gespeichert.',
      advice: 'Das Ende des Speicherns abwarten oder es abbrechen.',
    },
    FILE_EXISTS: {
      sentence: 'Eine Datei mit diesem Namen existiert schon.',
      advice: 'Einen anderen Namen wählen oder das Ersetzen der Datei bestätigen.',
    },
    FILE_UNWRITABLE: {
      sentence: 'Die Datei kann nicht geschrieben werden.',
      advice: 'Prüfen, ob der Ordner existiert, ob er beschreibbar ist und ob der Datenträger Platz hat.',
    },
    CANCELLED: { sentence: 'Abgebrochen.', advice: 'Es ist nichts zu tun.' },
    INTERNAL: {
      sentence: 'In Tabularium ist ein interner Fehler aufgetreten.',
      advice: 'Erneut versuchen und Einzelheiten im Protokoll im Datenverzeichnis nachsehen.',
    },
    INVALID_INPUT: { sentence: 'Die Eingabe ist ungültig.', advice: 'Beheben, was die Meldung nennt.' },
    UNSUPPORTED: {
      sentence: 'Diese Datenbank unterstützt das nicht.',
      advice: 'Einen anderen Weg wählen, wenn die Meldung einen nennt.',
    },
    NOT_FOUND: {
      sentence: 'Das Element existiert nicht.',
      advice: 'Die Liste aktualisieren, denn das Element wurde vielleicht gelöscht oder umbenannt.',
    },
    CONFLICT: {
      sentence: 'Das Element existiert schon oder wurde von anderer Seite geändert.',
      advice: 'Neu laden, den jetzigen Wert prüfen und erneut versuchen.',
    },
    STRUCTURE_CHANGED: {
      sentence: 'Die Struktur der Tabelle hat sich geändert.',
      advice: 'Die Struktur der Tabelle neu laden und erneut versuchen.',
    },
    ACCESS_REFUSED: {
      sentence: 'Der Server hat die Zugangsdaten für diese Anfrage abgelehnt.',
      advice: 'Die Zugangsdaten in der Verbindung korrigieren oder solche mit mehr Berechtigungen benutzen.',
    },
    CREDENTIALS_MISSING: {
      sentence: 'Die Verbindung hat keine Zugangsdaten.',
      advice: 'Die Zugangsdaten in der Verbindung eingeben.',
    },
    HOST_NOT_FOUND: { sentence: 'Der Hostname konnte nicht aufgelöst werden.', advice: 'Hostnamen und Netzverbindung prüfen.' },
    CONNECTION_REFUSED: {
      sentence: 'Unter dieser Adresse nimmt kein Server Verbindungen an.',
      advice: 'Host und Port prüfen, und ob der Server läuft.',
    },
    CONNECTION_LOST: {
      sentence: 'Die Verbindung brach ab, bevor die Antwort vollständig war.',
      advice: 'Prüfen, ob eine laufende Änderung ausgeführt wurde, dann erneut versuchen.',
    },
    TLS_FAILED: {
      sentence: 'Die Identität des Servers konnte nicht überprüft werden.',
      advice: 'SSL-Modus, Hostname und Zertifizierungsstelle in den SSL-Einstellungen der Verbindung prüfen.',
    },
    TIMEOUT: {
      sentence: 'Der Server hat nicht rechtzeitig geantwortet.',
      advice:
        'Prüfen, ob der Server läuft und nicht überlastet ist und keine Firewall die Verbindung verwirft; dann erneut versuchen.',
    },
    SERVER_NOT_READY: {
      sentence: 'Der Server startet oder holt Rückstände auf.',
      advice: 'Einige Sekunden warten und erneut versuchen.',
    },
    RATE_LIMITED: {
      sentence: 'Die Anfragegrenze des Servers ist erreicht.',
      advice: 'Einen Augenblick warten und erneut versuchen.',
    },
    SERVER_ERROR: { sentence: 'Der Server hat einen Fehler gemeldet.', advice: 'Die Meldung des Servers unter „Details“ lesen.' },
    BAD_ANSWER: {
      sentence: 'Der Treiber konnte die Antwort des Servers nicht lesen.',
      advice: 'Prüfen, ob Host und Port zur richtigen Art von Server gehören.',
    },
    TOO_LARGE: { sentence: 'Die Antwort ist größer als das Limit.', advice: 'Weniger Zeilen oder Spalten anfordern.' },
    ROWS_DIFFER: {
      sentence: 'Die Anzahl der exportierten Zeilen weicht von der Zählung der Datenbank ab.',
      advice:
        'Noch einmal exportieren. Weichen die Zahlen wieder ab, die Tabelle in der Datenbank prüfen oder die Datei behalten und ihre Zeilen prüfen.',
    },
    PERMISSION_DENIED: {
      sentence: 'Der Treiber benutzte eine Fähigkeit, die sein Manifest nicht angibt.',
      advice: 'Dem Autor des Treibers melden.',
    },
    DRIVER_CRASHED: {
      sentence: 'Der Treiberprozess ist abgestürzt.',
      advice: 'Erneut versuchen und den Treiber auf die vorherige Version zurücksetzen, wenn das wieder geschieht.',
    },
    DRIVER_FAULT: {
      sentence: 'Der Treiber hat seinen Vertrag verletzt.',
      advice: 'Den Treiber aktualisieren oder das seinem Autor melden.',
    },
  },
  sentences: hostSentences,
  byHost: (sentence, original) => `${sentence} Im Wortlaut: „${original}“`,
  byDriver: (sentence, original) => `${sentence} Der Treiber meldet: „${original}“`,
};
