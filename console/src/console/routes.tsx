import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { createBrowserRouter } from 'react-router'
import { basePath } from '../api/http.ts'
import { loadPart } from '../api/loading.ts'
import { OverviewPage } from './pages/overview.tsx'
import { PageError, PageNotFound } from './pages/problems.tsx'
import { Shell } from './shell.tsx'

/** Loads a page when it is opened. */
function page<Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) {
  const address = () => {
    const to = created?.state.navigation.location
    return to === undefined ? window.location.href : to.pathname + to.search + to.hash
  }
  return async () => ({ Component: (await loadPart(load, address))[name] })
}

/** The parts of a directory; each is loaded when it is opened. */
const directoryParts: RouteObject[] = [
  { index: true, lazy: page(() => import('./pages/directory/health.tsx'), 'HealthPage') },
  { path: 'users', lazy: page(() => import('./pages/directory/users.tsx'), 'UsersPage') },
  { path: 'users/:userId', lazy: page(() => import('./pages/directory/user.tsx'), 'UserPage') },
  { path: 'groups', lazy: page(() => import('./pages/directory/groups.tsx'), 'GroupsPage') },
  {
    path: 'groups/:groupId',
    lazy: page(() => import('./pages/directory/group.tsx'), 'GroupPage'),
  },
  {
    path: 'requests',
    lazy: page(() => import('./pages/directory/requests.tsx'), 'RequestsPage'),
  },
  {
    path: 'requests/:requestId',
    lazy: page(() => import('./pages/directory/trace.tsx'), 'TracePage'),
  },
  { path: 'events', lazy: page(() => import('./pages/directory/events.tsx'), 'EventsPage') },
  {
    path: 'events/:sequence',
    lazy: page(() => import('./pages/directory/event.tsx'), 'EventPage'),
  },
  {
    path: 'deliveries',
    lazy: page(() => import('./pages/directory/deliveries.tsx'), 'DeliveriesPage'),
  },
  {
    path: 'dead-events',
    lazy: page(() => import('./pages/directory/dead-events.tsx'), 'DeadEventsPage'),
  },
  { path: 'roles', lazy: page(() => import('./pages/directory/roles.tsx'), 'RolesPage') },
  { path: 'hold', lazy: page(() => import('./pages/directory/hold.tsx'), 'HoldPage') },
  {
    path: 'sync-runs',
    lazy: page(() => import('./pages/directory/sync-runs.tsx'), 'SyncRunsPage'),
  },
  { path: 'resync', lazy: page(() => import('./pages/directory/resync.tsx'), 'ResyncPage') },
  {
    path: 'oauth-clients',
    lazy: page(() => import('./pages/directory/oauth-clients.tsx'), 'OAuthClientsPage'),
  },
  {
    path: 'settings',
    lazy: page(() => import('./pages/directory/settings.tsx'), 'SettingsPage'),
  },
]

const pages: RouteObject[] = [
  // The first page of most visits does not wait for a second script.
  { index: true, Component: OverviewPage },
  { path: 'directories', lazy: page(() => import('./pages/directories.tsx'), 'DirectoriesPage') },
  {
    path: 'directories/:directoryId',
    lazy: page(() => import('./pages/directory/directory.tsx'), 'DirectoryPage'),
    children: directoryParts,
  },
  { path: 'tenant', lazy: page(() => import('./pages/tenant.tsx'), 'TenantPage') },
  {
    path: 'dead-events',
    lazy: page(() => import('./pages/dead-events.tsx'), 'DeadEventsOfAllPage'),
  },
  {
    path: 'refused-requests',
    lazy: page(() => import('./pages/refused-requests.tsx'), 'RefusedRequestsPage'),
  },
  { path: 'explain', lazy: page(() => import('./pages/explain.tsx'), 'ExplainPage') },
  {
    path: 'setup-links',
    lazy: page(() => import('./pages/setup-links.tsx'), 'SetupLinksPage'),
  },
  { path: 'roles', lazy: page(() => import('./pages/product-roles.tsx'), 'ProductRolesPage') },
  { path: 'keys', lazy: page(() => import('./pages/keys.tsx'), 'KeysPage') },
  { path: 'admins', lazy: page(() => import('./pages/admins.tsx'), 'AdminsPage') },
  { path: 'privacy', lazy: page(() => import('./pages/privacy.tsx'), 'PrivacyPage') },
  { path: 'audit', lazy: page(() => import('./pages/audit.tsx'), 'AuditPage') },
  { path: 'audit/:sequence', lazy: page(() => import('./pages/audit-entry.tsx'), 'EntryPage') },
  {
    path: 'configuration',
    lazy: page(() => import('./pages/configuration.tsx'), 'ConfigurationPage'),
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
