import type { RouteObject } from 'react-router'
import { createBrowserRouter } from 'react-router'
import { basePath } from '../api/http.ts'
import { OverviewPage } from './pages/overview.tsx'
import { PageError, PageNotFound } from './pages/problems.tsx'
import { Shell } from './shell.tsx'

/** The parts of a directory; each is loaded when it is opened. */
const directoryParts: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./pages/directory/health.tsx')).HealthPage }) },
  { path: 'users', lazy: async () => ({ Component: (await import('./pages/directory/users.tsx')).UsersPage }) },
  { path: 'users/:userId', lazy: async () => ({ Component: (await import('./pages/directory/user.tsx')).UserPage }) },
  { path: 'groups', lazy: async () => ({ Component: (await import('./pages/directory/groups.tsx')).GroupsPage }) },
  {
    path: 'groups/:groupId',
    lazy: async () => ({ Component: (await import('./pages/directory/group.tsx')).GroupPage }),
  },
  {
    path: 'requests',
    lazy: async () => ({ Component: (await import('./pages/directory/requests.tsx')).RequestsPage }),
  },
  {
    path: 'requests/:requestId',
    lazy: async () => ({ Component: (await import('./pages/directory/trace.tsx')).TracePage }),
  },
  { path: 'events', lazy: async () => ({ Component: (await import('./pages/directory/events.tsx')).EventsPage }) },
  {
    path: 'events/:sequence',
    lazy: async () => ({ Component: (await import('./pages/directory/event.tsx')).EventPage }),
  },
  {
    path: 'deliveries',
    lazy: async () => ({ Component: (await import('./pages/directory/deliveries.tsx')).DeliveriesPage }),
  },
  {
    path: 'dead-events',
    lazy: async () => ({ Component: (await import('./pages/directory/dead-events.tsx')).DeadEventsPage }),
  },
  { path: 'roles', lazy: async () => ({ Component: (await import('./pages/directory/roles.tsx')).RolesPage }) },
  { path: 'hold', lazy: async () => ({ Component: (await import('./pages/directory/hold.tsx')).HoldPage }) },
  {
    path: 'sync-runs',
    lazy: async () => ({ Component: (await import('./pages/directory/sync-runs.tsx')).SyncRunsPage }),
  },
  { path: 'resync', lazy: async () => ({ Component: (await import('./pages/directory/resync.tsx')).ResyncPage }) },
  {
    path: 'oauth-clients',
    lazy: async () => ({ Component: (await import('./pages/directory/oauth-clients.tsx')).OAuthClientsPage }),
  },
  {
    path: 'settings',
    lazy: async () => ({ Component: (await import('./pages/directory/settings.tsx')).SettingsPage }),
  },
]

const pages: RouteObject[] = [
  // The first page of most visits does not wait for a second script.
  { index: true, Component: OverviewPage },
  { path: 'directories', lazy: async () => ({ Component: (await import('./pages/directories.tsx')).DirectoriesPage }) },
  {
    path: 'directories/:directoryId',
    lazy: async () => ({ Component: (await import('./pages/directory/directory.tsx')).DirectoryPage }),
    children: directoryParts,
  },
  {
    path: 'dead-events',
    lazy: async () => ({ Component: (await import('./pages/dead-events.tsx')).DeadEventsOfAllPage }),
  },
  {
    path: 'refused-requests',
    lazy: async () => ({ Component: (await import('./pages/refused-requests.tsx')).RefusedRequestsPage }),
  },
  { path: 'explain', lazy: async () => ({ Component: (await import('./pages/explain.tsx')).ExplainPage }) },
  {
    path: 'setup-links',
    lazy: async () => ({ Component: (await import('./pages/setup-links.tsx')).SetupLinksPage }),
  },
  { path: 'roles', lazy: async () => ({ Component: (await import('./pages/product-roles.tsx')).ProductRolesPage }) },
  { path: 'keys', lazy: async () => ({ Component: (await import('./pages/keys.tsx')).KeysPage }) },
  { path: 'admins', lazy: async () => ({ Component: (await import('./pages/admins.tsx')).AdminsPage }) },
  { path: 'privacy', lazy: async () => ({ Component: (await import('./pages/privacy.tsx')).PrivacyPage }) },
  { path: 'audit', lazy: async () => ({ Component: (await import('./pages/audit.tsx')).AuditPage }) },
  {
    path: 'configuration',
    lazy: async () => ({ Component: (await import('./pages/configuration.tsx')).ConfigurationPage }),
  },
  { path: '*', Component: PageNotFound },
]

let created: ReturnType<typeof createBrowserRouter> | undefined

/** The pages. The first one begins to load at the first call, which is when somebody is signed in. */
export function openRouter(): ReturnType<typeof createBrowserRouter> {
  created ??= createBrowserRouter(
    [
      {
        path: '/',
        Component: Shell,
        HydrateFallback: () => null,
        children: [{ ErrorBoundary: PageError, children: pages }],
      },
    ],
    { basename: `${basePath()}/console` },
  )
  return created
}
