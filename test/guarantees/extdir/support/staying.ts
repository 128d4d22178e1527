import assert from 'node:assert/strict'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { ReceivedEvent } from '../../../support/receiver.ts'

/** Tracks the users and groups that stay in a Workspace from now on. */
export interface Staying {
  /** Must be called after every change. */
  look(): void
  /** Fails if an event reports the deletion of a user or group that stayed. */
  assertNotDeleted(events: readonly ReceivedEvent[]): void
}

/**
 * @param domain the only domain to consider; all if undefined
 * @param refused groups that Google refuses to return
 */
export function createStaying(
  model: WorkspaceModel,
  domain: string | undefined,
  refused: ReadonlySet<string>,
): Staying {
  const all = () => [...model.expectedUsers(domain), ...model.expectedGroups(domain)]
  const there = () => all().flatMap(({ id }) => (refused.has(id) ? [] : [id]))
  let staying = new Set(there())
  return {
    look() {
      staying = staying.intersection(new Set(there()))
    },
    assertNotDeleted(events) {
      const lost = events.filter(({ event, data }) => event.endsWith('.deleted') && staying.has(data.id))
      const words = lost.map(({ event, data }) => `${event} ${data.id}`)
      assert.deepEqual(words, [], 'nobody who existed during the whole run is deleted')
    },
  }
}
