import { useEffect, useMemo, useState } from 'react'
import type { Query } from './http.ts'
import { ApiError, basePath, request, withQuery } from './http.ts'
import { dsync } from './queries.ts'
import type { DirectoryEvent, EventType } from './types.ts'

const pageSize = 50
/** The list begins again with its first page after this number of new events. */
const maxAdded = 1_000
const retryMs = 2_000
/** A stream that is silent for longer, without its heartbeats, is given up, in milliseconds. */
const silentMs = 12_000

/** Server-sent events are named by their type: each needs a listener of its own. */
const types: Readonly<Record<EventType, true>> = {
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'user.erased': true,
  'group.created': true,
  'group.updated': true,
  'group.deleted': true,
  'group.user_added': true,
  'group.user_removed': true,
  'directory.created': true,
  'directory.deactivated': true,
  'directory.activated': true,
  'directory.deleted': true,
  'endpoint.test': true,
  'sync.started': true,
  'user.snapshot': true,
  'group.snapshot': true,
  'member.snapshot': true,
  'sync.completed': true,
}

/** The types of the events that a directory may have. */
export const eventTypes: readonly string[] = Object.keys(types).filter((type) => type !== 'endpoint.test')

export type LiveState = 'connecting' | 'live' | 'paused'

interface EventsPage {
  readonly data: readonly DirectoryEvent[]
  readonly pageToken?: string
  readonly next: string
}

/** The events that are shown, newest first, and the token of the older ones. */
interface Shown {
  readonly events: readonly DirectoryEvent[]
  readonly pageToken: string | undefined
}

/** The events to read. */
interface Events {
  readonly path: string
  readonly filter: Query
}

function readPage({ path, filter }: Events, pageToken?: string): Promise<EventsPage> {
  return request('GET', withQuery(path, { ...filter, pageLimit: pageSize, pageToken }))
}

interface Listener {
  readonly onPage: (page: EventsPage) => void
  readonly onEvent: (event: DirectoryEvent) => void
  readonly onState: (state: LiveState) => void
  readonly onError: (error: Error) => void
}

/**
 * Reads the newest events, then follows new ones over server-sent events. When the service refuses to continue, because
 * its events are no longer those that were received, is not available, or has gone silent, it begins again. Returns the function that
 * ends it.
 */
function follow(watched: Events, { onPage, onEvent, onState, onError }: Listener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const giveUp = () => {
    onState('connecting')
    source?.close()
    beginSoon()
  }
  /** The service has sent something: the stream is alive until it has been silent for too long. */
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, silentMs)
  }

  const begin = async () => {
    const page = await readPage(watched)
    if (isOver) return
    onPage(page)
    let added = 0
    const opened = new EventSource(withQuery(basePath() + watched.path, { ...watched.filter, after: page.next }))
    source = opened
    opened.onopen = () => {
      onState('live')
      heard()
    }
    opened.onerror = () => {
      onState('connecting')
      // Otherwise the browser connects again by itself.
      if (opened.readyState === EventSource.CLOSED) beginSoon()
    }
    opened.addEventListener('heartbeat', heard)
    const take = ({ data }: MessageEvent<string>) => {
      heard()
      onEvent(JSON.parse(data))
      added += 1
      if (added < maxAdded) return
      opened.close()
      beginSoon()
    }
    for (const type of eventTypes) opened.addEventListener(type, take)
  }
  const beginSoon = () => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => begin().catch(failed), retryMs)
  }
  const failed = (error: unknown) => {
    if (isOver) return
    if (error instanceof ApiError && (error.status === 0 || error.status === 503)) beginSoon()
    else onError(error as Error)
  }
  onState('connecting')
  begin().catch(failed)
  return () => {
    isOver = true
    clearTimeout(timer)
    source?.close()
  }
}

/**
 * The events of a directory, newest first: the last page of what there is, then new ones as they are committed. Older
 * ones are read page by page. Looking does not count as the product's reading of the feed.
 *
 * @param event the type of the events to show, or an empty text
 * @param resource the id of the user or group that they are about, or an empty text
 */
export function useLiveEvents(directoryId: string, event: string, resource: string) {
  const [{ events, pageToken }, show] = useState<Partial<Shown>>({})
  const [error, setError] = useState<Error>()
  const [state, setState] = useState<LiveState>('connecting')
  const [isFollowing, setFollowing] = useState(true)
  const [isReadingOlder, setReadingOlder] = useState(false)
  const watched = useMemo(
    () => ({ path: `${dsync}/${directoryId}/events`, filter: { event, resource } }),
    [directoryId, event, resource],
  )

  useEffect(() => {
    if (!isFollowing) {
      setState('paused')
      return
    }
    show({})
    setError(undefined)
    return follow(watched, {
      onPage: (page) => show({ events: page.data, pageToken: page.pageToken }),
      onEvent: (added) => show((before) => ({ ...before, events: withEvent(before.events ?? [], added) })),
      onState: setState,
      onError: setError,
    })
  }, [watched, isFollowing])

  const readOlder = async () => {
    setReadingOlder(true)
    try {
      const older = await readPage(watched, pageToken)
      show(({ events: newer = [] }) => ({ events: [...newer, ...older.data], pageToken: older.pageToken }))
    } catch (cause) {
      setError(cause as Error)
    }
    setReadingOlder(false)
  }
  return {
    events,
    error,
    state,
    isFollowing,
    setFollowing,
    readOlder,
    isReadingOlder,
    hasOlder: pageToken !== undefined,
  }
}

/** Adds an event, which may be there already. */
function withEvent(events: readonly DirectoryEvent[], event: DirectoryEvent): readonly DirectoryEvent[] {
  return events.some(({ id }) => id === event.id) ? events : [event, ...events]
}
