import type { PortalTexts } from './texts.ts'

/** The portal in French. */
export const fr: PortalTexts = {
  title: (product) => `Connecter votre annuaire à ${product}`,
  lead: (product) =>
    `Vos utilisateurs et vos groupes sont ensuite transmis automatiquement à ${product} : les nouveaux arrivants obtiennent l’accès, les personnes qui partent le perdent.`,
  validUntil: (date) => `Ce lien est valable jusqu’au ${date}.`,
  loading: 'Chargement…',
  retry: 'Réessayer',
  failed: 'Le chargement a échoué.',
  offline: 'Vous êtes hors ligne. Ce que vous voyez n’est peut-être plus à jour.',
  waiting: 'Toujours en attente d’une réponse…',
  unreachable: 'Le service est injoignable. Nouvelle tentative…',
  back: (product) => `Retour à ${product}`,
  toSetup: 'Retour à la configuration',
  notices: {
    'link-gone': {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il a expiré, a été révoqué ou déjà utilisé, ou est incomplet. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    'google-connected': {
      title: 'Google Workspace est connecté',
      text: 'La première synchronisation de vos utilisateurs et groupes a commencé. Vous pouvez fermer cette page.',
    },
    'google-pending': {
      title: 'En attente d’approbation',
      text: 'Le compte utilisé n’a pas pu être associé au Google Workspace attendu. Rien ne change tant que la personne qui vous a envoyé le lien ne l’a pas approuvé.',
    },
    'google-denied': {
      title: 'L’accès n’a pas été accordé',
      text: 'Recommencez avec un compte d’administrateur et autorisez l’accès sur la page de Google. Si votre organisation limite les applications, approuvez d’abord celle-ci dans la console d’administration Google, sous « Commandes des API ».',
    },
    'google-failed': {
      title: 'Google Workspace n’a pas été connecté',
      text: 'Rien n’a changé. Recommencez en laissant toutes les autorisations cochées sur la page de Google. Si cela ne suffit pas, transmettez la raison à la personne qui vous a envoyé le lien :',
    },
  },
  switchLanguage: 'Langue',
  switchScheme: { light: 'Passer à l’affichage clair', dark: 'Passer à l’affichage sombre' },
  copy: (label) => `Copier : ${label}`,
  copyShort: 'Copier',
  copied: 'Copié',
  requestId: (id) => `Requête ${id}`,
  choose: {
    heading: 'Quel fournisseur d’identité utilisez-vous ?',
    other: 'Autre fournisseur avec SCIM 2.0',
    change: 'Choisir un autre fournisseur',
    changeText:
      'L’adresse et le jeton affichés cesseront de fonctionner. Ce changement n’est possible que tant qu’aucun utilisateur n’est arrivé.',
    cancel: 'Annuler',
    none: 'Ce lien ne permet encore de connecter aucun fournisseur d’identité. Adressez-vous à la personne qui vous l’a envoyé.',
  },
  values: {
    heading: 'Valeurs à copier',
    endpoint: 'URL de base',
    secret: 'Jeton',
    shownOnce: 'Copiez le jeton maintenant : il n’est affiché que dans cet onglet, jusqu’à sa fermeture.',
    done: 'J’ai enregistré le jeton',
    hidden: (ending) =>
      `Le jeton a été affiché lors de sa création ; il se termine par « ${ending} ». Créez-en un nouveau si vous ne l’avez pas.`,
    rotate: 'Créer un nouveau jeton',
    rotateTitle: 'Créer un nouveau jeton ?',
    rotateText: 'Saisissez ensuite le nouveau jeton chez votre fournisseur d’identité.',
    keepOld: 'Le jeton actuel reste valable un jour',
    stopOld: 'Le jeton actuel cesse immédiatement d’être valable',
  },
  signIn: {
    heading: 'Comment Entra ID s’authentifie',
    ways: {
      token: {
        name: 'Jeton',
        about: 'Un jeton envoyé avec chaque requête, jusqu’à ce que vous le remplaciez.',
      },
      secret: {
        name: 'Informations d’identification du client (OAuth 2.0)',
        about: 'Un secret qui expire est échangé contre des jetons d’accès de quelques heures.',
      },
      federated: {
        name: 'Fédération d’identité de charge de travail',
        about: 'Sans aucun secret : Entra ID se présente avec sa propre signature. Recommandé.',
      },
    },
    onlyOAuth: 'Le jeton n’est plus accepté pour cette connexion.',
    create: 'Créer des informations d’identification',
    createAnother: 'Créer d’autres informations d’identification',
    noSecret: 'Créez d’abord les informations d’identification. Leur secret n’est affiché qu’une fois.',
    shownOnce: 'Copiez le secret client maintenant : il n’est affiché que dans cet onglet, jusqu’à sa fermeture.',
    done: 'J’ai enregistré le secret client',
    hidden:
      'Le secret client a été affiché lors de sa création. Créez d’autres informations d’identification si vous ne l’avez pas.',
    paste: 'Valeurs d’Entra ID',
    pasteText:
      'Sélectionnez une identité de charge de travail dans Entra ID, comme dans les étapes ci-dessous, et collez les quatre valeurs affichées.',
    connect: 'Enregistrer les valeurs',
    connectAnother: 'Coller les valeurs d’une autre identité de charge de travail',
    problems: {
      issuer:
        'L’émetteur doit être https://login.microsoftonline.com/‹ID du locataire›/v2.0, avec l’ID de votre locataire Entra.',
      jwks_url:
        'L’URL JWKS doit être celle du même locataire : https://login.microsoftonline.com/‹ID du locataire›/discovery/v2.0/keys.',
      subject: 'Le sujet doit être un ID d’objet, comme 00000000-0000-0000-0000-000000000000.',
      audience: 'L’audience doit être api://‹ID d’application›/.default, ou l’ID d’application.',
    },
    clients: 'Informations d’identification de cette connexion',
    expires: (date) => `expirent le ${date}`,
    expired: (date) => `ont expiré le ${date}`,
    used: (when) => `dernière utilisation ${when}`,
    unused: 'pas encore utilisées',
    remove: (clientId) => `Supprimer les informations d’identification ${clientId}`,
    removeShort: 'Supprimer',
    removeTitle: 'Supprimer ces informations d’identification ?',
    removeText:
      'L’accès prend fin immédiatement. Si Entra ID les utilise encore, l’approvisionnement s’arrête jusqu’à ce que vous en saisissiez d’autres.',
  },
  steps: {
    heading: 'Étapes',
    variants: {
      standard: 'Application',
      'private-app': 'Votre propre application',
      'catalog-app': 'Depuis le catalogue',
    },
    console: (provider) => `Ouvrir la console d’administration de ${provider}`,
    help: 'Instructions du fournisseur',
    drawing: (title) => `Dessin du formulaire « ${title} » avec les champs à remplir`,
    turnOn: 'activé',
    turnOff: 'désactivé',
    toCopy: 'à copier dans cette page',
    testEmail: 'une adresse qu’aucun utilisateur n’a',
    clickPath: 'Où cliquer',
    texts: {
      createApp: () => 'Dans la console d’administration, créez une application pour vos utilisateurs.',
      addCatalogApp: (product) => `Recherchez ${product} dans le catalogue et ajoutez l’application.`,
      enableScim: () => 'Activez le provisionnement SCIM de l’application.',
      enterConnection: () => 'Saisissez l’adresse et le jeton, puis testez la connexion.',
      saveConnection: () => 'Enregistrez une fois le test réussi.',
      enableActions: () => 'Autorisez la création, la modification et la désactivation des utilisateurs.',
      checkMappings: () => 'Vérifiez que les attributs ci-dessous sont transmis.',
      assign: () => 'Affectez les utilisateurs ou les groupes qui doivent avoir accès. Eux seuls sont transmis.',
      oktaLicense: () =>
        'Le provisionnement nécessite Okta Lifecycle Management. Si Okta ne propose pas SCIM dans les paramètres de l’application ci-dessous, votre contrat ne l’inclut pas : adressez-vous à votre interlocuteur chez Okta.',
      oktaCreate: (product) =>
        `Créez une application avec SAML 2.0 : avec OpenID Connect, Okta ne propose pas SCIM. Si vos utilisateurs se connectent déjà à ${product} par SAML, utilisez cette application et reprenez à l’activation de SCIM.`,
      oktaGeneral: () => 'Nommez l’application. Si elle ne sert qu’au provisionnement, masquez son icône.',
      oktaSaml: () =>
        'Okta demande d’abord l’authentification unique. Si vous ne voulez que le provisionnement, saisissez l’URL de base dans les deux champs : personne ne s’en sert pour se connecter.',
      oktaFinish: () => 'La dernière page ne demande qu’un avis : terminez.',
      oktaSave: () =>
        'Enregistrez une fois le test réussi. Les paramètres de l’étape suivante n’apparaissent qu’ensuite.',
      oktaPushGroups: () =>
        'Choisissez les groupes qui doivent apparaître avec leurs membres. Affectez aussi les membres : seuls les utilisateurs affectés sont transmis.',
      entraCreate: () =>
        'Dans le centre d’administration Microsoft Entra, créez une application qui ne provient pas de la galerie.',
      entraClientCredentials: () =>
        'Saisissez l’adresse, le point de terminaison de jeton et les informations d’identification, puis testez la connexion.',
      entraWorkloadIdentity: () =>
        'Choisissez la fédération d’identité de charge de travail et sélectionnez une identité. Copiez les quatre valeurs affichées dans le formulaire ci-dessus et enregistrez-les.',
      entraFederation: () =>
        'Saisissez l’identificateur client, le point de terminaison de jeton et l’adresse, puis testez la connexion.',
      entraConfiguration: () => 'Créez la configuration une fois le test réussi.',
      entraAssign: () =>
        'Affectez les utilisateurs ou les groupes qui doivent avoir accès. Eux seuls sont transmis et, d’un groupe, seulement les membres directs. L’affectation de groupes requiert Microsoft Entra ID P1.',
      entraStart: () =>
        'Démarrez l’approvisionnement. Le premier cycle peut durer jusqu’à 40 minutes ; les changements suivants arrivent plus vite.',
      oneloginProvisioning: () =>
        'Activez le provisionnement et désactivez les approbations : sinon, chaque changement attend l’approbation d’un administrateur.',
      oneloginGroups: () => 'Faites transmettre les groupes avec les utilisateurs.',
      oneloginRules: () =>
        'Ajoutez une règle qui détermine les groupes des utilisateurs, par exemple un groupe pour chacun de leurs rôles.',
      oneloginReapply: () => 'Appliquez les règles aux utilisateurs déjà affectés.',
      jumpcloudConnection: () =>
        'Saisissez l’adresse, le jeton et une adresse e-mail qu’aucun utilisateur n’a : JumpCloud crée un utilisateur de test avec elle.',
      jumpcloudActivate: () =>
        'Activez la connexion une fois le test réussi. L’utilisateur de test et un groupe de test sont créés, puis supprimés.',
      jumpcloudGroups: () => 'Activez les groupes si vous voulez les transmettre, puis enregistrez.',
      createRule: () => 'Créez une règle qui détermine les utilisateurs et les groupes transmis, puis activez-la.',
      ripplingInstall: () => 'Installez l’intégration et saisissez le jeton.',
      roleMappings: () => 'Ajoutez les rôles dont les membres doivent être transmis.',
      startSync: () => 'Lancez la première synchronisation.',
      googleAdministrator: () =>
        'Il vous faut un compte d’administrateur autorisé à lire tous les utilisateurs et groupes, par exemple celui d’un super-administrateur de votre Google Workspace.',
      googleAllow: (product) =>
        `Si votre organisation limite les applications qui peuvent accéder à ses données, autorisez d’abord ${product} dans la console d’administration Google.`,
      googleConsent: () =>
        'Connectez-vous ci-dessous. Google vous demande l’autorisation de lire les utilisateurs et les groupes ; rien n’est jamais modifié. Accordez-la entièrement.',
      googleFirstSync: () =>
        'La première synchronisation démarre dès que Google Workspace est connecté. Les grands annuaires prennent quelques minutes.',
      genericConnection: () =>
        'Saisissez l’adresse et le jeton dans les paramètres SCIM de votre fournisseur d’identité.',
      genericMappings: () =>
        'Transmettez au moins userName et active ; les autres attributs ci-dessous sont facultatifs.',
      genericActions: () =>
        'Activez la création, la modification et la désactivation des utilisateurs, ainsi que l’envoi des groupes.',
      genericAssign: () => 'Affectez les utilisateurs ou les groupes qui doivent avoir accès.',
    },
    labels: {
      'Enterprise apps': 'Applications d’entreprise',
      'New application': 'Nouvelle application',
      'Create your own application': 'Créer votre propre application',
      Create: 'Créer',
      Provisioning: 'Approvisionnement',
      'New configuration': 'Nouvelle configuration',
      'Tenant URL': 'URL de locataire',
      'Secret token': 'Jeton secret',
      'Token endpoint': 'Point de terminaison de jeton',
      'Client identifier': 'Identificateur client',
      'Client secret': 'Secret client',
      'Test connection': 'Tester la connexion',
      'Attribute mapping': 'Mappage d’attributs',
      'Users and groups': 'Utilisateurs et groupes',
      'Add user/group': 'Ajouter un utilisateur/groupe',
      Assign: 'Attribuer',
      Overview: 'Vue d’ensemble',
      'Start provisioning': 'Démarrer l’approvisionnement',
    },
  },
  google: {
    connect: 'Connecter Google Workspace',
    reconnect: 'Reconnecter',
    connected: 'Google Workspace est connecté.',
    again: (reason) => `Google Workspace doit être reconnecté : ${reason}`,
    pending: (reason) => `${reason} La personne qui vous a envoyé ce lien doit l’approuver.`,
    notConfigured: (product) =>
      `${product} ne peut pas encore connecter Google Workspace par cette page. Adressez-vous à la personne qui vous a envoyé ce lien.`,
    repeats: 'La synchronisation se répète automatiquement.',
    notScheduled: (product) => `La synchronisation ne se répète pas automatiquement : ${product} la démarre.`,
    scope:
      'Tous les utilisateurs de Google Workspace sont synchronisés, sauf si vous choisissez ici des groupes ou des unités organisationnelles. Les membres des groupes imbriqués et les unités inférieures sont compris.',
    groups: 'Groupes (adresses ou identifiants)',
    units: 'Unités organisationnelles (chemins)',
    saveScope: 'Enregistrer le choix',
  },
  attributes: {
    heading: 'Mappage des attributs',
    source: 'Source chez votre fournisseur',
    attribute: 'Attribut SCIM',
    meaning: 'Signification',
    required: 'obligatoire',
    automatic: 'défini automatiquement',
    meanings: {
      userName: 'Le nom qui identifie l’utilisateur, le plus souvent son adresse e-mail',
      'name.givenName': 'Prénom',
      'name.familyName': 'Nom',
      'emails[type eq "work"].value': 'Adresse e-mail ; à défaut, le userName est utilisé',
      active: 'Si l’utilisateur a accès',
      displayName: 'Nom complet',
      externalId: 'L’identifiant de l’utilisateur chez votre fournisseur d’identité',
      title: 'Fonction',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Service',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'Matricule',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'Responsable',
    },
  },
  health: {
    heading: 'Ce qui est arrivé',
    complete: 'Tout fonctionne. Vous pouvez fermer cette page ; le même lien affiche l’état de la connexion.',
    progress: (done, all) => `${done} sur ${all} observés`,
    states: {
      waiting: 'En attente de la première requête',
      healthy: 'Fonctionne',
      attention: 'À vérifier',
      failing: 'Ne fonctionne pas',
    },
    lastSync: (when) => `Dernière synchronisation : ${when}.`,
    syncFailed: (when) =>
      `La dernière synchronisation a échoué (${when}). Si cela persiste, adressez-vous à la personne qui vous a envoyé ce lien.`,
    waitingForSync: 'En attente de la première synchronisation',
    lastRequest: (when) => `Dernière requête de votre fournisseur d’identité : ${when}.`,
    never: 'Rien n’est encore arrivé de votre fournisseur d’identité.',
    deactivated: 'Cette connexion est désactivée. Adressez-vous à la personne qui vous a envoyé ce lien.',
    seen: (when) => `observé ${when}`,
    missing: 'pas encore observé',
    alsoSeen: 'Également observé',
    signedIn: {
      name: 'Authentifié',
      hint: 'Saisissez les valeurs chez votre fournisseur d’identité et utilisez son bouton de test.',
    },
    behaviors: {
      connection_tested: {
        name: 'Connexion testée',
        hint: 'Utilisez le bouton de test de votre fournisseur d’identité.',
      },
      user_created: { name: 'Utilisateur créé', hint: 'Affectez un utilisateur à l’application.' },
      user_updated: { name: 'Utilisateur modifié', hint: 'Modifiez le nom ou la fonction d’un utilisateur affecté.' },
      user_deactivated: { name: 'Utilisateur désactivé', hint: 'Retirez l’affectation d’un utilisateur de test.' },
      user_reactivated: { name: 'Utilisateur réactivé', hint: 'Affectez de nouveau l’utilisateur de test.' },
      user_deleted: {
        name: 'Utilisateur supprimé',
        hint: 'Certains fournisseurs ne suppriment jamais d’utilisateurs, ce qui est normal.',
      },
      group_pushed: { name: 'Groupe transmis', hint: 'Transmettez un groupe, si vous voulez utiliser les groupes.' },
      member_added: {
        name: 'Membre ajouté à un groupe',
        hint: 'Ajoutez un utilisateur affecté à un groupe transmis.',
      },
      member_removed: { name: 'Membre retiré d’un groupe', hint: 'Retirez un utilisateur d’un groupe transmis.' },
    },
    readHints: {
      user_created: 'Les utilisateurs apparaissent avec la première synchronisation.',
      user_updated: 'Modifiez le nom ou la fonction d’un utilisateur ; la prochaine synchronisation le lit.',
      user_deactivated: 'Suspendez un utilisateur de test ; la prochaine synchronisation le lit.',
      group_pushed: 'Les groupes apparaissent avec la première synchronisation.',
    },
  },
  roles: {
    heading: 'Rôles',
    lead: (product) =>
      `Choisissez le rôle que les membres de chaque groupe ont dans ${product}. Seuls les membres directs l’obtiennent.`,
    jump: 'Rôles de vos groupes',
    waiting: 'Vos groupes apparaissent ici après la première synchronisation.',
    search: 'Rechercher un groupe',
    notFound: 'Aucun groupe ne porte ce nom.',
    more: 'Afficher d’autres groupes',
    members: (count) => (count === 1 ? '1 membre' : `${count.toLocaleString('fr')} membres`),
    none: 'Aucun rôle',
    roleOf: (group) => `Rôle de ${group}`,
    fixed: (product) => `${product} a fixé ce rôle. Ce lien ne permet pas de le modifier.`,
    preview: 'Ce qui change',
    gain: (count, role, people) =>
      `${count === 1 ? '1 personne obtient' : `${count.toLocaleString('fr')} personnes obtiennent`} « ${role} » : ${people}.`,
    lose: (count, role, people) =>
      `${count === 1 ? '1 personne perd' : `${count.toLocaleString('fr')} personnes perdent`} « ${role} » : ${people}.`,
    others: (count) => (count === 1 ? '1 autre' : `${count.toLocaleString('fr')} autres`),
    nobodyInGroup: 'Personne ne fait encore partie de ce groupe. Toute personne ajoutée aura le rôle dès ce moment.',
    nobodyChanges: 'Pour le moment, les rôles ne changent pour personne.',
    tooFew: (role, product) =>
      `Ensuite, moins de personnes auraient « ${role} » que ${product} ne l’exige. ${product} ne recevrait alors plus aucune modification de votre annuaire tant que quelqu’un n’y aurait pas approuvé celle-ci.`,
    apply: 'Appliquer',
    running: (done, all) =>
      `Modification des rôles : ${done.toLocaleString('fr')} personnes vérifiées sur ${all.toLocaleString('fr')}`,
    done: (count) =>
      count === 0
        ? 'Terminé. Aucun rôle n’a dû changer.'
        : `Terminé. Les rôles de ${count === 1 ? '1 personne' : `${count.toLocaleString('fr')} personnes`} ont changé.`,
  },
  refused: {
    heading: 'La dernière requête refusée',
    about: (subject) => `Elle concernait ${subject}.`,
    unauthorized: (when) =>
      `Votre fournisseur d’identité a utilisé un jeton erroné, la dernière fois le ${when}. Créez un nouveau jeton et saisissez-le chez lui.`,
    notSignedIn: (when) =>
      `Votre fournisseur d’identité n’a pas pu s’authentifier, la dernière fois ${when}. Comparez les valeurs des deux côtés. La raison :`,
    outsideDomain:
      'L’adresse de cet utilisateur n’appartient à aucun des domaines que le produit accepte de votre entreprise ; les détails les indiquent. Utilisez une adresse de l’un d’eux. Si l’autre domaine est aussi le vôtre, demandez à la personne qui vous a envoyé ce lien de l’ajouter.',
    reasons: {
      uniqueness:
        'Un utilisateur portant ce nom existe déjà. Donnez un autre userName à l’un des deux, ou retirez l’autre de l’application.',
      invalidValue: 'Un attribut a une valeur non autorisée. Vérifiez le mappage des attributs.',
      invalidSyntax: 'La requête n’est pas conforme à SCIM. Choisissez SCIM 2.0 chez votre fournisseur d’identité.',
      invalidPath: 'Un attribut est associé à un nom qui n’existe pas. Vérifiez le mappage des attributs.',
      invalidFilter:
        'Le fournisseur recherche d’une manière non prise en charge. Faites-lui rapprocher les utilisateurs par userName.',
      noTarget:
        'Le fournisseur modifie une valeur qui n’existe pas. Faites-lui transmettre de nouveau l’utilisateur entier.',
      mutability:
        'Le fournisseur tente de modifier ce qui ne peut pas l’être, comme un identifiant. Vérifiez le mappage des attributs.',
      tooMany: 'Le fournisseur demande trop à la fois. Faites-lui rapprocher les utilisateurs par userName.',
    },
    statuses: {
      403: 'Cette connexion est désactivée. Adressez-vous à la personne qui vous a envoyé ce lien.',
      404: 'Le fournisseur modifie un utilisateur ou un groupe qui n’existe pas ici. Faites-lui transmettre de nouveau tous les utilisateurs.',
      409: 'Cela existe déjà. Donnez un autre nom à l’un des deux.',
      412: 'Le fournisseur a modifié une version dépassée. Il réessaie automatiquement.',
      413: 'La requête est trop grande. Transmettez les grands groupes en plusieurs parties.',
      429: 'Le fournisseur envoie trop de requêtes. Il réessaie automatiquement.',
    },
    other: 'La requête du fournisseur n’a pas pu être traitée. Son propre journal indique quand il réessaiera.',
    settle: 'C’est réglé : masquer',
    detail: 'Réponse au fournisseur',
  },
}
