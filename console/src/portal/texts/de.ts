import type { PortalTexts } from './texts.ts'

/** The portal in German. */
export const de: PortalTexts = {
  language: 'Deutsch',
  title: (product) => `Ihr Verzeichnis mit ${product} verbinden`,
  lead: (product) =>
    `Ihre Benutzer und Gruppen gelangen dann von selbst zu ${product}: Neue Mitarbeiter erhalten Zugriff, ausgeschiedene verlieren ihn.`,
  validUntil: (date) => `Dieser Link gilt bis ${date}.`,
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  failed: 'Das konnte nicht geladen werden.',
  linkGone: 'Dieser Link gilt nicht mehr: Bitten Sie um einen neuen.',
  switchLanguage: 'Sprache',
  switchScheme: { light: 'Helle Darstellung', dark: 'Dunkle Darstellung' },
  copy: (label) => `${label} kopieren`,
  copyShort: 'Kopieren',
  copied: 'Kopiert',
  requestId: (id) => `Anfrage ${id}`,
  choose: {
    heading: 'Welchen Identitätsanbieter verwenden Sie?',
    other: 'Anderer Anbieter mit SCIM 2.0',
    change: 'Anderen Anbieter wählen',
    changeTitle: 'Anderen Anbieter wählen?',
    changeText:
      'Die angezeigte Adresse und das Geheimnis gelten dann nicht mehr. Das geht nur, solange noch kein Benutzer angekommen ist.',
    cancel: 'Abbrechen',
    confirm: 'Anderen wählen',
  },
  values: {
    heading: 'Werte zum Kopieren',
    endpoint: 'Basis-URL',
    secret: 'Geheimes Token',
    shownOnce: 'Kopieren Sie das Token jetzt: Es wird nicht noch einmal angezeigt.',
    hidden: 'Das Token wurde angezeigt, als es erstellt wurde. Erstellen Sie ein neues, wenn Sie es nicht haben.',
    rotate: 'Neues Token erstellen',
    rotateTitle: 'Neues Token erstellen?',
    rotateText: 'Tragen Sie das neue Token danach bei Ihrem Identitätsanbieter ein.',
    keepOld: 'Das bisherige Token gilt noch einen Tag',
    stopOld: 'Das bisherige Token gilt ab sofort nicht mehr',
    confirm: 'Neues Token erstellen',
  },
  steps: {
    heading: 'Schritte',
    variants: {
      standard: 'Anwendung',
      'private-app': 'Eigene Anwendung',
      'catalog-app': 'Aus dem Katalog',
    },
    drawing: (title) => `Zeichnung des Formulars „${title}“ mit den auszufüllenden Feldern`,
    turnOn: 'ein',
    clickPath: 'Klickweg',
    texts: {
      createApp: () => 'Erstellen Sie in der Verwaltungskonsole eine Anwendung für Ihre Benutzer.',
      addCatalogApp: (product) => `Suchen Sie im Katalog nach ${product} und fügen Sie die Anwendung hinzu.`,
      enableScim: () => 'Schalten Sie die SCIM-Bereitstellung der Anwendung ein.',
      enterConnection: () => 'Tragen Sie Adresse und Token ein und testen Sie die Verbindung.',
      enableActions: () => 'Erlauben Sie, Benutzer anzulegen, zu ändern und zu deaktivieren.',
      checkMappings: () => 'Prüfen Sie, ob die Attribute unten übertragen werden.',
      assign: () => 'Weisen Sie die Benutzer oder Gruppen zu, die Zugriff erhalten sollen. Nur sie werden übertragen.',
      pushGroups: () => 'Wählen Sie die Gruppen, die mit ihren Mitgliedern erscheinen sollen.',
      startProvisioning: () =>
        'Starten Sie die Bereitstellung. Der erste Lauf kann bis zu 40 Minuten dauern, spätere Änderungen kommen früher an.',
      activate: () => 'Aktivieren Sie die Verbindung. Dabei wird ein Testbenutzer angelegt und wieder gelöscht.',
      createRule: () =>
        'Erstellen Sie eine Regel, die festlegt, welche Benutzer und Gruppen übertragen werden, und schalten Sie sie ein.',
      roleMappings: () => 'Fügen Sie die Rollen hinzu, deren Mitglieder übertragen werden sollen.',
      googleAdministrator: () =>
        'Sie benötigen ein Konto, das alle Benutzer und Gruppen lesen darf, etwa das eines Super Admins Ihres Google Workspace.',
      googleConsent: () =>
        'Verbinden Sie unten. Google fragt, ob Benutzer und Gruppen gelesen werden dürfen; geändert wird nie etwas.',
      googleFirstSync: () =>
        'Der erste Abgleich beginnt von selbst und wiederholt sich dann. Große Verzeichnisse brauchen einige Minuten.',
      genericConnection: () => 'Tragen Sie Adresse und Token in den SCIM-Einstellungen Ihres Identitätsanbieters ein.',
      genericMappings: () =>
        'Übertragen Sie mindestens userName und active; die übrigen Attribute unten sind willkommen.',
      genericActions: () =>
        'Schalten Sie das Anlegen, Ändern und Deaktivieren von Benutzern und das Übertragen von Gruppen ein.',
      genericAssign: () => 'Weisen Sie die Benutzer oder Gruppen zu, die Zugriff erhalten sollen.',
    },
  },
  google: {
    connect: 'Google Workspace verbinden',
    reconnect: 'Erneut verbinden',
    connected: 'Google Workspace ist verbunden.',
    again: (reason) => `Google Workspace muss erneut verbunden werden: ${reason}`,
    pending: (reason) => `${reason} Wer Ihnen diesen Link geschickt hat, muss es bestätigen.`,
  },
  attributes: {
    heading: 'Zu übertragende Attribute',
    attribute: 'SCIM-Attribut',
    meaning: 'Bedeutung',
    required: 'erforderlich',
    meanings: {
      userName: 'Der Name, der den Benutzer bezeichnet, meist die E-Mail-Adresse',
      'name.givenName': 'Vorname',
      'name.familyName': 'Nachname',
      'emails[type eq "work"].value': 'E-Mail-Adresse; fehlt sie, gilt der userName',
      active: 'Ob der Benutzer Zugriff hat',
      displayName: 'Vollständiger Name',
      externalId: 'Die ID des Benutzers bei Ihrem Identitätsanbieter',
      title: 'Berufsbezeichnung',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Abteilung',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'Personalnummer',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'Vorgesetzter',
    },
  },
  health: {
    heading: 'Was angekommen ist',
    complete: 'Alles funktioniert. Sie können diese Seite schließen; derselbe Link zeigt den Zustand der Verbindung.',
    progress: (done, all) => `${done} von ${all} gesehen`,
    states: { healthy: 'Funktioniert', attention: 'Braucht Aufmerksamkeit', failing: 'Funktioniert nicht' },
    lastRequest: (when) => `Zuletzt von Ihrem Identitätsanbieter gehört: ${when}.`,
    never: 'Von Ihrem Identitätsanbieter ist noch nichts angekommen.',
    deactivated: 'Diese Verbindung ist abgeschaltet. Wenden Sie sich an den Absender dieses Links.',
    seen: (when) => `gesehen ${when}`,
    missing: 'noch nicht gesehen',
    alsoSeen: 'Außerdem gesehen',
    behaviors: {
      connection_tested: { name: 'Verbindung getestet', hint: 'Benutzen Sie den Testknopf Ihres Identitätsanbieters.' },
      user_created: { name: 'Benutzer angelegt', hint: 'Weisen Sie der Anwendung einen Benutzer zu.' },
      user_updated: { name: 'Benutzer geändert', hint: 'Ändern Sie Namen oder Titel eines zugewiesenen Benutzers.' },
      user_deactivated: { name: 'Benutzer deaktiviert', hint: 'Entfernen Sie die Zuweisung eines Testbenutzers.' },
      user_reactivated: { name: 'Benutzer wieder aktiviert', hint: 'Weisen Sie den Testbenutzer wieder zu.' },
      user_deleted: { name: 'Benutzer gelöscht', hint: 'Manche Anbieter löschen Benutzer nie, das ist in Ordnung.' },
      group_pushed: {
        name: 'Gruppe übertragen',
        hint: 'Übertragen Sie eine Gruppe, wenn Sie Gruppen verwenden möchten.',
      },
      member_added: {
        name: 'Mitglied hinzugefügt',
        hint: 'Fügen Sie einer übertragenen Gruppe einen zugewiesenen Benutzer hinzu.',
      },
      member_removed: {
        name: 'Mitglied entfernt',
        hint: 'Entfernen Sie einen Benutzer aus einer übertragenen Gruppe.',
      },
    },
  },
  refused: {
    heading: 'Die letzte abgelehnte Anfrage',
    about: (subject) => `Sie betraf ${subject}.`,
    unauthorized: (when) =>
      `Ihr Identitätsanbieter verwendet ein falsches Token, zuletzt ${when}. Erstellen Sie ein neues und tragen Sie es dort ein.`,
    reasons: {
      uniqueness:
        'Einen Benutzer mit diesem Namen gibt es schon. Geben Sie einem der beiden einen anderen userName, oder entfernen Sie den anderen aus der Anwendung.',
      invalidValue: 'Ein Attribut hat einen unzulässigen Wert. Prüfen Sie die Attributzuordnung.',
      invalidSyntax: 'Die Anfrage ist kein gültiges SCIM. Wählen Sie bei Ihrem Identitätsanbieter SCIM 2.0.',
      invalidPath: 'Ein Attribut ist einem Namen zugeordnet, den es nicht gibt. Prüfen Sie die Attributzuordnung.',
      invalidFilter:
        'Der Anbieter sucht nach etwas, das nicht unterstützt wird. Lassen Sie ihn Benutzer über den userName zuordnen.',
      noTarget:
        'Der Anbieter ändert einen Wert, den es nicht gibt. Lassen Sie ihn den ganzen Benutzer erneut übertragen.',
      mutability:
        'Der Anbieter versucht etwas Unveränderliches zu ändern, etwa eine ID. Prüfen Sie die Attributzuordnung.',
      tooMany: 'Der Anbieter fragt zu viel auf einmal ab. Lassen Sie ihn Benutzer über den userName zuordnen.',
    },
    statuses: {
      403: 'Diese Verbindung ist abgeschaltet. Wenden Sie sich an den Absender dieses Links.',
      404: 'Der Anbieter ändert einen Benutzer oder eine Gruppe, die es hier nicht gibt. Lassen Sie ihn alle Benutzer erneut übertragen.',
      409: 'Das gibt es schon. Geben Sie einem von beiden einen anderen Namen.',
      412: 'Der Anbieter hat eine alte Fassung geändert. Er wiederholt die Änderung von selbst.',
      413: 'Die Anfrage ist zu groß. Übertragen Sie große Gruppen in kleineren Teilen.',
      429: 'Der Anbieter sendet zu schnell. Er wiederholt die Anfrage von selbst.',
    },
    other:
      'Die Anfrage des Anbieters konnte nicht verarbeitet werden. Sein eigenes Protokoll zeigt, wann er es erneut versucht.',
    detail: 'Antwort an den Anbieter',
  },
}
