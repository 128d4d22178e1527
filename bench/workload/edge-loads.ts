import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import type { Load } from '../load/load-process.ts'
import type { Seeded } from '../seed/plan.ts'
import { apiAuthorization, apiPath } from './api.ts'
import { times } from './users.ts'

/** Requests that could slow down others or fill the memory, of clients with little or no authority. */
export interface EdgeLoad extends Load {
  readonly what: string
}

const unkeyedPaths = [
  '/openapi.json',
  '/openapi-product.json',
  '/console/assets/scalar.js',
  '/metrics',
  '/console/',
  '/none',
]

/** Requests without a key, as many as a client likes, whose responses are not read. */
export function unkeyedLoads(): EdgeLoad[] {
  const calls = unkeyedPaths.map((path) => repeated(makeCall({ method: 'GET', path, status: 200 }), 2_000))
  const once = unkeyedPaths.map((path) => makeCall({ method: 'GET', path, status: 200 }))
  return [
    { what: 'unread requests without a key, 2,000 on each of 20 connections', calls, unreadOver: 20 },
    { what: 'unread requests without a key on 1,000 connections', calls: once, unreadOver: 1_000 },
    {
      what: 'requests without a key on 1,000 connections that never end',
      calls: [unfinished()],
      unreadOver: 1_000,
    },
  ]
}

function repeated(call: Call, count: number): Call {
  return { ...call, bytes: Buffer.concat(Array<Buffer>(count).fill(call.bytes)) }
}

/** A token request whose body does not arrive. */
function unfinished(): Call {
  const { bytes, ...call } = makeCall({
    ...{ method: 'POST', path: '/api/scim/oauth/token', body: 'x'.repeat(30_000), status: 400 },
    contentType: 'application/x-www-form-urlencoded',
  })
  return { ...call, bytes: bytes.subarray(0, -1_000) }
}

/** Mappings that cannot be parsed, all at once. */
export function refusedMappings({ id }: Seeded): EdgeLoad {
  const rules = times(1_000, (n) => ({ role: 'a', when: { filter: `nosuch${n} eq "${'x'.repeat(50)}" and (` } }))
  const call = makeCall({
    ...{ method: 'POST', path: `${apiPath}/${id}/mapping/preview`, authorization: apiAuthorization },
    ...{ body: { mapping: { roles: { rules } } }, contentType: 'application/json', status: 400 },
  })
  return { what: '32 previews of a mapping with 1,000 bad filters at once', calls: Array<Call>(32).fill(call) }
}

/** Previews of a setup link, as often as it allows, whose clients hang up. */
export function abandonedPreviews({ groupId }: Seeded, token: string): EdgeLoad {
  const call = makeCall({
    ...{ method: 'POST', path: `/api/v1/setup/groups/${groupId}/role/preview`, authorization: `Setup ${token}` },
    ...{ body: { role: 'admin' }, contentType: 'application/json', status: 200 },
  })
  return { what: 'previews of a setup link whose clients hang up', calls: [call], unreadOver: 100, hangUpAfterMs: 110 }
}
