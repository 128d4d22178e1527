import type { DirectoryEventPayload } from '../../../src/events/payload.ts'
import type { Idp } from './idp.ts'
import type { Product } from './product.ts'

type Raw = Readonly<Record<string, unknown>>

/** What a directory holds: resources as provisioned, and who is in which group, in an order that means nothing. */
export interface Picture {
  readonly users: Readonly<Record<string, Raw>>
  readonly groups: Readonly<Record<string, PicturedGroup>>
}

export interface PicturedGroup {
  readonly raw: Raw
  /** Ids of users. */
  readonly members: readonly string[]
  /** Ids of groups within the group. */
  readonly nested: readonly string[]
}

interface OpenGroup {
  raw: Raw
  readonly members: Set<string>
  readonly nested: Set<string>
}

interface Canvas {
  readonly users: Map<string, Raw>
  readonly groups: Map<string, OpenGroup>
}

/** The picture that a product makes itself from a directory's events, in the order of their sequence numbers. */
export function pictureFromEvents(events: readonly DirectoryEventPayload[]): Picture {
  const canvas: Canvas = { users: new Map(), groups: new Map() }
  for (const event of events) paint(canvas, event)
  const groups = [...canvas.groups].map(([id, { raw, members, nested }]) => [
    id,
    { raw, members: [...members].sort(), nested: [...nested].sort() },
  ])
  return { users: Object.fromEntries(canvas.users), groups: Object.fromEntries(groups) }
}

interface EventData {
  readonly id: string
  readonly raw: Raw
  readonly group: { readonly id: string; readonly raw: Raw }
}

interface NestedChange {
  readonly members?: { readonly from: readonly { value: string }[]; readonly to: readonly { value: string }[] }
}

function paint({ users, groups }: Canvas, payload: DirectoryEventPayload): void {
  const { id, raw, group } = payload.data as unknown as EventData
  switch (payload.event) {
    case 'user.created':
    case 'user.updated':
      users.set(id, raw)
      break
    case 'user.deleted':
      users.delete(id)
      for (const { members } of groups.values()) members.delete(id)
      break
    case 'group.created':
      groups.set(id, { raw, members: new Set(), nested: new Set() })
      break
    case 'group.updated':
      updateGroup(groupNamed(groups, id), raw, (payload.changes ?? {}) as NestedChange)
      break
    case 'group.deleted':
      groups.delete(id)
      for (const { nested } of groups.values()) nested.delete(id)
      break
    case 'group.user_added':
      groupNamed(groups, group.id).members.add(id)
      break
    case 'group.user_removed':
      groupNamed(groups, group.id).members.delete(id)
      break
  }
}

function updateGroup(group: OpenGroup, raw: Raw, { members }: NestedChange): void {
  group.raw = raw
  for (const { value } of members?.from ?? []) group.nested.delete(value)
  for (const { value } of members?.to ?? []) group.nested.add(value)
}

function groupNamed(groups: ReadonlyMap<string, OpenGroup>, id: string): OpenGroup {
  const group = groups.get(id)
  if (group === undefined) throw new Error(`an event speaks of the group ${id}, which no event has made`)
  return group
}

/** The picture that the service shows: users, groups and members by the API, groups within groups over SCIM. */
export async function pictureFromApi(product: Product, idp: Idp, directoryId: string): Promise<Picture> {
  const scope = `?directoryId=${directoryId}`
  const users = await product.list(`/users${scope}`)
  const groups = await product.list(`/groups${scope}`)
  const pictured = await Promise.all(
    groups.map(async ({ id, raw }) => {
      const members = await product.list(`/groups/${id}/members${scope}`)
      const nested = await groupsWithin(idp, id)
      return [id, { raw, members: members.map((member) => member.user_id).sort(), nested }]
    }),
  )
  return { users: Object.fromEntries(users.map(({ id, raw }) => [id, raw])), groups: Object.fromEntries(pictured) }
}

async function groupsWithin(idp: Idp, id: string): Promise<string[]> {
  const { members } = await idp.expect(200, `/Groups/${id}`)
  const all = members as { value: string; type: string }[]
  return all
    .filter(({ type }) => type === 'Group')
    .map(({ value }) => value)
    .sort()
}
