import type { RouteObject } from 'react-router'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { basePath } from '../api/http.ts'
import { loadPart } from '../api/loading.ts'
import { OverviewPage } from './pages/overview.tsx'
import { PageError, PageNotFound } from './pages/problems.tsx'
import type { LoadPage } from './pages.ts'
import { directoryParts, directoryPath, pages } from './pages.ts'
import { Shell } from './shell.tsx'

const routesOf = (table: Readonly<Record<string, LoadPage>>): RouteObject[] =>
  Object.entries(table).map(([path, load]) => {
    const lazy = async () => ({ Component: await loadPart(load, target) })
    if (path === '') return { index: true, lazy }
    return { path, lazy, ...(path === directoryPath && { children: routesOf(directoryParts) }) }
  })

/** The address of the page that is being opened, which the browser has only once the page is loaded. */
function target(): string {
  const { location } = openRouter().state.navigation
  return location === undefined ? window.location.href : openRouter().createHref(location)
}

let created: ReturnType<typeof createBrowserRouter> | undefined

/** The pages. The first one begins to load when this is shown, which is when somebody is signed in. */
export function Pages() {
  return <RouterProvider router={openRouter()} />
}

function openRouter(): ReturnType<typeof createBrowserRouter> {
  created ??= createBrowserRouter(
    [
      {
        path: '/',
        Component: Shell,
        HydrateFallback: () => null,
        children: [
          {
            ErrorBoundary: PageError,
            // The first page of most visits does not wait for a second script.
            children: [
              { index: true, Component: OverviewPage },
              ...routesOf(pages),
              { path: '*', Component: PageNotFound },
            ],
          },
        ],
      },
    ],
    { basename: `${basePath()}/console` },
  )
  return created
}
