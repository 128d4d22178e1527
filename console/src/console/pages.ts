import type { ComponentType } from 'react'

/** Loads the component of a page. */
export type LoadPage = () => Promise<ComponentType>

/** The pages by their path; each is loaded when it is opened. */
export const pages: Readonly<Record<string, LoadPage>> = {
  directories: async () => (await import('./pages/directories.tsx')).DirectoriesPage,
  'directories/:directoryId': async () => (await import('./pages/directory/directory.tsx')).DirectoryPage,
  tenant: async () => (await import('./pages/tenant.tsx')).TenantPage,
  'dead-events': async () => (await import('./pages/dead-events.tsx')).DeadEventsOfAllPage,
  'refused-requests': async () => (await import('./pages/refused-requests.tsx')).RefusedRequestsPage,
  explain: async () => (await import('./pages/explain.tsx')).ExplainPage,
  'setup-links': async () => (await import('./pages/setup-links.tsx')).SetupLinksPage,
  roles: async () => (await import('./pages/product-roles.tsx')).ProductRolesPage,
  keys: async () => (await import('./pages/keys.tsx')).KeysPage,
  admins: async () => (await import('./pages/admins.tsx')).AdminsPage,
  privacy: async () => (await import('./pages/privacy.tsx')).PrivacyPage,
  audit: async () => (await import('./pages/audit.tsx')).AuditPage,
  'audit/:sequence': async () => (await import('./pages/audit-entry.tsx')).EntryPage,
  configuration: async () => (await import('./pages/configuration.tsx')).ConfigurationPage,
}

/** The page of a directory, around its parts. */
export const directoryPath = 'directories/:directoryId'

/** The parts of a directory by their path below it. */
export const directoryParts: Readonly<Record<string, LoadPage>> = {
  '': async () => (await import('./pages/directory/health.tsx')).HealthPage,
  users: async () => (await import('./pages/directory/users.tsx')).UsersPage,
  'users/:userId': async () => (await import('./pages/directory/user.tsx')).UserPage,
  adoption: async () => (await import('./pages/directory/adoption.tsx')).AdoptionPage,
  groups: async () => (await import('./pages/directory/groups.tsx')).GroupsPage,
  'groups/:groupId': async () => (await import('./pages/directory/group.tsx')).GroupPage,
  requests: async () => (await import('./pages/directory/requests.tsx')).RequestsPage,
  'requests/:requestId': async () => (await import('./pages/directory/trace.tsx')).TracePage,
  events: async () => (await import('./pages/directory/events.tsx')).EventsPage,
  'events/:sequence': async () => (await import('./pages/directory/event.tsx')).EventPage,
  deliveries: async () => (await import('./pages/directory/deliveries.tsx')).DeliveriesPage,
  'dead-events': async () => (await import('./pages/directory/dead-events.tsx')).DeadEventsPage,
  roles: async () => (await import('./pages/directory/roles.tsx')).RolesPage,
  hold: async () => (await import('./pages/directory/hold.tsx')).HoldPage,
  'sync-runs': async () => (await import('./pages/directory/sync-runs.tsx')).SyncRunsPage,
  resync: async () => (await import('./pages/directory/resync.tsx')).ResyncPage,
  'oauth-clients': async () => (await import('./pages/directory/oauth-clients.tsx')).OAuthClientsPage,
  settings: async () => (await import('./pages/directory/settings.tsx')).SettingsPage,
}
