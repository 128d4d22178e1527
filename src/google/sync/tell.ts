import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { ReconcileParts } from './parts.ts'

/** Tells of the events of one commit; resolves when they have been heard, rejects when that failed. */
export type Tell = ReconcileParts['onEvents']

interface Waiting {
  readonly directory: Directory
  readonly events: readonly StoredEvent[]
  readonly heard: PromiseWithResolvers<void>
}

/**
 * Makes a `Tell` that speaks of one commit after the other, in their order, though they are made at the same time: what
 * is committed together is told from the next turn of the event loop on, by sequence.
 */
export function createTell(onEvents: ReconcileParts['onEvents']): Tell {
  let waiting: Waiting[] = []
  let isTelling = false

  async function tellAll(): Promise<void> {
    isTelling = true
    await nextTurn()
    for (let next = takeFirst(); next !== undefined; next = takeFirst()) await tellOne(next)
    isTelling = false
  }

  async function tellOne({ directory, events, heard }: Waiting): Promise<void> {
    try {
      await onEvents(directory, events)
      heard.resolve()
    } catch (error) {
      heard.reject(error)
    }
  }

  function takeFirst(): Waiting | undefined {
    const [first, ...others] = waiting.toSorted((a, b) => firstSequence(a) - firstSequence(b))
    waiting = others
    return first
  }

  return (directory, events) => {
    const heard = Promise.withResolvers<void>()
    waiting.push({ directory, events, heard })
    if (!isTelling) void tellAll()
    return heard.promise
  }
}

function firstSequence({ events }: Waiting): number {
  return events[0]?.sequence ?? 0
}
