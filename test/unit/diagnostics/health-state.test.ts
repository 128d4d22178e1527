import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStream } from '../../../src/delivery/event-store.ts'
import type { StoredHealth } from '../../../src/diagnostics/health/health-store.ts'
import type { HealthFacts, HealthState } from '../../../src/diagnostics/health/state.ts'
import { decideHealth, healthReasonCodes } from '../../../src/diagnostics/health/state.ts'
import { changeBehaviors } from '../../../src/directory/behaviors.ts'
import type { SyncTrigger } from '../../../src/google/google-store.ts'
import { assertForPeople } from '../../support/api-words.ts'

const minute = 60_000
const now = 1_700_000_000_000

const stored: StoredHealth = {
  lastSequence: 4,
  lastChangeAt: now - minute,
  behaviors: Object.fromEntries(changeBehaviors.map((one) => [one, undefined])) as StoredHealth['behaviors'],
  ...{ lastRequestAt: now - minute, lastSuccessAt: now - minute, tested: undefined, failed: undefined },
  ...{ feedReadAt: undefined, stream: { ...newStream, deliveredSequence: 4 }, deadEvents: 0, deadSince: undefined },
  ...{ holds: [], oldestUndeliveredAt: undefined, overdue: 0, overdueSince: undefined },
}

const facts: HealthFacts = {
  oauthClients: [],
  ...{ stored, deactivated: false, hasEndpoint: true, hasOnEvent: false, createdAt: 1, pulled: undefined, now },
}

const failed = (sinceSuccess: number) => ({
  ...{
    count: 9,
    lastAt: now,
    lastAddress: '10.0.0.1',
    sinceSuccess,
    withSecret: sinceSuccess,
    since: sinceSuccess === 0 ? undefined : 5,
  },
})
const day = 24 * 60 * minute
const created = { ...stored.behaviors, user_created: { firstAt: now - 60 * minute, lastAt: now } }
const sync = { startedAt: 6, finishedAt: 7, error: 'Google answered 503.', trigger: 'api' } as const
const paused = (reason: 'gone' | 'failing' | 'operator') => ({ ...newStream, pause: { reason, at: 8 } })
const pulled = (
  authorization: 'none' | 'authorized' | 'needs_authorization',
  state?: 'completed' | 'held' | 'failed',
) => ({
  pulled: { authorization, lastSync: state && { ...sync, state }, isScheduled: true },
  hasEndpoint: false,
})
/** Syncs that nobody schedules; the last one had this cause. */
const unscheduled = (trigger: SyncTrigger | undefined, authorization: 'none' | 'authorized' = 'authorized') => ({
  pulled: {
    ...{ authorization, isScheduled: false },
    lastSync: trigger && { ...sync, trigger, state: 'completed' as const },
  },
  ...{ hasEndpoint: false, now: 86_400_005 },
})

interface Case {
  readonly what: string
  readonly given?: Partial<HealthFacts>
  readonly of?: Partial<StoredHealth>
  readonly state: HealthState
  readonly reasons: readonly string[]
  readonly since?: number
  readonly says?: RegExp
}

const cases: readonly Case[] = [
  { what: 'all is well', state: 'healthy', reasons: [] },
  {
    ...{ what: 'nothing was ever heard', of: { lastRequestAt: undefined }, state: 'attention' },
    ...{ reasons: ['never-connected'], since: 1, says: /SCIM address and the secret/ },
  },
  {
    ...{ what: 'one request had a wrong secret', of: { failed: failed(1) }, state: 'attention' },
    ...{ reasons: ['unauthorized'], since: 5, says: /The last request had a wrong or missing secret/ },
  },
  {
    ...{ what: 'five requests in a row had a wrong secret', of: { failed: failed(5) }, state: 'failing' },
    ...{ reasons: ['unauthorized'], since: 5, says: /The last 5 requests/ },
  },
  {
    what: 'the identity provider had the right secret after five wrong ones, and they go on',
    of: { failed: failed(5), failedBeside: { count: 5, at: now - day + 1 } },
    ...{ state: 'attention', reasons: ['unauthorized'], since: 5, says: /somebody else/ },
  },
  {
    what: 'that was a day before the last of them',
    of: { failed: failed(5), failedBeside: { count: 5, at: now - day } },
    ...{ state: 'failing', reasons: ['unauthorized'], says: /The last 5 requests/ },
  },
  {
    what: 'it had the right secret after four wrong ones',
    of: { failed: failed(5), failedBeside: { count: 4, at: now } },
    ...{ state: 'failing', reasons: ['unauthorized'] },
  },
  {
    ...{ what: 'only wrong secrets were ever sent', of: { failed: failed(5), lastRequestAt: undefined } },
    ...{ state: 'failing', reasons: ['unauthorized'] },
  },
  {
    what: 'it is known what was wrong with the last request',
    of: { failed: { ...failed(5), problem: 'the access token has expired' } },
    ...{ state: 'failing', reasons: ['unauthorized'] },
    says: /The last 5 requests could not be authenticated: the access token has expired\. Correct/,
  },
  {
    what: 'the secret of an OAuth client expires within 30 days',
    given: {
      oauthClients: [
        { id: 'late', expiresAt: now + 30 * day + 1 },
        { id: 'soon', expiresAt: now + 30 * day },
      ],
    },
    ...{ state: 'attention', reasons: ['credential-expiring'], since: now, says: /client soon expires at/ },
  },
  {
    what: 'the secret of an OAuth client has expired',
    given: {
      oauthClients: [
        { id: 'none', expiresAt: undefined },
        { id: 'old', expiresAt: now },
      ],
    },
    ...{ state: 'attention', reasons: ['credential-expiring'], says: /client old has expired/ },
  },
  { what: 'the right secret followed wrong ones', of: { failed: failed(0) }, state: 'healthy', reasons: [] },
  {
    ...{ what: 'the directory is deactivated', given: { deactivated: true }, of: { oldestUndeliveredAt: 0 } },
    ...{ state: 'attention', reasons: ['deactivated'] },
  },
  {
    ...{
      what: 'one attempt failed',
      of: { stream: { ...newStream, failures: 1, failingSince: 9, lastError: 'answered 500' } },
    },
    ...{
      state: 'attention',
      reasons: ['delivery-failing'],
      since: 9,
      says: /The last attempt .*the endpoint answered 500/,
    },
  },
  {
    ...{
      what: 'two attempts failed',
      of: { stream: { ...newStream, failures: 2, failingSince: 9 } },
      state: 'failing',
    },
    ...{ reasons: ['delivery-failing'], says: /The last 2 attempts to send an event failed\./ },
  },
  {
    ...{ what: 'the endpoint is gone', of: { stream: paused('gone') }, state: 'failing', reasons: ['delivery-paused'] },
    ...{ since: 8, says: /410/ },
  },
  { what: 'it failed for days', of: { stream: paused('failing') }, state: 'failing', reasons: ['delivery-paused'] },
  { what: 'it was paused', of: { stream: paused('operator') }, state: 'attention', reasons: ['delivery-paused'] },
  {
    ...{ what: 'an event has waited for five minutes', of: { oldestUndeliveredAt: now - 5 * minute } },
    ...{ state: 'attention', reasons: ['delivery-behind'], since: now - 5 * minute },
  },
  { what: 'an event waits', of: { oldestUndeliveredAt: now - 4 * minute }, state: 'healthy', reasons: [] },
  {
    ...{ what: 'an event is dead', of: { deadEvents: 1, deadSince: 3 }, state: 'attention', reasons: ['dead-events'] },
    ...{ since: 3, says: /An event was set aside, rejected by the endpoint permanently or skipped/ },
  },
  {
    ...{ what: 'a deprovisioning is overdue', of: { overdue: 2, overdueSince: 2 }, state: 'failing' },
    ...{ reasons: ['deprovisioning-overdue'], since: 2, says: /2 users lost access/ },
  },
  {
    ...{ what: 'the worst reason comes first', given: { deactivated: true }, of: { overdue: 1, overdueSince: 2 } },
    ...{ state: 'failing', reasons: ['deprovisioning-overdue', 'deactivated'], says: /a user lost access/ },
  },
  {
    ...{ what: 'events are held', state: 'attention', reasons: ['held'], since: 4, says: /21 users were removed/ },
    of: { holds: [{ since: 4, reason: 'users', removals: 21, firstSequence: 3 }], oldestUndeliveredAt: 0 },
  },
  {
    ...{
      what: 'a hold comes before what follows from it',
      state: 'failing',
      reasons: ['held', 'deprovisioning-overdue'],
    },
    of: { holds: [{ since: 9, reason: 'users', removals: 21, firstSequence: 3 }], overdue: 21, overdueSince: 8 },
  },
  {
    ...{ what: 'a deprovisioning was overdue before the hold', state: 'failing' },
    ...{ reasons: ['deprovisioning-overdue', 'held'] },
    of: {
      holds: [{ since: 2 * minute, reason: 'users', removals: 21, firstSequence: 3 }],
      overdue: 1,
      overdueSince: 8,
    },
  },
  {
    ...{ what: 'nobody has received events for an hour', given: { hasEndpoint: false }, of: { behaviors: created } },
    ...{ state: 'attention', reasons: ['no-consumer'], since: now - 60 * minute },
  },
  {
    ...{ what: 'the feed is read', given: { hasEndpoint: false }, of: { behaviors: created, feedReadAt: 1 } },
    ...{ state: 'healthy', reasons: [] },
  },
  {
    ...{ what: 'there is an onEvent', given: { hasEndpoint: false, hasOnEvent: true }, of: { behaviors: created } },
    ...{ state: 'healthy', reasons: [] },
  },
  { what: 'there is nothing to receive yet', given: { hasEndpoint: false }, state: 'healthy', reasons: [] },
  {
    ...{ what: 'the problems of an endpoint that was removed', given: { hasEndpoint: false } },
    ...{ of: { deadEvents: 1, stream: paused('gone') }, state: 'healthy', reasons: [] },
  },
  { what: 'Google is not connected', given: pulled('none'), state: 'attention', reasons: ['not-connected'], since: 1 },
  {
    ...{ what: 'Google rejects the credentials', given: pulled('needs_authorization', 'failed'), state: 'failing' },
    ...{ reasons: ['connection-lost', 'sync-failed'], since: 7 },
  },
  {
    ...{
      what: 'the last sync failed',
      given: pulled('authorized', 'failed'),
      state: 'failing',
      reasons: ['sync-failed'],
    },
    ...{ since: 7, says: /Google answered 503/ },
  },
  {
    what: 'a chosen group is gone',
    given: { pulled: { ...pulled('authorized', 'completed').pulled, goneGroups: ['sales@acme.example'] } },
    ...{ state: 'attention', reasons: ['group-gone'], says: /no longer has the group sales@acme\.example/ },
  },
  { what: 'a sync holds deletions', given: pulled('authorized', 'held'), state: 'attention', reasons: ['sync-held'] },
  {
    ...{ what: 'the last sync completed', given: pulled('authorized', 'completed'), of: { lastRequestAt: undefined } },
    ...{ state: 'healthy', reasons: [] },
  },
  {
    ...{ what: 'no sync is scheduled, and none was made', given: unscheduled(undefined), state: 'attention' },
    ...{ reasons: ['sync-not-scheduled'], says: /DSYNC_EXTDIR_CRON_INTERVAL/ },
  },
  {
    ...{ what: 'no sync is scheduled after the one of the consent', given: unscheduled('consent') },
    ...{ state: 'attention', reasons: ['sync-not-scheduled'], since: 7 },
  },
  {
    ...{ what: 'the product starts the syncs by the cron route', given: unscheduled('cron') },
    ...{ state: 'healthy', reasons: [] },
  },
  {
    ...{ what: 'the product has not started a sync for a day', given: { ...unscheduled('cron'), now: 86_400_006 } },
    ...{ state: 'attention', reasons: ['sync-not-scheduled'] },
  },
  {
    ...{ what: 'no sync is scheduled of a directory without a connection', given: unscheduled('cron', 'none') },
    ...{ state: 'attention', reasons: ['not-connected'] },
  },
]

for (const { what, given, of, state, reasons, since, says = /./ } of cases) {
  test(`health is ${state}: ${what}`, () => {
    const health = decideHealth({ ...facts, ...given, stored: { ...stored, ...of } })
    assert.deepEqual([health.state, health.reasons.map(({ code }) => code)], [state, reasons])
    if (since !== undefined) assert.equal(health.reasons[0]?.since, since)
    for (const { message } of health.reasons.slice(0, 1)) assert.match(message, says)
    for (const { message } of health.reasons) assertForPeople(message)
  })
}

test('every reason has a case', () => {
  assert.deepEqual(new Set(cases.flatMap(({ reasons }) => reasons)), new Set(healthReasonCodes))
})
