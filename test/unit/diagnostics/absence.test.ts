import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AbsenceFacts } from '../../../src/diagnostics/explain/absence.ts'
import { absenceDecision } from '../../../src/diagnostics/explain/absence.ts'
import type { Verdict } from '../../../src/diagnostics/explain/decision.ts'
import { assertForPeople } from '../../support/api-words.ts'

const nothing: AbsenceFacts = {
  ...{ asked: 'maya', scope: { product: 'crm' }, directories: 324, isComplete: true, rejecting: [] },
  ...{ loggedSince: Date.parse('2026-11-15T09:00:00Z'), searchedRequests: 4_000 },
}

interface Situation {
  readonly what: string
  readonly facts: Partial<AbsenceFacts>
  readonly verdict: Verdict
  readonly says: RegExp
  readonly never?: RegExp
}

const situations: readonly Situation[] = [
  {
    what: 'everything was searched',
    facts: {},
    verdict: 'never-sent',
    says: /^No user or group in 324 directories for product “crm” has maya as its .* id\. No request since 15 November 2026 at 09:00 UTC names it .* newest 4,000 requests of each directory were searched, and all refused ones\.$/,
  },
  {
    what: 'the tenant has one directory',
    facts: { scope: { tenant: 'acme', product: 'crm' }, directories: 1 },
    ...{ verdict: 'never-sent', says: /in 1 directory of tenant “acme” for product “crm” has maya/ },
  },
  {
    what: 'everything that there is was searched',
    facts: { scope: {} },
    ...{ verdict: 'never-sent', says: /in 324 directories has maya/ },
  },
  {
    what: 'not every directory was searched',
    facts: { isComplete: false },
    verdict: 'unknown',
    says: /^No user or group maya was found, but not everything in 324 directories for product “crm” could be searched\.$/,
    never: /No request since/,
  },
  {
    what: 'there are too many directories to search their requests',
    facts: { searchedRequests: 0 },
    verdict: 'unknown',
    says: /\. No refused request since 15 November 2026 at 09:00 UTC names it .*; other requests are only searched in a few directories\.$/,
    never: /No request since/,
  },
  {
    what: 'the request log is off',
    facts: { loggedSince: undefined },
    ...{ verdict: 'unknown', says: /The request log is off, so it is not known whether it was sent\.$/ },
    never: /No request since/,
  },
  {
    what: 'a directory rejects its provider',
    facts: { rejecting: ['Cobalt'] },
    verdict: 'never-sent',
    says: /One directory, “Cobalt”, rejects .* a wrong secret or token; what those requests contained is not known\.$/,
    never: /could not arrive/,
  },
  {
    what: 'several directories reject their providers',
    facts: { rejecting: ['Cobalt', 'Dunes'] },
    ...{ verdict: 'never-sent', says: /2 directories, such as “Cobalt”, reject/ },
  },
]

for (const { what, facts, verdict, says, never } of situations) {
  test(`nobody knows a name, and ${what}: the verdict is ${verdict}`, () => {
    const decision = absenceDecision({ ...nothing, ...facts })
    assert.deepEqual([decision.verdict, decision.at], [verdict, undefined])
    assert.match(decision.sentence, says)
    if (never !== undefined) assert.doesNotMatch(decision.sentence, never)
    for (const text of [decision.sentence, decision.advice, decision.forCustomer]) assertForPeople(text)
    assert.doesNotMatch(decision.forCustomer, /Cobalt|324/, 'a customer reads nothing about others')
  })
}
