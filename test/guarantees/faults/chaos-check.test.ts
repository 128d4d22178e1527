import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt } from '../chaos/attempt.ts'
import { checkDirectory } from '../chaos/check.ts'
import type { Stop } from '../chaos/fleet.ts'
import { longestOutageMs } from '../chaos/outage.ts'

const directoryId = 'acme'

/** An attempt to send an event, between two times; accepted by default. */
function attempt(sequence: number, arrivedAt: number, endedAt: number, more: Partial<Attempt> = {}): Attempt {
  return {
    ...{
      process: '1',
      directoryId,
      sequence,
      eventId: `event-${sequence}`,
      createdAt: 0,
      change: `change ${sequence}`,
    },
    ...{ arrivedAt, endedAt, isAccepted: true },
    ...more,
  }
}

const storedEvents = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ sequence: index + 1, id: `event-${index + 1}` }))

const failed = { isAccepted: false }
const byAnother = { process: '2' }
const stop: Stop = { kind: 'suspended', process: '2', from: 100, to: 12_000 }

for (const { what, attempts, violations } of [
  { what: 'each once and in order', attempts: [attempt(1, 10, 11), attempt(2, 12, 13)], violations: [] },
  {
    what: 'a failure that is made good',
    attempts: [attempt(1, 10, 11, failed), attempt(1, 20, 21), attempt(2, 22, 23)],
    violations: [],
  },
  {
    what: 'repeats of what was accepted, by another process as well',
    attempts: [attempt(1, 10, 11), attempt(2, 12, 13), attempt(1, 20, 21, byAnother), attempt(2, 22, 23, byAnother)],
    violations: [],
  },
  {
    what: 'an event that was left out',
    attempts: [attempt(2, 12, 13)],
    violations: ['event 1 of 2 was not delivered', 'event 2 was sent by process 1 before 1 was accepted'],
  },
  {
    what: 'an event before its predecessor was answered',
    attempts: [attempt(1, 10, 15), attempt(2, 14, 16, byAnother)],
    violations: [
      'event 2 was sent by process 2 before 1 was accepted',
      'event 1 by process 1 and event 2 by process 2 were in flight at the same time',
    ],
  },
  {
    what: 'an event after its predecessor was refused only',
    attempts: [attempt(1, 10, 11, failed), attempt(2, 12, 13), attempt(1, 14, 15)],
    violations: ['event 2 was sent by process 1 before 1 was accepted'],
  },
  {
    what: 'an event that is not in the database',
    attempts: [attempt(1, 10, 11), attempt(2, 12, 13), attempt(3, 14, 15)],
    violations: ['event-3 was sent as event 3, which is another event or does not exist'],
  },
  {
    what: 'an event of another directory',
    attempts: [attempt(1, 10, 11), attempt(2, 12, 13, { directoryId: 'globex' })],
    violations: ['got an event of directory globex'],
  },
  {
    what: 'two processes at the same time',
    attempts: [attempt(1, 10, 13), attempt(1, 11, 14, byAnother), attempt(2, 15, 16)],
    violations: ['event 1 by process 1 and event 1 by process 2 were in flight at the same time'],
  },
  {
    what: 'two processes at the same time, one of them refused',
    attempts: [attempt(1, 10, 13, failed), attempt(1, 11, 14, byAnother), attempt(2, 15, 16)],
    violations: [],
  },
  {
    what: 'one late request of a process that was held',
    attempts: [attempt(1, 10, 11, byAnother), attempt(2, 11_999, 12_010), attempt(2, 12_005, 12_012, byAnother)],
    violations: [],
  },
  {
    what: 'a second late request of a process that was held',
    attempts: [
      ...[attempt(1, 10, 11, byAnother), attempt(1, 11_999, 12_010), attempt(1, 12_005, 12_012, byAnother)],
      ...[attempt(2, 12_020, 12_030), attempt(2, 12_025, 12_035, byAnother)],
    ],
    violations: ['event 2 by process 1 and event 2 by process 2 were in flight at the same time'],
  },
]) {
  test(`the chaos run ${violations.length === 0 ? 'allows' : 'detects'} ${what}`, () => {
    const record = { id: directoryId, stored: storedEvents(2), attempts, acknowledged: [] }
    const expected = violations.map((violation) => `${directoryId}: ${violation}`)
    const found = checkDirectory(record, [stop]).violations
    assert.deepEqual(
      found.map(({ text }) => text),
      expected,
    )
  })
}

test('the chaos run detects a gap in the database, and an acknowledged write without an event', () => {
  const [first, , third] = storedEvents(3)
  const stored = [first, third].filter((event) => event !== undefined)
  const attempts = [attempt(1, 10, 11)]
  const { violations } = checkDirectory(
    { id: directoryId, stored, attempts, acknowledged: ['change 1', 'change 2'] },
    [],
  )
  assert.deepEqual(violations, [
    { kind: 'lost', text: 'acme: event 3 does not follow the one before it' },
    { kind: 'lost', text: 'acme: event 3 of 2 was not delivered' },
    { kind: 'lost', text: 'acme: acknowledged and never received: change 2' },
  ])
})

test('the chaos run distinguishes events in the wrong order from events of other directories', () => {
  const attempts = [attempt(2, 12, 13), attempt(1, 14, 15), attempt(3, 16, 17, { directoryId: 'globex' })]
  const record = { id: directoryId, stored: undefined, attempts, acknowledged: [] }
  const kinds = checkDirectory(record, []).violations.map(({ kind }) => kind)
  assert.deepEqual(kinds, ['inverted', 'mixed'])
})

test('the chaos run counts repeats: attempts to send an event that was received before', () => {
  const attempts = [attempt(1, 10, 11), attempt(1, 12, 13, failed), attempt(1, 14, 15), attempt(2, 16, 17)]
  const record = { id: directoryId, stored: storedEvents(2), attempts, acknowledged: [] }
  assert.equal(checkDirectory(record, []).repeats, 2)
})

test('an outage lasts from the event, or the delivery before it, to its first delivery', () => {
  const attempts = [
    ...[attempt(1, 110, 120, { createdAt: 100 }), attempt(2, 190, 200, { createdAt: 105 })],
    ...[attempt(2, 900, 910, { createdAt: 105 }), attempt(3, 950, 960, { createdAt: 940 })],
  ]
  assert.equal(longestOutageMs(attempts), 80)
})
