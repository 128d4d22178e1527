import { useCallback, useEffect, useRef, useState } from 'react'
import { request, withQuery } from './http.ts'
import { dsync } from './queries.ts'
import type { DeliveryStatus, DirectoryEvent, EventType } from './types.ts'

const pageSize = 50
/** More are dropped from the end while new ones arrive; older ones can be read again. */
const maxKept = 1_000

/** Server-sent events are named by their type: each needs a listener of its own. */
const eventTypes: Readonly<Record<EventType, true>> = {
  'user.created': true,
  'user.updated': true,
  'user.deleted': true,
  'group.created': true,
  'group.updated': true,
  'group.deleted': true,
  'group.user_added': true,
  'group.user_removed': true,
  'endpoint.test': true,
  'sync.started': true,
  'user.snapshot': true,
  'group.snapshot': true,
  'member.snapshot': true,
  'sync.completed': true,
}

export type LiveState = 'connecting' | 'live' | 'paused'

async function readEvents(directoryId: string, after: number, limit: number): Promise<readonly DirectoryEvent[]> {
  const path = withQuery(`${dsync}/feed`, { directoryId, after, limit })
  return (await request<{ data: readonly DirectoryEvent[] }>('GET', path)).data
}

/**
 * The events of a directory, newest first: the last page of what there is, then new ones as they are committed, over
 * server-sent events. Older ones are read page by page.
 */
export function useLiveEvents(directoryId: string) {
  const [events, setEvents] = useState<readonly DirectoryEvent[]>()
  const [error, setError] = useState<Error>()
  const [state, setState] = useState<LiveState>('connecting')
  const [isFollowing, setFollowing] = useState(true)
  const [isReadingOlder, setReadingOlder] = useState(false)
  const last = useRef<number | undefined>(undefined)

  const add = useCallback((added: readonly DirectoryEvent[]) => {
    last.current = Math.max(last.current ?? 0, ...added.map(({ sequence }) => sequence))
    setEvents((before = []) => {
      const known = new Set(before.map(({ sequence }) => sequence))
      const fresh = added.filter(({ sequence }) => !known.has(sequence))
      return [...fresh, ...before].sort((a, b) => b.sequence - a.sequence).slice(0, maxKept)
    })
  }, [])

  const begin = useCallback(async () => {
    const status = await request<{ data: DeliveryStatus }>('GET', `${dsync}/${directoryId}/delivery`)
    const from = Math.max(0, status.data.last_sequence - pageSize)
    last.current = status.data.last_sequence
    add(await readEvents(directoryId, from, pageSize))
    last.current = Math.max(last.current ?? 0, status.data.last_sequence)
  }, [add, directoryId])

  useEffect(() => {
    if (!isFollowing) {
      setState('paused')
      return
    }
    let source: EventSource | undefined
    let isOver = false
    setState('connecting')
    const connect = async () => {
      if (last.current === undefined) await begin()
      if (isOver) return
      source = new EventSource(withQuery(`${dsync}/feed`, { directoryId, after: last.current ?? 0 }))
      source.onopen = () => setState('live')
      source.onerror = () => setState('connecting')
      const take = ({ data }: MessageEvent<string>) => add([JSON.parse(data)])
      for (const type of Object.keys(eventTypes)) source.addEventListener(type, take)
      source.onmessage = take
    }
    connect().catch((cause: Error) => setError(cause))
    return () => {
      isOver = true
      source?.close()
    }
  }, [add, begin, directoryId, isFollowing])

  const oldest = events?.at(-1)?.sequence
  const readOlder = async () => {
    if (oldest === undefined || oldest <= 1) return
    setReadingOlder(true)
    const from = Math.max(0, oldest - 1 - pageSize)
    const older = await readEvents(directoryId, from, Math.min(pageSize, oldest - 1)).catch((cause: Error) => {
      setError(cause)
      return []
    })
    setEvents((before = []) => [...before, ...older.filter(({ sequence }) => sequence < oldest).reverse()])
    setReadingOlder(false)
  }
  return { events, error, state, isFollowing, setFollowing, readOlder, isReadingOlder, hasOlder: (oldest ?? 0) > 1 }
}
