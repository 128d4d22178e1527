import assert from 'node:assert/strict'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { ReceivedEvent } from '../../../support/receiver.ts'

/** Who is in a Workspace all the time, from now on. */
export interface Staying {
  /** To be called after every change. */
  look(): void
  /** Fails when one of the events tells that somebody went who stayed. */
  assertNotDeleted(events: readonly ReceivedEvent[]): void
}

/**
 * @param domain the only one that counts; all when undefined
 * @param refused groups that Google denies when it is asked for them
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
      assert.deepEqual(words, [], 'nobody is deleted who was there during the whole run')
    },
  }
}
