import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviorsIn, isChange, isDeprovisioning } from '../../../src/directory/behaviors.ts'
import type { Changes, EventType } from '../../../src/directory/event.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'

const event = (eventType: EventType, changes?: Changes) => ({ eventType, changes: changes && toJsonText(changes) })
const off = { active: { from: true, to: false } }
const on = { active: { from: false, to: true } }
const title = { title: { from: null, to: 'x' } }
/** An attribute whose value looks like a change of `active`. */
const disguised = { note: { from: null, to: { active: { from: true, to: false } } } }

for (const { what, events, behaviors, ends = false } of [
  { what: 'a new user', events: [event('user.created')], behaviors: ['user_created'] },
  { what: 'an update', events: [event('user.updated', title)], behaviors: ['user_updated'] },
  { what: 'a deactivation', events: [event('user.updated', off)], behaviors: ['user_deactivated'], ends: true },
  {
    ...{ what: 'a deactivation with other changes', events: [event('user.updated', { ...off, ...title })], ends: true },
    behaviors: ['user_updated', 'user_deactivated'],
  },
  { what: 'a reactivation', events: [event('user.updated', on)], behaviors: ['user_reactivated'] },
  { what: 'a value like a deactivation', events: [event('user.updated', disguised)], behaviors: ['user_updated'] },
  { what: 'a deletion', events: [event('user.deleted')], behaviors: ['user_deleted'], ends: true },
  {
    what: 'a group with members',
    events: [event('group.created'), event('group.user_added'), event('group.user_added')],
    behaviors: ['group_pushed', 'member_added'],
  },
  { what: 'a renamed group', events: [event('group.updated', title)], behaviors: ['group_pushed'] },
  { what: 'a removed member', events: [event('group.user_removed')], behaviors: ['member_removed'] },
  { what: 'a deleted group', events: [event('group.deleted')], behaviors: [] },
  { what: 'a resync', events: [event('sync.started'), event('user.snapshot')], behaviors: [] },
  { what: 'no event', events: [], behaviors: [] },
]) {
  test(`${what} shows ${behaviors.join(' and ') || 'nothing'}${ends ? ' and is a deprovisioning' : ''}`, () => {
    assert.deepEqual(behaviorsIn(events), behaviors)
    assert.equal(events.some(isDeprovisioning), ends)
  })
}

test('resyncs and tests are no changes', () => {
  const changes = (['group.deleted', 'user.created', 'group.user_added'] as const).every((one) => isChange(event(one)))
  const others = (['user.snapshot', 'sync.started', 'endpoint.test'] as const).some((one) => isChange(event(one)))
  assert.deepEqual([changes, others], [true, false])
})
