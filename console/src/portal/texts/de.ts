import type { PortalTexts } from './texts.ts'

/** The portal in German. */
export const de: PortalTexts = {
  title: (product) => `Ihr Verzeichnis mit ${product} verbinden`,
  lead: (product) =>
    `Ihre Benutzer und Gruppen gelangen dann automatisch zu ${product}: Neue Mitarbeiter erhalten Zugriff, ausgeschiedene verlieren ihn.`,
  validUntil: (date) => `Dieser Link gilt bis ${date}.`,
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  failed: 'Das konnte nicht geladen werden.',
  offline: 'Sie sind offline. Was Sie sehen, kann veraltet sein.',
  waiting: 'Die Antwort steht noch aus …',
  unreachable: 'Der Dienst ist nicht erreichbar. Es wird weiter versucht …',
  back: (product) => `Zurück zu ${product}`,
  toSetup: 'Zurück zur Einrichtung',
  notices: {
    'link-gone': {
      title: 'Dieser Link funktioniert nicht',
      text: 'Er ist abgelaufen, wurde widerrufen oder schon verwendet, oder er ist unvollständig. Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen.',
    },
    'google-connected': {
      title: 'Google Workspace ist verbunden',
      text: 'Der erste Abgleich Ihrer Benutzer und Gruppen hat begonnen. Sie können diese Seite schließen.',
    },
    'google-pending': {
      title: 'Wartet auf Freigabe',
      text: 'Das verwendete Konto konnte dem erwarteten Google Workspace nicht zugeordnet werden. Es ändert sich nichts, bis die Person, die Ihnen den Link geschickt hat, es freigibt.',
    },
    'google-denied': {
      title: 'Der Zugriff wurde nicht erlaubt',
      text: 'Beginnen Sie erneut mit einem Administratorkonto, und erlauben Sie den Zugriff auf der Seite von Google. Wenn Ihre Organisation Apps einschränkt, stufen Sie diese zuvor in der Google Admin-Konsole unter „API-Steuerung“ als vertrauenswürdig ein.',
    },
    'google-failed': {
      title: 'Google Workspace wurde nicht verbunden',
      text: 'Es hat sich nichts geändert. Beginnen Sie erneut, und lassen Sie auf der Seite von Google alle Berechtigungen ausgewählt. Hilft das nicht, schicken Sie den Grund der Person, von der Sie den Link haben:',
    },
  },
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
    changeText:
      'Die angezeigte Adresse und das Token gelten dann nicht mehr. Das geht nur, solange noch kein Benutzer angekommen ist.',
    cancel: 'Abbrechen',
    none: 'Mit diesem Link lässt sich noch kein Identitätsanbieter verbinden. Wenden Sie sich an den Absender.',
  },
  values: {
    heading: 'Werte zum Kopieren',
    endpoint: 'Basis-URL',
    secret: 'Token',
    shownOnce: 'Kopieren Sie das Token jetzt: Es wird nur in diesem Tab angezeigt, bis Sie ihn schließen.',
    done: 'Ich habe das Token gespeichert',
    hidden: (ending) =>
      `Das Token wurde angezeigt, als es erstellt wurde; es endet auf „${ending}“. Erstellen Sie ein neues, wenn Sie es nicht haben.`,
    rotate: 'Neues Token erstellen',
    rotateTitle: 'Neues Token erstellen?',
    rotateText: 'Tragen Sie das neue Token danach bei Ihrem Identitätsanbieter ein.',
    keepOld: 'Das bisherige Token gilt noch einen Tag',
    stopOld: 'Das bisherige Token gilt ab sofort nicht mehr',
  },
  signIn: {
    heading: 'Wie sich Entra ID anmeldet',
    ways: {
      token: { name: 'Token', about: 'Ein Token, das mit jeder Anfrage gesendet wird, bis Sie es ersetzen.' },
      secret: {
        name: 'Clientanmeldeinformationen (OAuth 2.0)',
        about: 'Ein Geheimnis, das abläuft, wird gegen Zugriffstoken für wenige Stunden getauscht.',
      },
      federated: {
        name: 'Workload-Identitätsverbund',
        about: 'Ganz ohne Geheimnis: Entra ID weist sich mit seiner eigenen Signatur aus. Empfohlen.',
      },
    },
    onlyOAuth: 'Das Token wird für diese Verbindung nicht mehr angenommen.',
    create: 'Clientanmeldeinformationen erstellen',
    createAnother: 'Weitere Clientanmeldeinformationen erstellen',
    noSecret: 'Erstellen Sie zuerst Clientanmeldeinformationen. Ihr Geheimnis wird einmal angezeigt.',
    shownOnce: 'Kopieren Sie den Clientschlüssel jetzt: Er wird nur in diesem Tab angezeigt, bis Sie ihn schließen.',
    done: 'Ich habe den Clientschlüssel gespeichert',
    hidden:
      'Der Clientschlüssel wurde angezeigt, als er erstellt wurde. Erstellen Sie weitere Clientanmeldeinformationen, wenn Sie ihn nicht haben.',
    paste: 'Werte aus Entra ID',
    pasteText:
      'Wählen Sie in Entra ID wie in den Schritten unten eine Workload-Identität, und fügen Sie die vier angezeigten Werte ein.',
    connect: 'Werte speichern',
    connectAnother: 'Werte einer anderen Workload-Identität einfügen',
    problems: {
      issuer:
        'Der Aussteller muss https://login.microsoftonline.com/‹Mandanten-ID›/v2.0 sein, mit der ID Ihres Entra-Mandanten.',
      jwks_url:
        'Die JWKS-URL muss zum selben Mandanten gehören: https://login.microsoftonline.com/‹Mandanten-ID›/discovery/v2.0/keys.',
      subject: 'Der Antragsteller muss eine Objekt-ID sein, etwa 00000000-0000-0000-0000-000000000000.',
      audience: 'Die Zielgruppe muss api://‹Anwendungs-ID›/.default oder die Anwendungs-ID sein.',
    },
    clients: 'Anmeldeinformationen dieser Verbindung',
    expires: (date) => `gültig bis ${date}`,
    expired: (date) => `abgelaufen am ${date}`,
    used: (when) => `zuletzt verwendet ${when}`,
    unused: 'noch nicht verwendet',
    remove: (clientId) => `Anmeldeinformationen ${clientId} löschen`,
    removeShort: 'Löschen',
    removeTitle: 'Diese Anmeldeinformationen löschen?',
    removeText:
      'Der Zugriff endet sofort. Verwendet Entra ID sie noch, ruht die Bereitstellung, bis Sie andere eintragen.',
  },
  steps: {
    heading: 'Schritte',
    variants: {
      standard: 'Anwendung',
      'private-app': 'Eigene Anwendung',
      'catalog-app': 'Aus dem Katalog',
    },
    console: (provider) => `Admin-Konsole von ${provider} öffnen`,
    help: 'Anleitung des Anbieters',
    drawing: (title) => `Zeichnung des Formulars „${title}“ mit den auszufüllenden Feldern`,
    turnOn: 'ein',
    turnOff: 'aus',
    toCopy: 'in diese Seite kopieren',
    testEmail: 'eine Adresse, die kein Benutzer hat',
    clickPath: 'Klickweg',
    texts: {
      createApp: () => 'Erstellen Sie in der Verwaltungskonsole eine Anwendung für Ihre Benutzer.',
      addCatalogApp: (product) => `Suchen Sie im Katalog nach ${product} und fügen Sie die Anwendung hinzu.`,
      enableScim: () => 'Schalten Sie die SCIM-Bereitstellung der Anwendung ein.',
      enterConnection: () => 'Tragen Sie Adresse und Token ein und testen Sie die Verbindung.',
      saveConnection: () => 'Speichern Sie, wenn der Test erfolgreich war.',
      enableActions: () => 'Erlauben Sie, Benutzer anzulegen, zu ändern und zu deaktivieren.',
      checkMappings: () => 'Prüfen Sie, ob die Attribute unten übertragen werden.',
      assign: () => 'Weisen Sie die Benutzer oder Gruppen zu, die Zugriff erhalten sollen. Nur sie werden übertragen.',
      oktaLicense: () =>
        'Für die Bereitstellung ist Okta Lifecycle Management nötig. Bietet Okta in den App-Einstellungen unten kein SCIM an, ist es in Ihrem Vertrag nicht enthalten: Fragen Sie Ihren Ansprechpartner bei Okta.',
      oktaCreate: (product) =>
        `Erstellen Sie eine Anwendung mit SAML 2.0: Mit OpenID Connect bietet Okta kein SCIM an. Wenn sich Ihre Benutzer schon per SAML bei ${product} anmelden, verwenden Sie diese Anwendung und fahren Sie dort fort, wo SCIM eingeschaltet wird.`,
      oktaGeneral: () =>
        'Geben Sie der Anwendung einen Namen. Dient sie nur der Bereitstellung, blenden Sie ihr Symbol aus.',
      oktaSaml: () =>
        'Okta fragt zuerst nach der einmaligen Anmeldung. Wenn Sie nur die Bereitstellung möchten, tragen Sie in beide Felder die Basis-URL ein: Niemand meldet sich damit an.',
      oktaFinish: () => 'Die letzte Seite bittet nur um Feedback: Schließen Sie sie ab.',
      oktaSave: () =>
        'Speichern Sie, wenn der Test erfolgreich war. Erst dann erscheinen die Einstellungen des nächsten Schritts.',
      oktaPushGroups: () =>
        'Wählen Sie die Gruppen, die mit ihren Mitgliedern erscheinen sollen. Weisen Sie auch die Mitglieder zu: Nur zugewiesene Benutzer werden übertragen.',
      entraCreate: () =>
        'Erstellen Sie im Microsoft Entra Admin Center eine Anwendung, die nicht aus dem Katalog stammt.',
      entraClientCredentials: () =>
        'Tragen Sie die Adresse, den Tokenendpunkt und die Clientanmeldeinformationen ein und testen Sie die Verbindung.',
      entraWorkloadIdentity: () =>
        'Wählen Sie den Workload-Identitätsverbund und eine Workload-Identität. Kopieren Sie die vier Werte, die erscheinen, in das Formular oben und speichern Sie sie.',
      entraFederation: () =>
        'Tragen Sie den Clientbezeichner, den Tokenendpunkt und die Adresse ein und testen Sie die Verbindung.',
      entraConfiguration: () => 'Erstellen Sie die Konfiguration, wenn der Test erfolgreich war.',
      entraAssign: () =>
        'Weisen Sie die Benutzer oder Gruppen zu, die Zugriff erhalten sollen. Nur sie werden übertragen, von einer Gruppe nur die direkten Mitglieder. Gruppen zuzuweisen setzt Microsoft Entra ID P1 voraus.',
      entraStart: () =>
        'Starten Sie die Bereitstellung. Der erste Lauf kann bis zu 40 Minuten dauern, spätere Änderungen kommen früher an.',
      oneloginProvisioning: () =>
        'Schalten Sie die Bereitstellung ein und die Genehmigungen aus: Sonst wartet jede Änderung auf die Genehmigung eines Administrators.',
      oneloginGroups: () => 'Lassen Sie mit den Benutzern auch Gruppen übertragen.',
      oneloginRules: () =>
        'Fügen Sie eine Regel hinzu, die festlegt, welche Gruppen Benutzer erhalten, etwa eine für jede ihrer Rollen.',
      oneloginReapply: () => 'Wenden Sie die Regeln auf Benutzer an, die schon zugewiesen waren.',
      jumpcloudConnection: () =>
        'Tragen Sie die Adresse, das Token und eine E-Mail-Adresse ein, die kein Benutzer hat: JumpCloud legt damit einen Testbenutzer an.',
      jumpcloudActivate: () =>
        'Aktivieren Sie die Verbindung, wenn der Test erfolgreich war. Der Testbenutzer und eine Testgruppe werden angelegt und wieder gelöscht.',
      jumpcloudGroups: () => 'Schalten Sie Gruppen ein, wenn Sie sie übertragen möchten, und speichern Sie.',
      createRule: () =>
        'Erstellen Sie eine Regel, die festlegt, welche Benutzer und Gruppen übertragen werden, und schalten Sie sie ein.',
      ripplingInstall: () => 'Installieren Sie die Integration und tragen Sie das Token ein.',
      roleMappings: () => 'Fügen Sie die Rollen hinzu, deren Mitglieder übertragen werden sollen.',
      startSync: () => 'Starten Sie die erste Synchronisierung.',
      googleAdministrator: () =>
        'Sie benötigen ein Administratorkonto, das alle Benutzer und Gruppen lesen darf, etwa das eines Super Admins Ihres Google Workspace.',
      googleAllow: (product) =>
        `Wenn Ihre Organisation einschränkt, welche Apps auf ihre Daten zugreifen dürfen, lassen Sie ${product} zuerst in der Google Admin-Konsole zu.`,
      googleConsent: () =>
        'Verbinden Sie unten. Google fragt, ob Benutzer und Gruppen gelesen werden dürfen; geändert wird nie etwas. Stimmen Sie allem zu.',
      googleFirstSync: () =>
        'Der erste Abgleich beginnt, sobald Google Workspace verbunden ist. Große Verzeichnisse brauchen einige Minuten.',
      genericConnection: () => 'Tragen Sie Adresse und Token in den SCIM-Einstellungen Ihres Identitätsanbieters ein.',
      genericMappings: () =>
        'Übertragen Sie mindestens userName und active; die übrigen Attribute unten sind freiwillig.',
      genericActions: () =>
        'Schalten Sie das Anlegen, Ändern und Deaktivieren von Benutzern und das Übertragen von Gruppen ein.',
      genericAssign: () => 'Weisen Sie die Benutzer oder Gruppen zu, die Zugriff erhalten sollen.',
    },
    labels: {
      'Enterprise apps': 'Unternehmens-Apps',
      'New application': 'Neue Anwendung',
      'Create your own application': 'Eigene Anwendung erstellen',
      Create: 'Erstellen',
      Provisioning: 'Bereitstellung',
      'New configuration': 'Neue Konfiguration',
      'Tenant URL': 'Mandanten-URL',
      'Secret token': 'Geheimes Token',
      'Token endpoint': 'Tokenendpunkt',
      'Client identifier': 'Clientbezeichner',
      'Client secret': 'Geheimer Clientschlüssel',
      'Test connection': 'Verbindung testen',
      'Attribute mapping': 'Attributzuordnung',
      'Users and groups': 'Benutzer und Gruppen',
      'Add user/group': 'Benutzer/Gruppe hinzufügen',
      Assign: 'Zuweisen',
      Overview: 'Übersicht',
      'Start provisioning': 'Bereitstellung starten',
    },
  },
  google: {
    connect: 'Google Workspace verbinden',
    reconnect: 'Erneut verbinden',
    connected: 'Google Workspace ist verbunden.',
    again: (reason) => `Google Workspace muss erneut verbunden werden: ${reason}`,
    pending: (reason) => `${reason} Wer Ihnen diesen Link geschickt hat, muss es bestätigen.`,
    notConfigured: (product) =>
      `${product} kann Google Workspace über diese Seite noch nicht verbinden. Wenden Sie sich an den Absender dieses Links.`,
    repeats: 'Der Abgleich wiederholt sich automatisch.',
    notScheduled: (product) => `Der Abgleich wiederholt sich nicht automatisch: ${product} startet ihn.`,
    scope:
      'Alle in Google Workspace werden abgeglichen, wenn Sie hier keine Gruppen oder Organisationseinheiten auswählen. Mitglieder verschachtelter Gruppen und untergeordnete Einheiten gehören dazu.',
    groups: 'Gruppen (Adressen oder IDs)',
    units: 'Organisationseinheiten (Pfade)',
    saveScope: 'Auswahl speichern',
  },
  attributes: {
    heading: 'Attributzuordnung',
    source: 'Quelle bei Ihrem Anbieter',
    attribute: 'SCIM-Attribut',
    meaning: 'Bedeutung',
    required: 'erforderlich',
    automatic: 'wird automatisch gesetzt',
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
    states: {
      waiting: 'Wartet auf die erste Anfrage',
      healthy: 'Funktioniert',
      attention: 'Braucht Aufmerksamkeit',
      failing: 'Funktioniert nicht',
    },
    lastSync: (when) => `Letzter Abgleich: ${when}.`,
    syncFailed: (when) =>
      `Der letzte Abgleich ist fehlgeschlagen (${when}). Wenn das so bleibt, wenden Sie sich an den Absender dieses Links.`,
    waitingForSync: 'Wartet auf den ersten Abgleich',
    lastRequest: (when) => `Letzte Anfrage Ihres Identitätsanbieters: ${when}.`,
    never: 'Von Ihrem Identitätsanbieter ist noch nichts angekommen.',
    deactivated: 'Diese Verbindung ist abgeschaltet. Wenden Sie sich an den Absender dieses Links.',
    seen: (when) => `gesehen ${when}`,
    missing: 'noch nicht gesehen',
    alsoSeen: 'Außerdem gesehen',
    signedIn: {
      name: 'Angemeldet',
      hint: 'Tragen Sie die Werte bei Ihrem Identitätsanbieter ein und benutzen Sie dessen Testschaltfläche.',
    },
    behaviors: {
      connection_tested: {
        name: 'Verbindung getestet',
        hint: 'Benutzen Sie die Testschaltfläche Ihres Identitätsanbieters.',
      },
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
    readHints: {
      user_created: 'Benutzer erscheinen mit dem ersten Abgleich.',
      user_updated: 'Ändern Sie Namen oder Titel eines Benutzers; der nächste Abgleich liest es.',
      user_deactivated: 'Sperren Sie einen Testbenutzer; der nächste Abgleich liest es.',
      group_pushed: 'Gruppen erscheinen mit dem ersten Abgleich.',
    },
  },
  roles: {
    heading: 'Rollen',
    lead: (product) =>
      `Wählen Sie, welche Rolle die Mitglieder jeder Gruppe in ${product} haben. Nur direkte Mitglieder erhalten sie.`,
    jump: 'Rollen für Ihre Gruppen',
    waiting: 'Ihre Gruppen erscheinen hier nach der ersten Synchronisierung.',
    search: 'Gruppe suchen',
    notFound: 'Keine Gruppe hat diesen Namen.',
    more: 'Weitere Gruppen anzeigen',
    members: (count) => (count === 1 ? '1 Mitglied' : `${count.toLocaleString('de')} Mitglieder`),
    none: 'Keine Rolle',
    roleOf: (group) => `Rolle von ${group}`,
    fixed: (product) => `${product} hat diese Rolle festgelegt. Mit diesem Link lässt sie sich nicht ändern.`,
    preview: 'Was sich ändert',
    gain: (count, role, people) =>
      `${count === 1 ? '1 Person erhält' : `${count.toLocaleString('de')} Personen erhalten`} „${role}“: ${people}.`,
    lose: (count, role, people) =>
      `${count === 1 ? '1 Person verliert' : `${count.toLocaleString('de')} Personen verlieren`} „${role}“: ${people}.`,
    others: (count) => (count === 1 ? '1 weitere' : `${count.toLocaleString('de')} weitere`),
    nobodyInGroup: 'In dieser Gruppe ist noch niemand. Wer hinzukommt, hat die Rolle von da an.',
    nobodyChanges: 'Zurzeit ändern sich bei niemandem die Rollen.',
    tooFew: (role, product) =>
      `Danach hätten weniger Personen „${role}“, als ${product} verlangt. ${product} erhielte dann keine weitere Änderung aus Ihrem Verzeichnis, bis dort jemand diese hier freigegeben hat.`,
    apply: 'Anwenden',
    running: (done, all) =>
      `Rollen werden geändert: ${done.toLocaleString('de')} von ${all.toLocaleString('de')} Personen geprüft`,
    done: (count) =>
      count === 0
        ? 'Fertig. Bei niemandem mussten sich die Rollen ändern.'
        : `Fertig. Die Rollen von ${count === 1 ? '1 Person' : `${count.toLocaleString('de')} Personen`} haben sich geändert.`,
  },
  refused: {
    heading: 'Die letzte abgelehnte Anfrage',
    about: (subject) => `Sie betraf ${subject}.`,
    unauthorized: (when) =>
      `Ihr Identitätsanbieter verwendete ein falsches Token, zuletzt ${when}. Erstellen Sie ein neues und tragen Sie es dort ein.`,
    notSignedIn: (when) =>
      `Ihr Identitätsanbieter konnte sich nicht anmelden, zuletzt ${when}. Vergleichen Sie die Werte auf beiden Seiten. Der Grund:`,
    outsideDomain:
      'Die Adresse dieses Benutzers gehört zu keiner Domain, die das Produkt von Ihrem Unternehmen annimmt; die Einzelheiten nennen diese Domains. Verwenden Sie eine Adresse einer dieser Domains. Gehört Ihnen auch die andere Domain, bitten Sie die Person, die Ihnen diesen Link geschickt hat, sie hinzuzufügen.',
    reasons: {
      uniqueness:
        'Einen Benutzer mit diesem Namen gibt es schon. Geben Sie einem der beiden einen anderen userName, oder entfernen Sie den anderen aus der Anwendung.',
      invalidValue: 'Ein Attribut hat einen unzulässigen Wert. Prüfen Sie die Attributzuordnung.',
      invalidSyntax: 'Die Anfrage ist kein gültiges SCIM. Wählen Sie bei Ihrem Identitätsanbieter SCIM 2.0.',
      invalidPath: 'Ein Attribut ist einem Namen zugeordnet, den es nicht gibt. Prüfen Sie die Attributzuordnung.',
      invalidFilter:
        'Der Anbieter sucht auf eine Weise, die nicht unterstützt wird. Lassen Sie ihn Benutzer über den userName zuordnen.',
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
      412: 'Der Anbieter hat eine alte Fassung geändert. Er wiederholt die Änderung automatisch.',
      413: 'Die Anfrage ist zu groß. Übertragen Sie große Gruppen in kleineren Teilen.',
      429: 'Der Anbieter sendet zu schnell. Er wiederholt die Anfrage automatisch.',
    },
    other:
      'Die Anfrage des Anbieters konnte nicht verarbeitet werden. Sein eigenes Protokoll zeigt, wann er es erneut versucht.',
    settle: 'Erledigt: ausblenden',
    detail: 'Antwort an den Anbieter',
  },
}
