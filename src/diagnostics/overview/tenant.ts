import type { FeedStore } from '../../delivery/feed/feed-store.ts'
import { eventPayload } from '../../delivery/payload.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import { CreateDirectoryInput, parseInput, ScopeInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HealthListStore } from '../health/list-store.ts'

/** The tenant, and the product if only its directories for one are meant. */
export const TenantInput = Type.Object({
  tenant: CreateDirectoryInput.properties.tenant,
  product: ScopeInput.properties.product,
})

/** The number of events that are listed, and of directories, the last changed ones, that they are from. */
export const maxChanges = 10
/** The maximum number of directories whose users and groups are counted. */
export const maxCounted = 200

export type TenantStore = Pick<HealthListStore, 'listHealth'> &
  Pick<DirectoryReads, 'listDirectoriesInScope' | 'countUsers' | 'countGroups'> &
  Pick<FeedStore, 'feedDirectories' | 'eventsBefore'>

/** Reads the number of people of a tenant, and what has changed last, as JSON. @throws DirectoryError `invalid-input` */
export async function readTenant(store: TenantStore, query: unknown): Promise<string> {
  const scope = parseInput(TenantInput, query)
  const [people, changes] = await Promise.all([countPeople(store, scope), lastChanges(store, scope)])
  return `${JSON.stringify(people).slice(0, -1)},"changes":[${changes.join(',')}]}`
}

async function countPeople(store: TenantStore, scope: DirectoryScope) {
  const directories = await store.listDirectoriesInScope(scope, { limit: maxCounted + 1 })
  const people = { users: 0, inactive_users: 0, groups: 0, is_at_least: directories.length > maxCounted }
  for (const { id } of directories.slice(0, maxCounted)) {
    people.users += await store.countUsers(id)
    people.inactive_users += await store.countUsers(id, [{ attribute: 'active', value: false }])
    people.groups += await store.countGroups(id)
  }
  return people
}

/** The last events, newest first, without held ones. */
async function lastChanges(store: TenantStore, scope: DirectoryScope): Promise<string[]> {
  const changed = await store.listHealth(scope, { order: 'changed', limit: maxChanges })
  const found = changed.map(async ({ id }) => {
    const [directory] = await store.feedDirectories({ directoryId: id }, 1)
    if (directory === undefined) return []
    const events = await store.eventsBefore(id, directory.lastSequence + 1, maxChanges)
    return events.map((event) => ({ at: event.createdAt, text: eventPayload(event, directory) }))
  })
  const events = (await Promise.all(found)).flat().toSorted((a, b) => b.at - a.at)
  return events.slice(0, maxChanges).map(({ text }) => text)
}
