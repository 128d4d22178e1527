import type { Group } from '../../directory/group.ts'
import type { ImportedGroup } from './group.ts'
import { groupToStore, importedGroup } from './group.ts'
import type { ImportStep, Replacement } from './import-store.ts'
import type { Pass } from './pass.ts'
import { batchesOf, createDropped, endList, isImported } from './pass.ts'
import type { SeenRecords } from './seen.ts'
import { createSeenRecords, leftOutText, readable } from './seen.ts'
import type { PolisGroup } from './source.ts'

/** Imports the groups of a directory without their members; returns those of Polis. */
export async function importGroups(pass: Pass): Promise<SeenRecords> {
  const [seen, dropped] = [createSeenRecords(), createDropped()]
  const list = readable(pass.source.groups(pass.polis, seen.addUnreadable), endList(pass, 'group', seen))
  for await (const batch of batchesOf(list)) {
    pass.signal?.throwIfAborted()
    const groups = batch
      .filter(({ id }) => isImported(pass, 'group', id) && seen.add(id))
      .map((group) => decided(pass, group))
    for (const group of groups) dropped.add(group.dropped)
    await importBatch(pass, groups)
    pass.onProgress()
  }
  dropped.decide(pass, 'groups')
  if (seen.unreadable > 0) pass.decide('unreadable', undefined, leftOutText(seen.unreadable, 'group'))
  return seen
}

function decided({ directoryType, decide }: Pass, polis: PolisGroup): ImportedGroup {
  const group = importedGroup(polis, directoryType)
  const { id, refused } = group
  if (refused.length > 0) {
    decide('value-refused', id, `${refused.join(', ')} of the group cannot be stored, and is left out.`)
  }
  return group
}

async function importBatch(pass: Pass, groups: readonly ImportedGroup[]): Promise<void> {
  const { store, directory, holdsSomething } = pass
  const ids = groups.map(({ id }) => id)
  const stored = holdsSomething && ids.length > 0 ? await store.getGroups(directory.id, ids) : new Map<string, Group>()
  const created: Group[] = []
  const replaced: Replacement<Group>[] = []
  for (const group of groups) {
    const before = stored.get(group.id)
    const after = groupToStore(group, before, pass.at)
    const difference = { record: 'group', directoryId: directory.id, id: group.id } as const
    if (before === undefined) {
      created.push(after)
      pass.differ({ ...difference, what: 'missing' })
      continue
    }
    const fields = (['name', 'externalId', 'raw'] as const).filter((field) => after[field] !== before[field])
    if (fields.length === 0) continue
    replaced.push({ before, after })
    pass.differ({ ...difference, what: fields })
  }
  pass.groups.created += created.length
  pass.groups.updated += replaced.length
  pass.groups.unchanged += groups.length - created.length - replaced.length
  const steps: ImportStep[] = [
    ...(replaced.length > 0 ? [{ kind: 'replace-groups', groups: replaced } as const] : []),
    ...(created.length > 0 ? [{ kind: 'create-groups', groups: created } as const] : []),
  ]
  if (steps.length > 0) await pass.write?.(steps)
}
