import { basePath, request, sessionPath } from '../api/http.ts'
import type { Session } from '../api/types.ts'
import type { LoadPage } from './pages.ts'
import { directoryParts, directoryPath, pages } from './pages.ts'

// A script of its own, which has run long before the application is loaded: what the page needs next is loaded beside it.

let first: Promise<{ readonly data: Session | null }> | undefined = request('GET', sessionPath)
first.then(({ data }) => data !== null && loadFirstPage()).catch(() => {})

/** Reads who is signed in. */
export async function readSession(): Promise<Session | null> {
  const reading = first ?? request<{ readonly data: Session | null }>('GET', sessionPath)
  first = undefined
  return (await reading).data
}

/** What the most visited pages read first, by their path. */
const firstReads: Readonly<Record<string, string>> = { '': '/overview', directories: '/health?pageLimit=50&total=true' }

function loadFirstPage(): void {
  const path = window.location.pathname.slice(`${basePath()}/console/`.length).replace(/\/$/, '')
  const part = /^directories\/[^/]+\/?(.*)/.exec(path)?.[1]
  const loads = part === undefined ? [find(pages, path)] : [pages[directoryPath], find(directoryParts, part)]
  // The router reports, and repeats, what fails.
  for (const load of [() => import('./routes.tsx'), ...loads]) load?.().catch(() => {})
  const read = window.location.search === '' ? firstReads[path] : undefined
  if (read === undefined) return
  const href = `${basePath()}/api/v1/directory-sync${read}`
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href }),
  )
}

function find(table: Readonly<Record<string, LoadPage>>, path: string): LoadPage | undefined {
  const isIt = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  return Object.entries(table).find(([pattern]) => isIt(pattern))?.[1]
}
