import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsumerOptions, ResourceKey, RollcallEvent } from '../../../src/webhooks/index.ts'
import { createConsumer, memoryStore, SequenceGapError } from '../../../src/webhooks/index.ts'
import { someWebhookEvent } from './events.ts'

type EventType = RollcallEvent['event']

/** A consumer that records the events of its handlers. */
function recordingConsumer(options: Partial<ConsumerOptions<void>> = {}) {
  const handled: string[] = []
  const dropped: ResourceKey[] = []
  const note = (event: RollcallEvent, { syncId }: { readonly syncId: string | undefined }) => {
    handled.push([event.sequence, event.event, ...(syncId === undefined ? [] : [syncId])].join(' '))
  }
  const types: EventType[] = ['user.created', 'user.deleted', 'sync.started', 'user.snapshot', 'sync.completed']
  const handlers = Object.fromEntries([...types, 'endpoint.test' as const].map((type) => [type, note]))
  const consumer = createConsumer({
    store: memoryStore(),
    handlers,
    onDrop: (resource) => {
      dropped.push(resource)
    },
    ...options,
  })
  return { ...consumer, handled, dropped }
}

const created = (sequence: number, id = `user-${sequence}`, directory_id = 'directory-1') =>
  someWebhookEvent({ event: 'user.created', sequence, data: { id }, directory_id })

test('processes each event once, in each directory', async () => {
  const { receive, position, handled } = recordingConsumer()
  assert.equal(await position('directory-1'), undefined)
  assert.deepEqual(await receive([created(4), created(5), created(4)]), ['processed', 'processed', 'duplicate'])
  assert.deepEqual(await receive(created(5)), ['duplicate'])
  assert.deepEqual(await receive(created(9, 'user-9', 'directory-2')), ['processed'])
  assert.deepEqual([await position('directory-1'), await position('directory-2')], [5, 9])
  assert.deepEqual(handled, ['4 user.created', '5 user.created', '9 user.created'])
})

test('processes concurrent deliveries of one event once', async () => {
  const { receive, handled } = recordingConsumer()
  const outcomes = await Promise.all([1, 1, 1].map((sequence) => receive(created(sequence))))
  assert.deepEqual(outcomes.flat().sort(), ['duplicate', 'duplicate', 'processed'])
  assert.deepEqual(handled, ['1 user.created'])
})

test('reports a gap, and processes the event after the missing ones', async () => {
  const { receive, handled } = recordingConsumer()
  await receive(created(1))
  await assert.rejects(receive(created(4)), (error) => {
    assert(error instanceof SequenceGapError)
    assert.deepEqual([error.expected, error.received, error.directoryId], [2, 4, 'directory-1'])
    return true
  })
  await receive([created(2), created(3), created(4)])
  assert.equal(handled.length, 4)
})

test('fills a gap from the feed', async () => {
  const asked: number[] = []
  const { receive, handled } = recordingConsumer({
    async *catchUp(_directoryId, after) {
      asked.push(after)
      for (const sequence of [2, 3, 4, 5]) yield created(sequence)
    },
  })
  await receive(created(1))
  assert.deepEqual(await receive(created(4)), ['duplicate'])
  assert.deepEqual(asked, [1])
  assert.deepEqual(
    handled,
    [1, 2, 3, 4].map((sequence) => `${sequence} user.created`),
  )
})

test('rejects an event as long as the feed lacks those before it', async () => {
  const { receive } = recordingConsumer({
    async *catchUp() {
      yield created(3)
    },
  })
  await receive(created(1))
  await assert.rejects(receive(created(4)), SequenceGapError)
})

test('an event whose handler fails is processed when it is received again', async () => {
  let failures = 1
  const { receive, position } = recordingConsumer({
    handlers: {
      'user.created'() {
        failures -= 1
        if (failures >= 0) throw new Error('the database is away')
      },
    },
  })
  await assert.rejects(receive(created(1)), /the database is away/)
  assert.equal(await position('directory-1'), undefined)
  assert.deepEqual(await receive(created(1)), ['processed'])
})

test('a test event does not move the position', async () => {
  const { receive, position, handled } = recordingConsumer()
  const event = someWebhookEvent({ event: 'endpoint.test', sequence: 0 })
  assert.deepEqual(await receive([event, event]), ['processed', 'processed'])
  assert.equal(await position('directory-1'), undefined)
  assert.equal(handled.length, 2)
})

test('onDrop is called at the end of a resync for unreported resources, also after a gap', async () => {
  const { receive, handled, dropped, position } = recordingConsumer()
  const event = (type: EventType, sequence: number, data: object = {}) =>
    someWebhookEvent({ event: type, sequence, data })
  const member = (sequence: number, id: string) => event('group.user_added', sequence, { id })
  await receive([
    created(1, 'stays'),
    created(2, 'leaves'),
    created(3, 'deleted'),
    member(4, 'stays'),
    member(5, 'deleted'),
  ])
  await receive([event('user.deleted', 6, { id: 'deleted' })])
  await receive([
    event('sync.started', 20),
    event('user.snapshot', 21, { id: 'stays' }),
    created(22, 'new'),
    event('sync.completed', 23),
    created(24, 'later'),
  ])
  assert.deepEqual(dropped, [
    { kind: 'user', id: 'leaves' },
    { kind: 'member', userId: 'stays', groupId: 'group-1' },
  ])
  assert.equal(await position('directory-1'), 24)
  assert.deepEqual(handled.slice(4), [
    '20 sync.started sync-1',
    '21 user.snapshot sync-1',
    '22 user.created sync-1',
    '23 sync.completed sync-1',
    '24 user.created',
  ])
})
