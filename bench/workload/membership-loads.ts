import { makeCall } from '../load/call.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId } from '../seed/plan.ts'
import type { HostileLoad } from './hostile-loads.ts'
import { patchBody } from './user-body.ts'
import { times } from './users.ts'

const perRequest = 1_000

/** A group that is nearly as large as allowed, and one PATCH that adds a thousand members: one event for each. */
export function largeGroupLoad(directory: Seeded, index: number): HostileLoad {
  const members = times(perRequest, (n) => ({ value: seededId(index, n + 1) }))
  const extension = { 'urn:example:1.0:Group': { purpose: 'x'.repeat(255_000) } }
  const operations = [
    { method: 'POST', path: '/Groups', bulkId: 'large', data: { displayName: 'large', ...extension } },
    {
      ...{ method: 'PATCH', path: '/Groups/bulkId:large' },
      data: { Operations: [{ op: 'add', path: 'members', value: members }] },
    },
  ]
  return { what: 'the addition of 1,000 members to a group of 255 KB', calls: [bulk(directory, operations)] }
}

/** Requests about the first user of a directory, who is in many groups. */
export function manyGroupsLoads(directory: Seeded, index: number, groups: number): HostileLoad[] {
  const { path, secret } = directory
  const authorization = `Bearer ${secret}`
  const id = seededId(index, 1)
  const user = `${path}/Users/${id}`
  const includes = `"Group ${groups}"`
  const get = makeCall({ method: 'GET', path: user, authorization, status: 200, includes })
  const patch = patchBody({ op: 'replace', path: 'nickName', value: 'changed' })
  const page = makeCall({ method: 'GET', path: `${path}/Users?count=100`, authorization, status: 200, includes })
  const afterwards = makeCall({
    ...{ method: 'POST', path: `${path}/Users`, authorization, status: 201 },
    body: { userName: 'afterwards@example.com' },
  })
  const number = groups.toLocaleString('en')
  const call = (method: 'PATCH' | 'DELETE', status: number, body?: object) =>
    makeCall({ method, path: user, authorization, status, body })
  return [
    { what: `a GET of a user in ${number} groups`, calls: [get] },
    {
      what: 'a GET of this user without groups',
      calls: [makeCall({ method: 'GET', path: `${user}?attributes=userName`, authorization, status: 200 })],
    },
    { what: 'eight GETs of this user', calls: times(8, () => get) },
    { what: 'pages with this user', calls: [page, page] },
    { what: 'a PATCH of this user', calls: [call('PATCH', 200, patch)] },
    { what: 'the deletion of this user', calls: [call('DELETE', 204)] },
    // This call waits until the memberships are removed.
    { what: 'the removal of its memberships', calls: [afterwards] },
  ]
}

function bulk({ path, secret }: Seeded, operations: readonly object[]) {
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations }
  return makeCall({ method: 'POST', path: `${path}/Bulk`, authorization: `Bearer ${secret}`, body, status: 200 })
}
