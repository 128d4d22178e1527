import type { Group } from '../../directory/group.ts'
import { groupFrom } from '../../directory/group.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { parseGroup } from '../../google/client/parse.ts'
import { groupBody } from '../../google/mapping/group.ts'
import type { JsonObject } from '../../scim/json.ts'
import { own } from '../../scim/json.ts'
import { groupType } from '../../scim/schema/resource-type.ts'
import { droppedPaths, importedResource, usableText } from './resource.ts'
import type { PolisGroup } from './source.ts'

/** A group of Polis, without its members, as a resource of ours. */
export interface ImportedGroup {
  readonly id: string
  /** The stored form, whose version and times follow. */
  readonly made: Group
  readonly refused: readonly string[]
  readonly dropped: readonly string[]
  readonly createdAt: number | undefined
}

const firstVersion = { version: 1, createdAt: 0, updatedAt: 0 }

/** Makes the resource of a group. That of a Google group is made as a sync from Google would make it. */
export function importedGroup(group: PolisGroup, type: DirectoryType): ImportedGroup {
  const { id, name, createdAt } = group
  const raw = type === 'extdir' ? googleBody(group) : (group.raw as JsonObject)
  const { resource, made, refused } = importedResource(raw, {
    resourceType: groupType,
    required: { name: 'displayName', value: usableText(name, id) },
    store: (acceptable) => groupFrom(acceptable, { id, ...firstVersion }),
  })
  const dropped = type === 'extdir' ? [] : droppedPaths(raw, resource).filter((path) => !refused.includes(path))
  return { id, made, refused, dropped, createdAt }
}

/** The SCIM form of a Google group, whose raw record is that of Google. */
function googleBody({ id, name, raw }: PolisGroup): JsonObject {
  const found = raw as JsonObject
  if (own(found, 'displayName') !== undefined) return found
  const google = parseGroup(found)
  return google === undefined ? { displayName: name, externalId: id } : groupBody(google)
}
