import assert from 'node:assert/strict'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { ReceivedEvent } from '../../../support/receiver.ts'

/** Fails if events report the removal of a user who still exists, from the directory or from a group. */
export function assertNobodyLost(events: readonly ReceivedEvent[], model: WorkspaceModel): void {
  const there = new Set([...model.users(), ...model.groups()].map(({ id }) => id))
  const lost = events.filter(({ event, data: { id, group } }) => {
    if (event === 'user.deleted' || event === 'group.deleted') return there.has(id)
    return event === 'group.user_removed' && group !== undefined && model.expectedMembers(group.id).includes(id)
  })
  assert.deepEqual(lost.map(wordsOf), [], 'nobody who exists is lost')
}

function wordsOf({ event, data: { id, group } }: ReceivedEvent): string {
  return group === undefined ? `${event} ${id}` : `${event} ${group.id} ${id}`
}
