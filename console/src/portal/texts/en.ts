import type { PortalTexts } from './texts.ts'

/** The portal in English. */
export const en: PortalTexts = {
  title: (product) => `Connect your directory to ${product}`,
  lead: (product) =>
    `Your users and groups are then sent to ${product} automatically: new people get access, and people who leave lose it.`,
  validUntil: (date) => `This link works until ${date}.`,
  loading: 'Loading…',
  retry: 'Try again',
  failed: 'This could not be loaded.',
  offline: 'You are offline. What you see may be outdated.',
  waiting: 'Still waiting for an answer …',
  unreachable: 'The service cannot be reached. Trying again …',
  back: (product) => `Back to ${product}`,
  toSetup: 'Back to the setup',
  notices: {
    'link-gone': {
      title: 'This link does not work',
      text: 'It has expired, was revoked or already used, or is incomplete. Ask the person who sent it to you for a new one.',
    },
    'google-connected': {
      title: 'Google Workspace is connected',
      text: 'The first sync of your users and groups has started. You can close this page.',
    },
    'google-pending': {
      title: 'Waiting for approval',
      text: 'The account that you used could not be matched with the expected Google Workspace. Nothing changes until the person who sent you the link approves it.',
    },
    'google-denied': {
      title: 'Access was not granted',
      text: 'Start again with an administrator account, and allow the access on Google’s page. If your organization restricts apps, trust this one in the Google Admin console under “API controls” first.',
    },
    'google-failed': {
      title: 'Google Workspace was not connected',
      text: 'Nothing has changed. Start again, and leave every permission on Google’s page selected. If that does not help, send the reason to the person who gave you the link:',
    },
  },
  switchLanguage: 'Language',
  switchScheme: { light: 'Use the light appearance', dark: 'Use the dark appearance' },
  copy: (label) => `Copy ${label}`,
  copyShort: 'Copy',
  copied: 'Copied',
  requestId: (id) => `Request ${id}`,
  choose: {
    heading: 'Which identity provider do you use?',
    other: 'Other provider with SCIM 2.0',
    change: 'Choose another provider',
    changeText:
      'The address and the token that you see now stop working. This is only possible until the first user has arrived.',
    cancel: 'Cancel',
    none: 'No identity provider can be connected with this link yet. Ask the person who sent it to you.',
  },
  values: {
    heading: 'Values to copy',
    endpoint: 'Base URL',
    secret: 'Token',
    shownOnce: 'Copy the token now: it is shown only in this tab, until you close it.',
    done: 'I have stored the token',
    hidden: (ending) =>
      `The token was shown when it was created; it ends with “${ending}”. Create a new one if you do not have it.`,
    rotate: 'Create a new token',
    rotateTitle: 'Create a new token?',
    rotateText: 'Enter the new token at your identity provider afterwards.',
    keepOld: 'The current token keeps working for a day',
    stopOld: 'The current token stops working immediately',
  },
  signIn: {
    heading: 'How Entra ID signs in',
    ways: {
      token: { name: 'Token', about: 'One token that is sent with every request until you replace it.' },
      secret: {
        name: 'Client credentials (OAuth 2.0)',
        about: 'A secret that expires is exchanged for access tokens of a few hours.',
      },
      federated: {
        name: 'Workload identity federation',
        about: 'No secret at all: Entra ID proves itself with its own signature. Recommended.',
      },
    },
    onlyOAuth: 'The token is no longer accepted for this connection.',
    create: 'Create client credentials',
    createAnother: 'Create further client credentials',
    noSecret: 'Create client credentials first. Their secret is shown once.',
    shownOnce: 'Copy the client secret now: it is shown only in this tab, until you close it.',
    done: 'I have stored the client secret',
    hidden: 'The client secret was shown when it was created. Create further client credentials if you do not have it.',
    paste: 'Values from Entra ID',
    pasteText: 'Select a workload identity in Entra ID as in the steps below, and paste the four values that it shows.',
    connect: 'Save the values',
    connectAnother: 'Paste the values of another workload identity',
    problems: {
      issuer:
        'The issuer must be https://login.microsoftonline.com/‹tenant ID›/v2.0, with the ID of your Entra tenant.',
      jwks_url:
        'The JWKS URL must be of the same tenant: https://login.microsoftonline.com/‹tenant ID›/discovery/v2.0/keys.',
      subject: 'The subject must be an object ID, such as 00000000-0000-0000-0000-000000000000.',
      audience: 'The audience must be api://‹application ID›/.default, or the application ID.',
    },
    clients: 'Credentials of this connection',
    expires: (date) => `expires on ${date}`,
    expired: (date) => `expired on ${date}`,
    used: (when) => `last used ${when}`,
    unused: 'not used yet',
    remove: (clientId) => `Delete the credentials ${clientId}`,
    removeShort: 'Delete',
    removeTitle: 'Delete these credentials?',
    removeText: 'Access ends immediately. If Entra ID still uses them, provisioning stops until you enter others.',
  },
  steps: {
    heading: 'Steps',
    variants: {
      standard: 'Application',
      'private-app': 'Your own application',
      'catalog-app': 'From the catalog',
    },
    console: (provider) => `Open the admin console of ${provider}`,
    help: 'The provider’s own instructions',
    drawing: (title) => `Drawing of the form “${title}” with the fields to fill in`,
    turnOn: 'on',
    turnOff: 'off',
    toCopy: 'copy into this page',
    testEmail: 'an address that no user has',
    clickPath: 'Where to click',
    texts: {
      createApp: () => 'In the admin console, create an application for your users.',
      addCatalogApp: (product) => `Search the catalog for ${product} and add it.`,
      enableScim: () => 'Turn on SCIM provisioning for the application.',
      enterConnection: () => 'Enter the address and the token, then test the connection.',
      saveConnection: () => 'Save when the test has succeeded.',
      enableActions: () => 'Let it create, update and deactivate users.',
      checkMappings: () => 'Check that the attributes below are sent.',
      assign: () => 'Assign the users or groups who should have access. Only they are sent.',
      oktaLicense: () =>
        'Provisioning needs Okta Lifecycle Management. If Okta does not offer SCIM in the app settings below, your plan does not include it: ask your Okta representative.',
      oktaCreate: (product) =>
        `Create an application with SAML 2.0: with OpenID Connect, Okta offers no SCIM. If your users already sign in to ${product} by SAML, use that application and go on where SCIM is turned on.`,
      oktaGeneral: () => 'Name the application. If it is only for provisioning, hide its icon.',
      oktaSaml: () =>
        'Okta asks for single sign-on first. If you only want provisioning, enter the base URL in both fields: nobody signs in with it.',
      oktaFinish: () => 'The last page only asks for feedback: finish it.',
      oktaSave: () => 'Save when the test has succeeded. The settings of the next step appear only then.',
      oktaPushGroups: () =>
        'Choose the groups that should appear with their members. Assign the members as well: only assigned users are sent.',
      entraCreate: () => 'In the Microsoft Entra admin center, create an application that is not from the gallery.',
      entraClientCredentials: () =>
        'Enter the address, the token endpoint and the client credentials, then test the connection.',
      entraWorkloadIdentity: () =>
        'Choose workload identity federation and select a workload identity. Copy the four values that appear, and save them for this connection.',
      entraFederation: () =>
        'Enter the client identifier, the token endpoint and the address, then test the connection.',
      entraConfiguration: () => 'Create the configuration when the test has succeeded.',
      entraAssign: () =>
        'Assign the users or groups who should have access. Only they are sent, and of a group only its direct members. Assigning groups requires Microsoft Entra ID P1.',
      entraStart: () => 'Start provisioning. The first run can take up to 40 minutes; later changes arrive sooner.',
      oneloginProvisioning: () =>
        'Turn on provisioning, and turn off the approvals: otherwise every change waits until an administrator approves it.',
      oneloginGroups: () => 'Let groups be sent with the users.',
      oneloginRules: () => 'Add a rule that says which groups users get, for example one for each of their roles.',
      oneloginReapply: () => 'Apply the rules to users who were assigned before.',
      jumpcloudConnection: () =>
        'Enter the address, the token, and an email address that no user has: JumpCloud creates a test user with it.',
      jumpcloudActivate: () =>
        'Activate the connection when the test has succeeded. The test user and a test group are created and deleted again.',
      jumpcloudGroups: () => 'Turn on groups if you want to send them, and save.',
      createRule: () => 'Create a rule that says which users and groups are sent, and enable it.',
      ripplingInstall: () => 'Install the integration and enter the token.',
      roleMappings: () => 'Add the roles whose members should be sent.',
      startSync: () => 'Start the first synchronization.',
      googleAdministrator: () =>
        'You need an administrator account that may read all users and groups, such as that of a super admin of your Google Workspace.',
      googleAllow: (product) =>
        `If your organization restricts which apps may access its data, allow ${product} in the Google Admin console first.`,
      googleConsent: () =>
        'Connect below. Google asks you for permission to read users and groups; nothing is ever changed. Grant all of it.',
      googleFirstSync: () =>
        'The first sync starts as soon as Google Workspace is connected. Large directories take a few minutes.',
      genericConnection: () => 'Enter the address and the token in the SCIM settings of your identity provider.',
      genericMappings: () => 'Send at least userName and active; the other attributes below are optional.',
      genericActions: () => 'Turn on creating, updating and deactivating users, and sending groups.',
      genericAssign: () => 'Assign the users or groups who should have access.',
    },
    labels: null,
  },
  google: {
    connect: 'Connect Google Workspace',
    reconnect: 'Connect again',
    connected: 'Google Workspace is connected.',
    again: (reason) => `Google Workspace has to be connected again: ${reason}`,
    pending: (reason) => `${reason} The person who sent you this link has to approve it.`,
    notConfigured: (product) =>
      `${product} cannot connect Google Workspace with this page yet. Ask the person who sent you this link.`,
    repeats: 'Syncs repeat automatically.',
    notScheduled: (product) => `Syncs do not repeat automatically: ${product} starts them.`,
    scope:
      'Everybody in Google Workspace is synced, unless you choose groups or organizational units here. Members of nested groups and units below are included.',
    groups: 'Groups (addresses or ids)',
    units: 'Organizational units (paths)',
    saveScope: 'Save the choice',
  },
  attributes: {
    heading: 'Attribute mapping',
    source: 'Source at your provider',
    attribute: 'SCIM attribute',
    meaning: 'Meaning',
    required: 'required',
    automatic: 'set automatically',
    meanings: {
      userName: 'The name that identifies the user, usually the email address',
      'name.givenName': 'First name',
      'name.familyName': 'Last name',
      'emails[type eq "work"].value': 'Email address; without it, the userName is used',
      active: 'Whether the user has access',
      displayName: 'Full name',
      externalId: 'The id of the user at your identity provider',
      title: 'Job title',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Department',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'Employee number',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'Manager',
    },
  },
  health: {
    heading: 'What has arrived',
    complete: 'Everything works. You can close this page; the same link shows the state of the connection.',
    progress: (done, all) => `${done} of ${all} seen`,
    states: {
      waiting: 'Waiting for the first request',
      healthy: 'Working',
      attention: 'Needs attention',
      failing: 'Not working',
    },
    lastSync: (when) => `Last sync: ${when}.`,
    syncFailed: (when) => `The last sync failed (${when}). If this remains, ask the person who sent you this link.`,
    waitingForSync: 'Waiting for the first sync',
    lastRequest: (when) => `Last request from your identity provider: ${when}.`,
    never: 'Nothing has arrived from your identity provider yet.',
    deactivated: 'This connection is switched off. Ask the person who sent you this link.',
    seen: (when) => `seen ${when}`,
    missing: 'not seen yet',
    alsoSeen: 'Also seen',
    signedIn: {
      name: 'Signed in',
      hint: 'Enter the values at your identity provider and use its test button.',
    },
    behaviors: {
      connection_tested: { name: 'Connection tested', hint: 'Use the test button of your identity provider.' },
      user_created: { name: 'User created', hint: 'Assign one user to the application.' },
      user_updated: { name: 'User updated', hint: 'Change the name or title of an assigned user.' },
      user_deactivated: { name: 'User deactivated', hint: 'Remove the assignment of a test user.' },
      user_reactivated: { name: 'User activated again', hint: 'Assign the test user again.' },
      user_deleted: { name: 'User deleted', hint: 'Some providers never delete users, which is fine.' },
      group_pushed: { name: 'Group sent', hint: 'Send one group, if you want to use groups.' },
      member_added: { name: 'Member added to a group', hint: 'Add an assigned user to a group that is sent.' },
      member_removed: { name: 'Member removed from a group', hint: 'Remove a user from a group that is sent.' },
    },
    readHints: {
      user_created: 'Users appear with the first sync.',
      user_updated: 'Change the name or title of a user; the next sync reads it.',
      user_deactivated: 'Suspend a test user; the next sync reads it.',
      group_pushed: 'Groups appear with the first sync.',
    },
  },
  roles: {
    heading: 'Roles',
    lead: (product) => `Choose which role in ${product} the members of each group have. Only direct members get it.`,
    jump: 'Roles for your groups',
    waiting: 'Your groups appear here after the first sync.',
    search: 'Find a group',
    notFound: 'No group has this name.',
    more: 'Show more groups',
    members: (count) => (count === 1 ? '1 member' : `${count.toLocaleString('en')} members`),
    none: 'No role',
    roleOf: (group) => `Role of ${group}`,
    fixed: (product) => `${product} has set this role. It cannot be changed with this link.`,
    preview: 'What changes',
    gain: (count, role, people) =>
      `${count === 1 ? '1 person gains' : `${count.toLocaleString('en')} people gain`} “${role}”: ${people}.`,
    lose: (count, role, people) =>
      `${count === 1 ? '1 person loses' : `${count.toLocaleString('en')} people lose`} “${role}”: ${people}.`,
    others: (count) => `${count.toLocaleString('en')} more`,
    nobodyInGroup: 'Nobody is in this group yet. Whoever is added to it has the role from then on.',
    nobodyChanges: 'No one’s roles change at the moment.',
    tooFew: (role, product) =>
      `Afterwards, fewer people would have “${role}” than ${product} requires. ${product} would then receive no further change from your directory until somebody there has approved this one.`,
    apply: 'Apply',
    running: (done, all) =>
      `Roles are being changed: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} people checked`,
    done: (count) =>
      count === 0
        ? 'Done. No one’s roles had to change.'
        : `Done. The roles of ${count === 1 ? '1 person' : `${count.toLocaleString('en')} people`} have changed.`,
  },
  refused: {
    heading: 'The last request that was refused',
    about: (subject) => `It was about ${subject}.`,
    unauthorized: (when) =>
      `Your identity provider used a wrong token, last ${when}. Create a new token and enter it at the provider.`,
    notSignedIn: (when) =>
      `Your identity provider could not sign in, last ${when}. Compare the values on both sides. The reason:`,
    outsideDomain:
      'The address of this user is not in a domain that the product accepts from your company; the details name these domains. Use an address in one of them. If another domain is yours as well, ask the person who sent you this link to add it.',
    reasons: {
      uniqueness:
        'A user with this name already exists. Give one of them a different userName, or remove the other one from the application.',
      invalidValue: 'An attribute has a value that is not allowed. Check the attribute mapping.',
      invalidSyntax: 'The request is not valid SCIM. Choose SCIM 2.0 at your identity provider.',
      invalidPath: 'An attribute is mapped to a name that does not exist. Check the attribute mapping.',
      invalidFilter: 'The provider searches in a way that is not supported. Let it match users by userName.',
      noTarget: 'The provider changes a value that does not exist. Let it send the whole user again.',
      mutability:
        'The provider tries to change something that cannot be changed, such as an id. Check the attribute mapping.',
      tooMany: 'The provider asks for too much at once. Let it match users by userName.',
    },
    statuses: {
      403: 'This connection is switched off. Ask the person who sent you this link.',
      404: 'The provider changes a user or group that does not exist here. Let it send all users again.',
      409: 'This already exists. Give one of them a different name.',
      412: 'The provider changed an outdated version. It retries the change automatically.',
      413: 'The request is too large. Send large groups in smaller parts.',
      429: 'The provider sends requests too fast. It retries the request automatically.',
    },
    other: 'The provider’s request could not be handled. The log of the provider shows when it tries again.',
    settle: 'It is resolved: hide this',
    detail: 'Response to the provider',
  },
}
