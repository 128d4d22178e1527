import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredEvent } from '../../../../src/directory/event.ts'
import { createTell } from '../../../../src/google/sync/tell.ts'
import { toJsonText } from '../../../../src/scim/json-text.ts'
import { someDirectory } from '../../../contract/store/samples.ts'

const directory = someDirectory()

function commit(sequence: number): readonly StoredEvent[] {
  const data = toJsonText({})
  return [{ id: `event-${sequence}`, sequence, eventType: 'user.created', createdAt: 0, requestId: 'run-1', data }]
}

test('commits that are made at the same time are told of in their order, one after the other', async () => {
  const told: string[] = []
  const tell = createTell(async (_, [event]) => {
    told.push(`${event?.sequence} begins`)
    await nextTurn()
    told.push(`${event?.sequence} ends`)
  })
  await Promise.all([3, 1, 2].map((sequence) => tell(directory, commit(sequence))))
  assert.deepEqual(told, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
})

test('who cannot be told fails that commit alone, and later ones are told of', async () => {
  const told: (number | undefined)[] = []
  const tell = createTell(async (_, [event]) => {
    if (event?.sequence === 1) throw new Error('not this one')
    told.push(event?.sequence)
  })
  await assert.rejects(tell(directory, commit(1)), /not this one/)
  await tell(directory, commit(2))
  assert.deepEqual(told, [2])
})
