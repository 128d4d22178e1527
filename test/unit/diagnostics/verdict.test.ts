import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '../../../src/diagnostics/explain/decision.ts'
import { verdicts } from '../../../src/diagnostics/explain/decision.ts'
import type {
  DeliveryFacts,
  EventFacts,
  ExplainFacts,
  RequestFacts,
  ResourceFacts,
  SyncFacts,
} from '../../../src/diagnostics/explain/facts.ts'
import { decideVerdict } from '../../../src/diagnostics/explain/verdict.ts'
import { directoryTypes } from '../../../src/directory/provider.ts'
import { undefinedName } from '../../../src/scim/errors.ts'
import { assertForPeople } from '../../support/api-words.ts'

/** A time on 22 November 2026. */
const at = (time: string) => Date.parse(`2026-11-22T${time}:00Z`)

const directory: ExplainFacts['directory'] = {
  ...{ name: 'Acme', type: 'okta-scim-v2', deactivated: false, lastRequestAt: at('09:00'), loggedSince: at('07:00') },
}
const delivery: DeliveryFacts = {
  ...{ target: 'endpoint', deliveredSequence: 9, failures: 0, failingSince: undefined, nextAttemptAt: undefined },
  ...{ lastError: undefined, pause: undefined },
}
const nothing: ExplainFacts = {
  ...{ now: at('10:00'), asked: 'maya@acme.example', directory, resource: undefined, requests: [], events: [] },
  ...{ delivery, holds: [], failedAuthentications: undefined, sync: undefined },
}
const maya: ResourceFacts = {
  ...{ type: 'User', id: 'id-of-maya', name: 'maya@acme.example', active: true },
  ...{ createdAt: at('08:00'), updatedAt: at('08:00') },
}
const request = (method: string, time: string, status = 200, more: Partial<RequestFacts> = {}): RequestFacts => ({
  ...{ id: 'request-1', at: at(time), method, path: '/Users', status },
  ...{ scimType: null, detail: null, subject: 'maya@acme.example', ...more },
})
const lookup = (time: string) => request('GET', time, 200, { path: '/Users?filter=userName+eq+%22maya%22' })
const duplicate = { scimType: 'uniqueness', detail: 'userName "maya@acme.example" is in use.' }
const event = (sequence: number, type: string, time: string, more: Partial<EventFacts> = {}): EventFacts => ({
  ...{ sequence, type, createdAt: at(time), ...more },
})
const created = event(7, 'user.created', '08:00')
const stored = { resource: maya, events: [created], requests: [request('POST', '08:00', 201)] }
const deleted = {
  resource: undefined,
  events: [event(8, 'user.deleted', '08:30'), created],
  requests: [request('DELETE', '08:30', 204), request('POST', '08:00', 201)],
}
const wrongSecret = { sinceLastSuccess: 12, lastAt: at('09:50'), since: at('09:10') }
const failing = { deliveredSequence: 6, failures: 3, failingSince: at('08:01'), nextAttemptAt: at('10:05') }
const sync: SyncFacts = {
  ...{ isConnected: true, authorizationNeeded: undefined, isDeletionHeld: false },
  lastRun: { state: 'completed', startedAt: at('08:00'), finishedAt: at('08:01'), error: undefined },
}
const google = { directory: { ...directory, type: 'extdir' as const, lastRequestAt: undefined } }
const run = (state: 'failed' | 'running' | 'held' | 'completed', error?: string): SyncFacts => ({
  ...sync,
  lastRun: { state, startedAt: at('09:00'), finishedAt: state === 'running' ? undefined : at('09:01'), error },
})

interface Situation {
  readonly what: string
  readonly facts: Partial<ExplainFacts>
  readonly verdict: Verdict
  /** The time of `at`. */
  readonly time?: string
  /** A text that the sentence contains. */
  readonly says: RegExp
  readonly advises?: RegExp
}

const situations: readonly Situation[] = [
  // Never sent
  {
    what: 'the identity provider has never sent anything',
    facts: { directory: { ...directory, lastRequestAt: undefined } },
    ...{ verdict: 'never-sent', says: /has not sent any requests yet/, advises: /provisioning is switched on/ },
  },
  {
    what: 'the user is assigned in Okta, but was never sent',
    facts: {},
    ...{
      verdict: 'never-sent',
      says: /^Directory “Acme” has no user or group maya.* since 22 November 2026 at 07:00 UTC names .* at 09:00 UTC\.$/,
    },
    advises: /In Okta.*assigned to the application/,
  },
  {
    what: 'the user is assigned in Entra ID, but was never sent',
    facts: { directory: { ...directory, type: 'azure-scim-v2' } },
    ...{
      verdict: 'never-sent',
      says: /no request that its identity provider has sent/,
      advises: /Provision on demand/,
    },
  },
  {
    what: 'nothing is known, as the request log is off',
    facts: { directory: { ...directory, loggedSince: undefined } },
    ...{
      verdict: 'unknown',
      says: /The request log is off, so it is not known whether .* has sent maya@acme.example; its last/,
    },
  },
  // Looked up only
  {
    what: 'the identity provider only looked the user up',
    facts: { requests: [lookup('09:00')] },
    ...{
      verdict: 'looked-up-only',
      time: '09:00',
      says: /looked for maya@acme.example on 22/,
      advises: /Create Users/,
    },
  },
  {
    what: 'it looked the user up again and again, also with a search by POST',
    facts: { requests: [request('POST', '09:00', 200, { path: '/Users/.search' }), lookup('08:30'), lookup('08:00')] },
    ...{ verdict: 'looked-up-only', time: '09:00', says: /3 times, the last time on 22 November 2026 at 09:00 UTC/ },
  },
  {
    what: 'it asked for an id that does not exist',
    facts: { requests: [request('GET', '09:00', 404, { path: '/Users/1' })] },
    ...{ verdict: 'looked-up-only', time: '09:00', says: /was told that it does not exist, and did not create it/ },
  },
  {
    what: 'secrets were wrong before the user was looked up',
    facts: { requests: [lookup('09:55')], failedAuthentications: { ...wrongSecret, sinceLastSuccess: 0 } },
    ...{ verdict: 'looked-up-only', time: '09:55', says: /looked for/ },
  },
  // Wrong secret
  {
    what: 'the secret has been wrong since a date',
    facts: { failedAuthentications: wrongSecret },
    ...{ verdict: 'unauthorized', time: '09:50' },
    says: /^Since 22 November 2026 at 09:10 UTC .* wrong secret or none: 12 requests, the last one .* 09:50 UTC/,
    advises: /or rotate it and send the new one/,
  },
  {
    what: 'the secret was never right',
    facts: {
      directory: { ...directory, lastRequestAt: undefined },
      failedAuthentications: { sinceLastSuccess: 1, lastAt: at('09:50'), since: undefined },
    },
    ...{ verdict: 'unauthorized', time: '09:50', says: /^From the beginning .*: 1 request, the last one/ },
  },
  {
    what: 'the secret became wrong at an unknown time',
    facts: { failedAuthentications: { ...wrongSecret, since: undefined } },
    ...{
      verdict: 'unauthorized',
      time: '09:50',
      says: /^After the last accepted request, on 22 November 2026 at 09:00 UTC/,
    },
  },
  {
    what: 'the secret became wrong after the user was looked up',
    facts: { requests: [lookup('09:00')], failedAuthentications: wrongSecret },
    ...{ verdict: 'unauthorized', time: '09:50', says: /Whether maya.* was among them is not known/ },
  },
  {
    what: 'one request had a wrong secret after the user was looked up',
    facts: { requests: [lookup('09:00')], failedAuthentications: { ...wrongSecret, sinceLastSuccess: 1 } },
    ...{ verdict: 'looked-up-only', time: '09:00', says: /looked for/ },
  },
  {
    what: 'the secret became wrong after the user had arrived',
    facts: { ...stored, failedAuthentications: wrongSecret },
    ...{
      verdict: 'delivered',
      time: '08:00',
      says: /has accepted it\. Since then, requests .* wrong secret, .* later changes have not/,
    },
  },
  {
    what: 'the secret was wrong for a while before the user arrived',
    facts: { ...stored, failedAuthentications: { sinceLastSuccess: 0, lastAt: at('07:00'), since: undefined } },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it\.$/ },
  },
  // Refused
  {
    what: 'the user was refused as a duplicate of another one',
    facts: { ...stored, requests: [request('POST', '09:00', 409, duplicate), ...stored.requests] },
    ...{ verdict: 'refused', time: '09:00' },
    says: /refused with 409: userName .* is in use\. The name belongs to the user id-of-maya, created on 22 November/,
    advises: /match existing users by userName.*recorded request/,
  },
  {
    what: 'the user was refused as a duplicate in other letters',
    facts: {
      ...stored,
      requests: [request('POST', '09:00', 409, { ...duplicate, subject: 'MAYA@acme.example' }), ...stored.requests],
    },
    ...{ verdict: 'refused', time: '09:00', says: /belongs to the user id-of-maya/ },
  },
  {
    what: 'the user was looked up after the refusal',
    facts: { ...stored, requests: [lookup('09:01'), request('POST', '09:00', 409, duplicate), ...stored.requests] },
    ...{ verdict: 'refused', time: '09:00', says: /409/ },
  },
  {
    what: 'the refused user matched the existing one in the end',
    facts: {
      ...stored,
      requests: [request('PATCH', '09:02'), request('POST', '09:00', 409, duplicate), ...stored.requests],
    },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  {
    what: 'a new user was refused for an invalid value',
    facts: { requests: [request('POST', '09:00', 400, { scimType: 'invalidValue', detail: 'active is a text.' })] },
    ...{ verdict: 'refused', time: '09:00', says: /sent maya.*with 400: active is a text\.$/ },
    advises: /attribute mapping/,
  },
  {
    what: 'a change was refused',
    facts: { ...stored, requests: [request('PATCH', '09:00', 400), ...stored.requests] },
    ...{ verdict: 'refused', time: '09:00', says: /sent a change to maya.*refused with 400\.$/ },
  },
  {
    what: 'the existing user was renamed to the name of another',
    facts: { ...stored, requests: [request('PUT', '09:00', 409, duplicate), ...stored.requests] },
    ...{ verdict: 'refused', time: '09:00', says: /in use\.$/, advises: /one of them needs a different name/ },
  },
  {
    what: 'a deleted user was changed',
    facts: { ...deleted, requests: [request('PATCH', '09:00', 404), ...deleted.requests] },
    ...{ verdict: 'refused', time: '09:00', says: /refused with 404/, advises: /provisioned again/ },
  },
  {
    what: 'the search itself was refused',
    facts: { requests: [request('GET', '09:00', 400, { scimType: 'invalidFilter' })] },
    ...{ verdict: 'refused', time: '09:00', says: /looked for maya.*refused with 400\.$/ },
  },
  {
    what: 'a later read of a stored user was refused',
    facts: { ...stored, requests: [request('GET', '09:00', 400), ...stored.requests] },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  {
    what: 'the directory was deactivated when the user was sent',
    facts: { requests: [request('POST', '09:00', 403, { detail: 'The directory is deactivated.' })] },
    ...{ verdict: 'refused', time: '09:00', says: /refused with 403/, advises: /is active now/ },
  },
  {
    what: 'a strict directory rejected an attribute',
    facts: { requests: [request('POST', '09:00', 400, { detail: undefinedName('User', 'password').message })] },
    ...{ verdict: 'refused', time: '09:00', says: /has no "password"/, advises: /strict SCIM requests off/ },
  },
  {
    what: 'requests came too fast',
    facts: { requests: [request('POST', '09:00', 429)] },
    ...{ verdict: 'refused', time: '09:00', says: /429/, advises: /SCIM_RATE_LIMIT/ },
  },
  {
    what: 'the body was too large',
    facts: { requests: [request('POST', '09:00', 413)] },
    ...{ verdict: 'refused', time: '09:00', says: /413/, advises: /SCIM_BODY_LIMIT/ },
  },
  {
    what: 'an outdated version was sent',
    facts: { ...stored, requests: [request('PUT', '09:00', 412), ...stored.requests] },
    ...{ verdict: 'refused', time: '09:00', says: /412/, advises: /outdated version/ },
  },
  {
    what: 'the database was away',
    facts: { requests: [request('POST', '09:00', 503)] },
    ...{ verdict: 'refused', time: '09:00', says: /503/, advises: /the log of the service/ },
  },
  {
    what: 'the user was refused, and then the secret became wrong',
    facts: { requests: [request('POST', '09:00', 400)], failedAuthentications: wrongSecret },
    ...{ verdict: 'refused', time: '09:00', says: /refused with 400\. Since then, requests .* wrong secret/ },
  },
  {
    what: 'a refusal that is older than the requests that are kept of the stored user',
    facts: { ...stored, resource: { ...maya, updatedAt: at('09:30') }, requests: [request('PATCH', '09:00', 400)] },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  // Resyncs
  {
    what: 'a resync repeats a user whom the product has',
    facts: { ...stored, events: [event(9, 'user.snapshot', '09:30'), created] },
    ...{ verdict: 'delivered', time: '08:00', says: /^The new user .*event 7/ },
  },
  {
    what: 'a resync repeats a user whom the product has, and its events fail',
    facts: {
      ...stored,
      events: [event(9, 'user.snapshot', '09:30'), created],
      delivery: { ...delivery, ...failing, deliveredSequence: 7 },
    },
    ...{ verdict: 'delivered', time: '08:00', says: /^The new user .*event 7/ },
  },
  {
    what: 'a resync is the first to report a state, as the event was discarded with a hold',
    facts: {
      ...stored,
      resource: { ...maya, updatedAt: at('09:00') },
      events: [event(9, 'user.snapshot', '09:30'), created],
      delivery: { ...delivery, deliveredSequence: 8 },
    },
    ...{ verdict: 'waiting', time: '09:30', says: /^The present state of maya.*event 9.* about to be sent/ },
  },
  {
    what: 'that resync has arrived',
    facts: {
      ...stored,
      resource: { ...maya, updatedAt: at('09:00') },
      events: [event(9, 'user.snapshot', '09:30'), created],
    },
    ...{ verdict: 'delivered', time: '09:00', says: /stored unchanged since 22 November 2026 at 09:00 UTC/ },
  },
  {
    what: 'the creation was dead before a resync reported the user',
    facts: {
      ...stored,
      events: [event(9, 'user.snapshot', '09:30'), { ...created, dead: { at: at('08:20'), reason: 'answered 422' } }],
    },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  {
    what: 'a resync repeats an inactive user',
    facts: {
      ...stored,
      resource: { ...maya, active: false, updatedAt: at('08:10') },
      events: [event(9, 'user.snapshot', '09:30'), event(8, 'user.updated', '08:10'), created],
    },
    ...{ verdict: 'deactivated', time: '08:10', says: /the last change was on 22 November 2026 at 08:10 UTC/ },
  },
  // The directory is off
  {
    what: 'the directory is deactivated',
    facts: { directory: { ...directory, deactivated: true }, requests: [request('POST', '09:00', 403)] },
    ...{
      verdict: 'deactivated',
      time: '09:00',
      says: /directory “Acme” is deactivated/,
      advises: /^Activate the directory/,
    },
  },
  {
    what: 'the directory was deactivated after the user arrived',
    facts: { ...stored, directory: { ...directory, deactivated: true } },
    ...{ verdict: 'deactivated', says: /directory “Acme” is deactivated/ },
  },
  // Waiting and failing
  {
    what: 'the event was just committed',
    facts: { ...stored, delivery: { ...delivery, deliveredSequence: 6 } },
    ...{ verdict: 'waiting', time: '08:00', says: /The new user .* is about to be sent/ },
  },
  {
    what: 'the endpoint does not respond',
    facts: { ...stored, delivery: { ...delivery, ...failing, lastError: 'answered 503' } },
    ...{ verdict: 'failing', time: '08:01' },
    says: /not accepted events .* since 22 November 2026 at 08:01 UTC: 3 failed attempts \(answered 503\)\. The next attempt is due on .* 10:05 UTC/,
    advises: /Fix the endpoint.*sent automatically/,
  },
  {
    what: 'the endpoint verifies with another secret',
    facts: { ...stored, delivery: { ...delivery, ...failing, lastError: 'answered 401' } },
    ...{
      verdict: 'failing',
      time: '08:01',
      says: /answered 401/,
      advises: /with the signing secret of this directory/,
    },
  },
  {
    what: 'the callback of the library throws',
    facts: { ...stored, delivery: { ...delivery, ...failing, target: 'on-event', lastError: 'no seat' } },
    ...{
      verdict: 'failing',
      time: '08:01',
      says: /no seat/,
      advises: /^Find out why the event handler of the product fails\./,
    },
  },
  {
    what: 'the event is behind others that fail',
    facts: { ...stored, delivery: { ...delivery, ...failing, deliveredSequence: 2 } },
    ...{ verdict: 'failing', time: '08:01', says: /The new user .*event 7/ },
  },
  {
    what: 'delivery was paused after failures',
    facts: { ...stored, delivery: { ...delivery, ...failing, pause: { reason: 'failing', at: at('09:30') } } },
    ...{
      verdict: 'failing',
      time: '08:01',
      says: /paused since 22 November 2026 at 09:30 UTC/,
      advises: /Then resume delivery/,
    },
  },
  {
    what: 'the endpoint is gone',
    facts: {
      ...stored,
      delivery: { ...delivery, ...failing, nextAttemptAt: undefined, pause: { reason: 'gone', at: at('08:01') } },
    },
    ...{ verdict: 'failing', time: '08:01', says: /paused since/ },
  },
  {
    what: 'the operator paused delivery before any failure',
    facts: {
      ...stored,
      delivery: { ...delivery, deliveredSequence: 6, pause: { reason: 'operator', at: at('07:30') } },
    },
    ...{
      verdict: 'waiting',
      time: '07:30',
      says: /paused since 22 November 2026 at 07:30 UTC/,
      advises: /^Resume delivery/,
    },
  },
  {
    what: 'later events fail, but those of the user were delivered',
    facts: { ...stored, delivery: { ...delivery, ...failing, deliveredSequence: 7 } },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  {
    what: 'the deletion waits behind a failing endpoint',
    facts: { ...deleted, delivery: { ...delivery, ...failing, deliveredSequence: 7 } },
    ...{ verdict: 'failing', time: '08:01', says: /The deletion of user maya/ },
  },
  {
    what: 'a membership waits behind a failing endpoint',
    facts: {
      ...stored,
      events: [event(8, 'group.user_added', '08:10'), created],
      delivery: { ...delivery, ...failing, deliveredSequence: 7 },
    },
    ...{ verdict: 'failing', time: '08:01', says: /The new membership of maya.*event 8/ },
  },
  {
    what: 'there is no endpoint, and nobody has read the feed',
    facts: { ...stored, delivery: { ...delivery, target: 'none', deliveredSequence: 0 } },
    ...{
      verdict: 'waiting',
      time: '08:00',
      says: /is waiting for the product to read it from the feed/,
      advises: /^Set an endpoint/,
    },
  },
  {
    what: 'there is no endpoint, but the feed was read',
    facts: { ...stored, delivery: { ...delivery, target: 'none' } },
    ...{ verdict: 'delivered', time: '08:00', says: /has read it from the feed/ },
  },
  // Dead
  {
    what: 'the event is dead',
    facts: { ...stored, events: [{ ...created, dead: { at: at('09:20'), reason: 'answered 400' } }] },
    ...{ verdict: 'dead', time: '09:20', says: /refused it repeatedly \(answered 400\), so it was set aside on/ },
    advises: /send it again/,
  },
  {
    what: 'the event was skipped',
    facts: { ...stored, events: [{ ...created, dead: { at: at('09:20'), reason: 'too long.', isSkipped: true } }] },
    ...{ verdict: 'dead', time: '09:20', says: /has not accepted it, and an operator skipped it on .*: too long\.$/ },
  },
  {
    what: 'the creation is dead, but a later change was delivered',
    facts: {
      ...stored,
      events: [event(8, 'user.updated', '08:10'), { ...created, dead: { at: at('09:20'), reason: 'answered 422' } }],
    },
    ...{ verdict: 'dead', time: '09:20', says: /The new user .*event 7/ },
  },
  {
    what: 'one event is dead and the next one fails',
    facts: {
      ...stored,
      events: [event(8, 'user.updated', '08:10'), { ...created, dead: { at: at('09:20'), reason: 'answered 422' } }],
      delivery: { ...delivery, ...failing, deliveredSequence: 7 },
    },
    ...{ verdict: 'failing', time: '08:01', says: /The change to user/ },
  },
  // Held
  {
    what: 'the deletion is held with many others',
    facts: { ...deleted, holds: [{ since: at('08:20'), reason: 'users', firstSequence: 8 }] },
    ...{
      verdict: 'held',
      time: '08:20',
      says: /held since .* 08:20 UTC, .* too many users/,
      advises: /release the hold/,
    },
  },
  {
    what: 'an event behind a hold of memberships is held, also where the endpoint fails',
    facts: {
      ...stored,
      holds: [{ since: at('07:00'), reason: 'memberships', firstSequence: 5 }],
      delivery: { ...delivery, ...failing },
    },
    ...{ verdict: 'held', time: '07:00', says: /members of groups/ },
  },
  {
    what: 'the directory holds later events only',
    facts: { ...stored, holds: [{ since: at('09:00'), reason: 'users', firstSequence: 8 }] },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  // Delivered, deactivated, deleted
  { what: 'the endpoint answered 2xx', facts: stored, verdict: 'delivered', time: '08:00', says: /has accepted it\.$/ },
  {
    what: 'the callback of the embedding process accepted it',
    facts: { ...stored, delivery: { ...delivery, target: 'on-event' } },
    ...{ verdict: 'delivered', time: '08:00', says: /has accepted it/ },
  },
  {
    what: 'neither requests nor events are kept any more',
    facts: { resource: maya },
    ...{ verdict: 'delivered', time: '08:00', says: /stored unchanged since 22 November 2026 at 08:00 UTC/ },
  },
  {
    what: 'the user is inactive',
    facts: { ...stored, resource: { ...maya, active: false }, events: [event(8, 'user.updated', '08:40'), created] },
    ...{
      verdict: 'deactivated',
      time: '08:40',
      says: /is inactive, as reported by/,
      advises: /until the identity provider reports the user as active/,
    },
  },
  {
    what: 'the user is inactive, and that waits behind a failing endpoint',
    facts: { ...stored, resource: { ...maya, active: false }, delivery: { ...delivery, ...failing } },
    ...{ verdict: 'failing', time: '08:01', says: /not accepted events/ },
  },
  {
    what: 'the user is inactive, which is about to be sent',
    facts: { ...stored, resource: { ...maya, active: false }, delivery: { ...delivery, deliveredSequence: 6 } },
    ...{ verdict: 'deactivated', time: '08:00', says: /about to be sent/ },
  },
  {
    what: 'the user was deleted',
    facts: deleted,
    verdict: 'deleted',
    time: '08:30',
    says: /provider deleted it on .* 08:30/,
  },
  {
    what: 'the user was deleted a moment ago',
    facts: { ...deleted, delivery: { ...delivery, deliveredSequence: 7 } },
    ...{ verdict: 'deleted', time: '08:30', says: /The deletion is about to be sent/ },
  },
  {
    what: 'the user was deleted long ago and only the request is left',
    facts: { requests: [request('DELETE', '08:30', 204)] },
    ...{ verdict: 'deleted', time: '08:30', says: /deleted it on/ },
  },
  {
    what: 'the deleted user was looked up again',
    facts: { ...deleted, requests: [lookup('09:30'), ...deleted.requests] },
    ...{ verdict: 'deleted', time: '08:30', says: /no longer exists/, advises: /provision .* again/ },
  },
  // Google Workspace
  {
    what: 'the directory is not connected to Google',
    facts: { ...google, sync: { ...sync, isConnected: false, lastRun: undefined } },
    ...{ verdict: 'never-sent', says: /^Directory “Acme” is not connected to Google/, advises: /link for the consent/ },
  },
  {
    what: 'Google rejects the tokens',
    facts: { ...google, sync: { ...run('failed'), authorizationNeeded: 'The consent was withdrawn.' } },
    ...{ verdict: 'unauthorized', time: '09:01', says: /Google rejects our access .*: The consent was withdrawn\./ },
  },
  {
    what: 'the directory was never synced',
    facts: { ...google, sync: { ...sync, lastRun: undefined } },
    ...{ verdict: 'never-sent', says: /no sync has run yet/, advises: /^Start a sync\.$/ },
  },
  {
    what: 'the first sync is running',
    facts: { ...google, sync: run('running') },
    ...{ verdict: 'never-sent', says: /began on 22 November 2026 at 09:00 UTC is still running/ },
  },
  {
    what: 'the last sync failed',
    facts: { ...google, sync: run('failed', 'Google answered 500.') },
    ...{ verdict: 'never-sent', says: /the last sync failed on .*: Google answered 500\.$/ },
  },
  {
    what: 'the last sync did not find the user',
    facts: { ...google, sync: run('completed', '2 users were skipped.') },
    ...{ verdict: 'never-sent', says: /not among the users .* The sync reported: 2 users were skipped\./ },
  },
  {
    what: 'the last sync failed after the user was read',
    facts: { ...google, resource: maya, events: [created], sync: run('failed', 'Google answered 500.') },
    ...{ verdict: 'delivered', time: '08:00', says: /The last sync with Google failed on .* 09:01 UTC/ },
  },
  {
    what: 'the deletion waits for the approval of a sync',
    facts: { ...google, resource: maya, events: [created], sync: { ...run('held'), isDeletionHeld: true } },
    ...{ verdict: 'held', time: '09:01', says: /Google no longer lists maya/, advises: /approve/ },
  },
]

for (const { what, facts, verdict, time, says, advises } of situations) {
  test(`${verdict}: ${what}`, () => {
    const decision = decideVerdict({ ...nothing, ...facts })
    assert.deepEqual([decision.verdict, decision.at], [verdict, time === undefined ? undefined : at(time)])
    assert.match(decision.sentence, says)
    if (advises !== undefined) assert.match(decision.advice, advises)
    for (const text of [decision.sentence, decision.advice, decision.forCustomer]) {
      assert.match(text, /^[A-Z“m].*[.?]$/, 'a whole sentence')
      assert.doesNotMatch(text, /undefined|null|NaN|\.\.| {2}/)
      assertForPeople(text)
    }
    assert.notEqual(decision.sentence, decision.forCustomer)
    assert.doesNotMatch(decision.forCustomer, /SCIM_/, 'the customer has no settings')
  })
}

test('every verdict has a situation', () => {
  assert.deepEqual(new Set(situations.map(({ verdict }) => verdict)), new Set(verdicts))
})

test('names and reasons from outside cannot break the line', () => {
  const asked = `maya\u001b[2J\n${'x'.repeat(500)}`
  const { sentence } = decideVerdict({
    ...nothing,
    asked,
    requests: [request('POST', '09:00', 400, { detail: 'bad\nvalue' })],
  })
  assert.doesNotMatch(sentence, /\p{Cc}/u)
  assert.ok(sentence.length < 400)
})

test('every directory type has a hint on what to check', () => {
  for (const type of directoryTypes) {
    const { advice } = decideVerdict({ ...nothing, directory: { ...directory, type } })
    assert.match(advice, /maya@acme.example must/)
  }
})
