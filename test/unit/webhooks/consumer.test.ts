import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEndpointSecret, signatureHeaders } from '../../../src/delivery/endpoint/signature.ts'
import type { ConsumerOptions, ResourceKey, RollcallEvent } from '../../../src/webhooks/index.ts'
import {
  createConsumer,
  DivergedError,
  memoryStore,
  RollcallError,
  SequenceGapError,
} from '../../../src/webhooks/index.ts'
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
  const asked: unknown[] = []
  const { receive, handled } = recordingConsumer({
    async *catchUp(_directoryId, after) {
      asked.push(after)
      for (const sequence of [2, 3, 4, 5]) yield created(sequence)
    },
  })
  await receive(created(1))
  assert.deepEqual(await receive(created(4)), ['duplicate'])
  assert.deepEqual(asked, ['1:event-1'])
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

test('an error of a call that a proxy has answered with 200 gets a status that does not acknowledge the event', async () => {
  const proxy = new RollcallError('Something else has responded: 200', { code: 'unexpected-response', status: 200 })
  const { receive } = recordingConsumer({
    // biome-ignore lint/correctness/useYield: it fails before the first event
    async *catchUp() {
      throw proxy
    },
  })
  await receive(created(1))
  await assert.rejects(receive(created(4)), { code: 'unexpected-response', status: 502, cause: proxy })
})

test('receive refuses what is no event with a sentence', async () => {
  const { receive } = recordingConsumer()
  for (const other of ['{"event":"user.created"}', {}, null, undefined]) {
    await assert.rejects(receive(other as never), { name: 'TypeError', message: /^Pass events to receive/ })
  }
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

/** An event that got the sequence of a lost one; its id is later. */
const replacement = (sequence: number, event: EventType = 'user.created') =>
  someWebhookEvent({
    event,
    sequence,
    id: `replacement-${sequence}`,
    data: event === 'user.created' ? { id: 'new' } : {},
  })

/** A consumer that has processed the events 1 to 5, and records its requests for resyncs. */
async function consumerAtFive(options: Partial<ConsumerOptions<void>> = {}) {
  const resyncs: string[] = []
  const resync = async (directoryId: string) => {
    resyncs.push(directoryId)
  }
  const consumer = recordingConsumer({ resync, ...options })
  await consumer.receive([1, 2, 3, 4, 5].map((sequence) => created(sequence)))
  consumer.handled.length = 0
  return { ...consumer, resyncs }
}

/** A feed that has lost the last processed event. */
const divergedFeed = () =>
  feedThat(() => Promise.reject(new RollcallError('after: …', { code: 'cursor-diverged', status: 409 })))

/** A feed without events, whose first read calls a function. */
function feedThat(answer: () => Promise<unknown>): AsyncIterable<RollcallEvent> {
  const next = async () => {
    await answer()
    return { done: true as const, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

for (const { what, sequence, options } of [
  { what: 'the sequence of the last one', sequence: 5, options: {} },
  { what: 'an earlier sequence, as the feed confirms', sequence: 4, options: { catchUp: divergedFeed } },
  { what: 'an earlier sequence and a later id', sequence: 4, options: {} },
  { what: 'a later sequence, as the feed says', sequence: 9, options: { catchUp: divergedFeed } },
]) {
  test(`an event that replaced a lost one is processed after a request for a resync: ${what}`, async () => {
    const { receive, resyncs, handled, after } = await consumerAtFive(options)
    const following = [replacement(sequence + 1, 'sync.started'), replacement(sequence + 2, 'sync.completed')]
    assert.deepEqual(await receive([replacement(sequence), ...following]), ['processed', 'processed', 'processed'])
    assert.deepEqual(resyncs, ['directory-1'])
    assert.deepEqual(handled, [
      `${sequence} user.created`,
      `${sequence + 1} sync.started sync-1`,
      `${sequence + 2} sync.completed sync-1`,
    ])
    assert.equal(await after('directory-1'), `${sequence + 2}:replacement-${sequence + 2}`)
  })
}

test('a resync that replaced a lost event is processed without another one', async () => {
  const { receive, resyncs, dropped, position } = await consumerAtFive()
  await receive([replacement(4, 'sync.started'), replacement(5), replacement(6, 'sync.completed')])
  assert.deepEqual(resyncs, [])
  assert.equal(await position('directory-1'), 6)
  assert.equal(dropped.length, 5, 'what the resync has not reported')
})

test('an event is sent again until the resync can be requested', async () => {
  let failures = 1
  const { receive, position } = await consumerAtFive({
    resync() {
      failures -= 1
      if (failures >= 0) throw new Error('the service is away')
    },
  })
  await assert.rejects(receive(replacement(5)), /the service is away/)
  assert.deepEqual(await receive(replacement(5)), ['processed'])
  assert.equal(await position('directory-1'), 5)
})

test('without a way to request a resync, a replaced event is reported each time', async () => {
  const { receive, handled } = await consumerAtFive({ resync: undefined })
  for (const _ of [1, 2]) {
    await assert.rejects(receive(replacement(5)), (error) => {
      assert(error instanceof DivergedError)
      assert.deepEqual([error.code, error.status, error.directoryId], ['cursor-diverged', 503, 'directory-1'])
      return true
    })
  }
  assert.deepEqual(handled, [])
})

test('an event that is sent again is a duplicate when the feed still has the last one, whatever its id', async () => {
  const asked: unknown[] = []
  const { receive, resyncs } = await consumerAtFive({
    catchUp: (_directoryId, after) => feedThat(async () => asked.push(after)),
  })
  assert.deepEqual(await receive([created(4), replacement(3), created(5)]), ['duplicate', 'duplicate', 'duplicate'])
  assert.deepEqual(asked, ['5:event-5', '5:event-5'])
  assert.deepEqual(resyncs, [])
})

test('a store without the ids of events finds duplicates by their sequence', async () => {
  const store = memoryStore()
  const { receive, resyncs } = await consumerAtFive({
    store: {
      ...store,
      writePosition: (directoryId, { eventId, ...position }) => store.writePosition(directoryId, position),
    },
  })
  assert.deepEqual(await receive([replacement(5), replacement(4)]), ['duplicate', 'duplicate'])
  assert.deepEqual(resyncs, [])
})

test('verifies requests with the secret of the directory in their headers, and processes them', async () => {
  const secrets: Readonly<Record<string, string>> = {
    'directory-1': newEndpointSecret(),
    'directory-2': newEndpointSecret(),
  }
  const { handle, handled } = recordingConsumer({ secret: async ({ directoryId }) => secrets[directoryId] })
  const send = (events: RollcallEvent | readonly RollcallEvent[], directoryId = 'directory-1', key = directoryId) => {
    const body = JSON.stringify(events)
    const signed = {
      id: 'request',
      timestamp: Math.floor(Date.now() / 1000),
      body,
      secrets: [secrets[key] ?? 'unknown'],
    }
    const named = { 'rollcall-directory-id': directoryId, 'rollcall-tenant': 'acme', 'rollcall-product': 'crm' }
    return handle(body, { ...signatureHeaders(signed), ...named })
  }
  assert.deepEqual(await send(created(1)), ['processed'])
  assert.deepEqual(await send([created(1), created(2)]), ['duplicate', 'processed'])
  assert.deepEqual(await send(created(1, 'user-1', 'directory-2'), 'directory-2'), ['processed'])
  for (const [events, directoryId, key] of [
    [created(3), 'directory-1', 'directory-2'],
    [created(2, 'user-2', 'directory-2'), 'directory-1', 'directory-1'],
    [created(3), 'directory-3', 'directory-3'],
  ] as const) {
    await assert.rejects(send(events, directoryId, key), { name: 'WebhookVerificationError', status: 401 })
  }
  assert.equal(handled.length, 3)
})

test('says that a consumer without a secret cannot verify requests', async () => {
  await assert.rejects(recordingConsumer().handle('{}', {}), { name: 'TypeError', message: /secret/ })
})
