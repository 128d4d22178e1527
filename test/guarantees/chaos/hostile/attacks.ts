import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import type { Client } from '../../../support/client.ts'
import { memberList, patchBody, replaceAttribute } from '../../support/idp.ts'

/** The attacks of hostile tenants. */
export const hostileKinds = [
  'endpoints that hang',
  'huge member changes',
  'loops of changes',
  'bodies at the limit',
  'floods of requests',
] as const
export type HostileKind = (typeof hostileKinds)[number]

/** One request of a loop: the `n`th to this directory. */
export interface Turn {
  readonly directory: DirectoryView
  readonly n: number
  readonly client: Client
}

/** The requests of one kind of hostile tenant. */
export interface Attack {
  /** The number of concurrent loops. Each has some of the tenant's directories. */
  readonly loops: number
  /** The pause between two requests of a loop, in milliseconds. */
  readonly pauseMs: number
  /** Sends the next request; returns its status. `memory` belongs to the directory. */
  readonly send: (turn: Turn, memory: Memory) => Promise<number>
}

/** The state of a loop for a directory: ids of its resources. */
export interface Memory {
  userIds: readonly string[]
  groupId: string | undefined
}

/** Enough members for a large change of several steps. */
const manyMembers = 1_500

/** The maximum size of a SCIM body, and the maximum number of values in it. */
const [maxBodyBytes, maxValues] = [5_242_880, 262_144]

export const attacks: Readonly<Record<HostileKind, Attack>> = {
  'endpoints that hang': {
    ...{ loops: 2, pauseMs: 100 },
    send: async ({ client, directory, n }) => statusOf(client.scim(directory, 'POST', '/Users', someUser(n))),
  },
  'huge member changes': { loops: 2, pauseMs: 100, send: changeManyMembers },
  'loops of changes': { loops: 4, pauseMs: 5, send: changeAgain },
  'bodies at the limit': { loops: 1, pauseMs: 500, send: sendLargeBody },
  'floods of requests': { loops: 16, pauseMs: 20, send: flood },
}

const someUser = (n: number) => ({ userName: `user-${n}` })

async function statusOf(response: ReturnType<Client['request']>): Promise<number> {
  return (await response).status
}

/** Adds and removes all members of a group, in turn. */
async function changeManyMembers({ client, directory, n }: Turn, memory: Memory): Promise<number> {
  if (memory.userIds.length < manyMembers) return addManyUsers(client, directory, memory)
  if (memory.groupId === undefined) {
    const { status, body } = await client.scim(directory, 'POST', '/Groups', { displayName: 'Everyone' })
    memory.groupId = status === 201 ? body.id : undefined
    return status
  }
  const members = memberList(n % 2 === 0 ? memory.userIds : [])
  return statusOf(client.scim(directory, 'PUT', `/Groups/${memory.groupId}`, { displayName: 'Everyone', members }))
}

async function addManyUsers(client: Client, directory: DirectoryView, memory: Memory): Promise<number> {
  const Operations = Array.from({ length: 500 }, (_, index) => ({
    ...{ method: 'POST', path: '/Users', bulkId: String(index) },
    data: { userName: `user-${crypto.randomUUID()}` },
  }))
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
  const { status, body } = await client.scim(directory, 'POST', '/Bulk', { schemas, Operations })
  const done = (body as unknown as { Operations?: readonly { location?: string }[] }).Operations ?? []
  const ids = done.flatMap(({ location }) => location?.split('/').at(-1) ?? [])
  memory.userIds = [...memory.userIds, ...ids]
  return status
}

/** Changes a directory, which ends its backoff, and one of its users. */
async function changeAgain({ client, directory, n }: Turn, memory: Memory): Promise<number> {
  const [userId] = memory.userIds
  if (userId === undefined) {
    const { status, body } = await client.scim(directory, 'POST', '/Users', { userName: crypto.randomUUID() })
    if (status === 201) memory.userIds = [body.id]
    return status
  }
  if (n % 2 === 0) return statusOf(client.api('PATCH', `/${directory.id}`, { name: `name-${n}` }))
  return statusOf(client.scim(directory, 'PATCH', `/Users/${userId}`, patchBody([replaceAttribute('title', `${n}`)])))
}

/** A body of the maximum size, one with the maximum number of values, and a user of a megabyte. */
function sendLargeBody({ client, directory, n }: Turn): Promise<number> {
  const name = JSON.stringify(`user-${crypto.randomUUID()}`)
  const start = `{"userName":${name}`
  const bodies = [
    `${start}${' '.repeat(maxBodyBytes - start.length - 1)}}`,
    `${start},"emails":[${'1,'.repeat(maxValues - 100)}1]}`,
    `${start},"title":"${'x'.repeat(1_000_000)}"}`,
  ]
  return statusOf(client.scim(directory, 'POST', '/Users', bodies[n % 4] ?? bodies[0]))
}

/** Searches that no index supports, pages of the feed, and wrong secrets. */
function flood({ client, directory, n }: Turn): Promise<number> {
  const search = `/Users?filter=${encodeURIComponent(`title co "x" or name.formatted co "${n}"`)}`
  const wrong = { scim: { ...directory.scim, secret: 'not the secret of this directory' } }
  const requests = [
    () => client.scim(directory, 'GET', search),
    () => client.scim(wrong, 'GET', '/Users'),
    () => client.scim(directory, 'POST', '/Users', { userName: `flood-${crypto.randomUUID()}` }),
    () => client.api('GET', `/feed?directoryId=${directory.id}&limit=100`),
  ] as const
  return statusOf((requests[n % 4] ?? requests[0])())
}
