import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../../src/store/store.ts'
import { now } from './clock.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import type { PatientClient } from './patient-client.ts'
import type { Subject } from './subjects.ts'

export interface DrainParts {
  readonly subjects: readonly Subject[]
  readonly endpoint: ChaosEndpoint
  readonly newClient: () => PatientClient
  readonly store: Pick<Store, 'eventsAfter'>
  readonly drainMs: number
}

/** The events of a directory in the database. */
export type StoredEvents = { readonly sequence: number; readonly id: string }[]

const pollMs = 250

/** The number of directories that are updated concurrently. */
const updaters = 8

/**
 * Fixes the endpoint, updates every directory, which ends its backoff, and waits at most `drainMs` until everything is
 * delivered. Returns the events of each directory and the time that it took.
 */
export async function drain({ subjects, endpoint, newClient, store, drainMs }: DrainParts) {
  const startedAt = now()
  endpoint.heal()
  const ids = subjects.map(({ directory }) => directory.id)
  const left = ids.values()
  await Promise.all(Array.from({ length: updaters }, () => updateAll(left, newClient())))
  const stored: StoredEvents[] = ids.map(() => [])
  let quietPolls = 0
  while (quietPolls < 2 && now() - startedAt < drainMs) {
    await pause(pollMs)
    const counts = await Promise.all(ids.map((id, index) => readNew(store, id, stored[index] ?? [])))
    const isQuiet = counts.every((fresh) => fresh === 0)
    const isAccepted = subjects.every(({ number }, index) => endpoint.acceptedAt(number) === stored[index]?.length)
    quietPolls = isQuiet && isAccepted ? quietPolls + 1 : 0
  }
  return { stored, drainedMs: now() - startedAt }
}

/** Updates the directories that no other loop has taken. */
async function updateAll(left: Iterator<string>, client: PatientClient): Promise<void> {
  for (let next = left.next(); !next.done; next = left.next()) {
    const { answer } = await client.send((to) => to.api('PATCH', `/${next.value}`, { name: 'healed' }))
    if (answer.status !== 200) throw new Error(`directory ${next.value} was not changed: ${answer.text}`)
  }
}

/** Reads the events since the last poll, and returns their number. */
async function readNew(store: Pick<Store, 'eventsAfter'>, directoryId: string, events: StoredEvents): Promise<number> {
  const before = events.length
  for (;;) {
    const part = await store.eventsAfter(directoryId, events.at(-1)?.sequence ?? 0, 1000)
    if (part.length === 0) return events.length - before
    events.push(...part.map(({ sequence, id }) => ({ sequence, id })))
  }
}
