import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId } from '../seed/plan.ts'
import { apiAuthorization, apiPath } from './api.ts'
import { patchBody } from './user-body.ts'
import { times } from './users.ts'

/** Calls that cause evaluations of many users, or of mappings that are as large as allowed. */
export interface MappingLoad {
  readonly what: string
  readonly calls: readonly Call[]
}

function apiCall(method: 'POST' | 'PUT', path: string, body: object): Call {
  return makeCall({
    ...{ method, path: `${apiPath}${path}`, authorization: apiAuthorization },
    ...{ body, contentType: 'application/json', status: 200 },
  })
}

/** Rules that name the group of a seeded directory before and after it is renamed, and some others. */
export const shortMapping = {
  attributes: { domain: { from: ['userName'], transform: ['lower', { after: '@' }] } },
  roles: {
    default: ['member'],
    rules: times(20, (n) => ({
      role: `role-${n}`,
      when: n < 2 ? { group_name: ['Everyone', 'Renamed'][n] } : { filter: `title eq "Title ${n}"` },
    })),
  },
}

/** As many rules, conditions, attributes and sources as allowed. All conditions must be evaluated. */
export const largestMapping = {
  attributes: Object.fromEntries(
    times(100, (n) => [
      `attribute${n}`,
      { from: times(5, (m) => (m % 2 === 0 ? `nick${m}` : `emails[type eq "${m}"]`)) },
    ]),
  ),
  roles: {
    rules: times(1_000, (n) => ({
      role: `role-${n % 200}`,
      when: { filter: times(2, (m) => `title eq "${n} ${m}"`).join(' or ') },
    })),
  },
}

/** Users of nearly the maximal size, to be created before. */
export function largeUsers({ path, secret }: Seeded, count: number): Call[] {
  const emails = times(4_500, (n) => ({ value: `address-${n}@example.com`, type: 'work' }))
  return times(count, (n) =>
    makeCall({
      ...{ method: 'POST', path: `${path}/Users`, authorization: `Bearer ${secret}`, status: 201 },
      body: { userName: `large-${n}@example.com`, title: 'x'.repeat(1_000), emails },
    }),
  )
}

/** Evaluations with a mapping of the maximal size. */
export function largestMappingLoads({ id, path, secret }: Seeded): MappingLoad[] {
  const body = { mapping: largestMapping }
  const mapping = `/${id}/mapping`
  const create = (n: number) =>
    makeCall({
      ...{ method: 'POST', path: `${path}/Users`, authorization: `Bearer ${secret}`, status: 201 },
      body: { userName: `with-the-largest-mapping-${n}@example.com` },
    })
  return [
    {
      what: 'a preview of the largest mapping',
      calls: [apiCall('POST', `${mapping}/preview`, body)],
    },
    {
      what: 'its run',
      calls: [apiCall('PUT', mapping, body)],
    },
    { what: '64 creates at once with it', calls: times(64, create) },
  ]
}

/** Changes of a group that a rule names, each of which concerns all its members. */
export function namedGroupLoads({ id, path, secret, groupId, users }: Seeded, index: number): MappingLoad[] {
  const group = `${path}/Groups/${groupId}`
  const authorization = `Bearer ${secret}`
  const members = times(users - 1, (n) => ({ value: seededId(index, n + 2) }))
  const patch = (operation: object) =>
    makeCall({ method: 'PATCH', path: group, authorization, body: patchBody(operation), status: 204 })
  const body = { mapping: shortMapping }
  const number = users.toLocaleString('en')
  return [
    {
      what: `the run of a short mapping over ${number} users`,
      calls: [apiCall('PUT', `/${id}/mapping`, body)],
    },
    { what: 'the renaming of their group', calls: [patch({ op: 'replace', path: 'displayName', value: 'Renamed' })] },
    { what: 'the replacement of its members', calls: [patch({ op: 'replace', path: 'members', value: members })] },
    { what: 'its deletion', calls: [makeCall({ method: 'DELETE', path: group, authorization, status: 204 })] },
  ]
}
