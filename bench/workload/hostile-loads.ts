import { makeCall } from '../load/call.ts'
import type { Load } from '../load/load-process.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId } from '../seed/plan.ts'
import { patchBody } from './user-body.ts'
import { times } from './users.ts'

/** Requests of one tenant that could slow down the others. */
export interface HostileLoad extends Load {
  readonly what: string
  /** Whether the delay for others meanwhile has a budget. */
  readonly budget?: 'member change'
  /** Whether PostgreSQL analyzes its tables before. How long such a load takes has a budget, too. */
  readonly isAnalyzed?: boolean
}

/** Requests that are as expensive as the limits allow, each in a row of its own. */
export function hostileLoads(directory: Seeded): HostileLoad[] {
  const { path, secret, groupId, users } = directory
  const authorization = `Bearer ${secret}`
  const memberIds = times(users / 2, (n) => seededId(0, 2 * (n + 1)))
  const patchGroup = (operation: object) =>
    makeCall({
      ...{ method: 'PATCH', path: `${path}/Groups/${groupId}`, authorization },
      ...{ body: patchBody(operation), status: 204 },
    } as const)
  const patchUser = (operation: object) =>
    makeCall({
      ...{ method: 'PATCH', path: `${path}/Users/${seededId(0, 1)}`, authorization },
      ...{ body: patchBody(operation), status: 400 },
    } as const)
  const members = memberIds.map((value) => ({ value }))
  const post = (below: string, body: unknown, status: number) =>
    makeCall({ method: 'POST', path: path + below, authorization, body, status })
  const filter = encodeURIComponent('externalId eq "large"')
  const largePage = makeCall({
    ...{ method: 'GET', path: `${path}/Users?count=1000&filter=${filter}`, authorization, status: 200 },
    includes: `"totalResults":${largeUsers},`,
  })
  const group = makeCall({ method: 'GET', path: `${path}/Groups/${groupId}`, authorization, status: 200 })
  return [
    { what: 'expensive searches', calls: searches.map((search) => post('/Users/.search', search, 200)) },
    {
      what: 'the removal of half of the members, one by one',
      budget: 'member change',
      calls: [patchGroup({ op: 'remove', path: 'members', value: members.slice(0, members.length / 2) })],
    },
    {
      what: 'the removal of all members',
      budget: 'member change',
      calls: [patchGroup({ op: 'remove', path: 'members' })],
    },
    {
      what: 'a replacement by all members, after an analysis of the tables without them',
      budget: 'member change',
      isAnalyzed: true,
      calls: [patchGroup({ op: 'replace', path: 'members', value: members })],
    },
    {
      what: 'another removal of all members',
      budget: 'member change',
      calls: [patchGroup({ op: 'remove', path: 'members' })],
    },
    {
      what: 'the addition of all members',
      budget: 'member change',
      calls: [patchGroup({ op: 'add', path: 'members', value: members })],
    },
    {
      what: 'the replacement of all members',
      budget: 'member change',
      calls: [patchGroup({ op: 'replace', path: 'members', value: members.slice(1) })],
    },
    { what: 'searches with deep filters', calls: deepFilters.map((filter) => post('/Users/.search', { filter }, 200)) },
    {
      what: 'pages that leave out 1,000 attributes',
      calls: projections.map((search) => post('/Users/.search', search, 200)),
    },
    { what: 'a body of 5 MB of tiny elements', calls: [post('/Users', hostileUser(), 413)] },
    { what: 'a body of 5 MB of one string', calls: [post('/Users', longUser(), 413)] },
    { what: 'a body of 5 MB of escape sequences', calls: [post('/Users', escapedUser(), 413)] },
    {
      what: 'texts of the maximal size',
      calls: [
        ...longTexts.map((text) =>
          post('/Users', { userName: 'hostile', displayName: text.repeat(200_000 / text.length) }, 400),
        ),
        ...longTexts.map((text) => post('/Users', textsOf(text), 413)),
        ...longTexts.map((text) => post('/Users', namesOf(text), 400)),
        ...longTexts.map((filter) => post('/Users/.search', { filter: filter.repeat(65_000 / filter.length) }, 400)),
        ...longTexts.map((path) => patchUser({ op: 'add', path: path.repeat(262_000 / path.length), value: 1 })),
        makeCall({
          ...{ method: 'GET', path: `${path}/Users?filter=${'passwd'.repeat(2_500)}`, authorization, status: 400 },
        }),
      ],
    },
    {
      what: 'bodies with as many values as allowed',
      calls: fullBodies.map((body) => post('/Users', body, 400)),
    },
    { what: 'a PATCH that is as expensive as allowed', calls: [post('/Bulk', expensivePatch(), 200)] },
    { what: 'a bulk request that changes a large user', calls: [post('/Bulk', bulkOfChanges(1_000), 200)] },
    { what: 'a bulk request that creates a group of large users', calls: [post('/Bulk', bulkOfLarge(), 200)] },
    { what: 'pages of large users', calls: [largePage, largePage] },
    { what: 'responses that are not read', calls: [group], unreadOver: 500 },
    { what: 'a bulk request of 1,000 operations', calls: [post('/Bulk', bulkOf(1_000), 200)] },
    {
      what: 'the deletion of a large group',
      budget: 'member change',
      calls: [makeCall({ method: 'DELETE', path: `${path}/Groups/${groupId}`, authorization, status: 204 })],
    },
  ]
}

/** Nearly the maximum number of conditions of a filter; all of them must be evaluated. */
const expensiveFilter = times(225, (n) => `not(name.givenName co "${n}x")`).join(' and ')

const searches = [
  { filter: `${expensiveFilter} and nickName pr`, count: 1 },
  { filter: `${expensiveFilter} and nickName pr`, sortBy: 'name.givenName', startIndex: 50_000, count: 1 },
  { sortBy: 'name.familyName', sortOrder: 'descending', count: 1 },
]

/** The maximum number of names in a request, one of which the largest page has. */
const projections = ['password', 'nickName'].map((name) => ({
  ...{ excludedAttributes: [...times(999, (n) => `name${n}`), name], count: 1_000 },
}))

/** A condition at the maximum nesting depth of a filter, with further conditions at each level. */
const deepFilters = ['nickName pr', 'title pr'].map((innermost) =>
  times(24, (n) => n).reduce(
    (inner, n) => `not(userName co "${n}x" or (name.givenName co "${n}y" or ${inner}))`,
    innermost,
  ),
)

/**
 * Texts that cause additional work: names of passwords, escapes of URLs and of JSON, letters of other widths, a letter whose
 * lower case is longer, marks whose order normalizing changes, quotes.
 */
const longTexts = ['passwd', '%41', '\\\\u0070', '\uff50', '\u0130', '\u0315\u0300', '"', 'urn:a:', '(', ' ']

/** A text of nearly the maximum length of a string in a body. */
function longest(text: string): string {
  return text.repeat(780_000 / (Buffer.byteLength(JSON.stringify(text)) - 2))
}

/** A user with strings of the maximum length, as many as fit into a body. */
function textsOf(text: string): object {
  const attributes = ['nickName', 'title', 'locale', 'timezone', 'userType', 'preferredLanguage']
  return { userName: 'hostile', ...Object.fromEntries(attributes.map((name) => [name, longest(text)])) }
}

/** A user with names of the maximum length, as many as fit into a body. */
function namesOf(text: string): object {
  const names = times(6, (n) => n + longest(text))
  return { userName: 'hostile', ...Object.fromEntries(names.map((name) => [name, 0])) }
}

/** A user with as many list elements as fit into the largest body, and an escape sequence. */
function hostileUser(): object {
  return { userName: 'hostile\u0000', emails: times(900_000, () => 0) }
}

/** A user with the longest string that fits into a body. */
function longUser(): object {
  return { userName: 'hostile', nickName: 'x'.repeat(5_240_000) }
}

/**
 * A user that consists of escape sequences in strings that are as long as allowed, with a name that resembles
 * `__proto__`.
 */
function escapedUser(): object {
  const attributes = ['nickName', 'title', 'locale', 'timezone', 'userType', 'preferredLanguage']
  const values = Object.fromEntries(attributes.map((name) => [name, '\u0000'.repeat(131_072)]))
  return { userName: 'hostile', '"__proto__': 0, ...values }
}

/** Users with nearly as many values as a body may have. */
const fullBodies = [
  { userName: 'hostile', emails: times(130_000, (n) => ({ value: n })) },
  { userName: 'hostile', badges: times(87_000, (n) => ({ [`a${n % 99}`]: n, [`b${n % 97}`]: n })) },
  { userName: 'hostile', badges: times(130_000, (n) => `${n}`) },
]

/** A user of many values, and a PATCH whose conditions are evaluated for all of them. */
function expensivePatch(): object {
  const emails = times(1_000, (n) => ({ value: `expensive-${n}@example.com`, type: 'work' }))
  const removals = times(48, (n) => ({ op: 'remove', path: `emails[value co "${n}x"]` }))
  const data = { userName: 'expensive', emails }
  return bulkRequest([
    { method: 'POST', path: '/Users', bulkId: 'expensive', data },
    { method: 'PATCH', path: '/Users/bulkId:expensive', data: { Operations: removals } },
  ])
}

/** Small operations, each of which stores a large user and an event again. */
function bulkOfChanges(operations: number): object {
  const data = { userName: 'large', nickName: 'x'.repeat(250_000) }
  const change = (n: number) => ({ Operations: [{ op: 'replace', path: 'active', value: n % 2 === 1 }] })
  return bulkRequest([
    { method: 'POST', path: '/Users', bulkId: 'large', data },
    ...times(operations - 1, (n) => ({ method: 'PATCH', path: '/Users/bulkId:large', data: change(n) })),
  ])
}

const largeUsers = 20

/** As many users as fit into the largest body, of nearly the maximum size, and a group of them. */
function bulkOfLarge(): object {
  const nickName = 'x'.repeat(250_000)
  const data = (n: number) => ({ userName: `large-${n}`, externalId: 'large', nickName })
  const members = times(largeUsers, (n) => ({ value: `bulkId:${n}` }))
  return bulkRequest([
    ...times(largeUsers, (n) => ({ method: 'POST', path: '/Users', bulkId: `${n}`, data: data(n) })),
    { method: 'POST', path: '/Groups', bulkId: 'group', data: { displayName: 'large', members } },
  ])
}

function bulkOf(operations: number): object {
  return bulkRequest(
    times(operations, (n) => ({
      ...{ method: 'POST', path: '/Users', bulkId: `user-${n}` },
      data: { userName: `bulk-${n}@example.com` },
    })),
  )
}

function bulkRequest(operations: readonly object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations }
}
