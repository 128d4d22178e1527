import type { ReceivedEvent } from '../../support/receiver.ts'
import type { Idp } from './idp.ts'

/** The sorted ids of nested groups by group id, without empty entries. */
export type NestedGroups = Readonly<Record<string, readonly string[]>>

/** The nested groups that a product knows from the events. */
export function nestedFrom(events: readonly ReceivedEvent[]): NestedGroups {
  const nested = new Map<string, Set<string>>()
  for (const { event, data, changes } of events) {
    if (event === 'group.created') nested.set(data.id, new Set())
    if (event === 'group.updated') follow(nested.get(data.id), changes?.['members'])
    if (event === 'group.deleted') {
      nested.delete(data.id)
      for (const within of nested.values()) within.delete(data.id)
    }
  }
  return sorted([...nested].map(([id, within]) => [id, [...within]]))
}

/** A change of `members` in `group.updated` concerns nested groups. */
function follow(within: Set<string> | undefined, members: { from: unknown; to: unknown } | undefined): void {
  for (const { value } of (members?.from ?? []) as { value: string }[]) within?.delete(value)
  for (const { value } of (members?.to ?? []) as { value: string }[]) within?.add(value)
}

/** The nested groups that SCIM returns. */
export async function nestedRead(idp: Idp, groupIds: readonly string[]): Promise<NestedGroups> {
  const entries = groupIds.map(async (id): Promise<[string, string[]]> => {
    const { body } = await idp.expect(200, 'GET', `/Groups/${id}`)
    const nested = (body.members ?? []).filter(({ type }) => type === 'Group')
    return [id, nested.map(({ value }) => value)]
  })
  return sorted(await Promise.all(entries))
}

function sorted(entries: readonly [string, string[]][]): NestedGroups {
  return Object.fromEntries(
    entries.filter(([, within]) => within.length > 0).map(([id, within]) => [id, within.sort()]),
  )
}
