import type { Group } from '../../directory/group.ts'
import type { ImportedGroup } from './group.ts'
import { importedGroup } from './group.ts'
import type { ImportStep, Replacement } from './import-store.ts'
import type { Pass } from './pass.ts'
import { importRecords } from './pass.ts'
import { storedForm } from './resource.ts'
import type { SeenRecords } from './seen.ts'

/** Imports the groups of a directory without their members; returns those of Polis. */
export function importGroups(pass: Pass): Promise<SeenRecords> {
  return importRecords(pass, {
    record: 'group',
    list: (onUnreadable) => pass.source.groups(pass.polis, onUnreadable),
    make: (group) => importedGroup(group, pass.directoryType),
    write: (groups) => importBatch(pass, groups),
  })
}

async function importBatch(pass: Pass, groups: readonly ImportedGroup[]): Promise<void> {
  const { store, directory, holdsSomething } = pass
  const ids = groups.map(({ id }) => id)
  const stored = holdsSomething && ids.length > 0 ? await store.getGroups(directory.id, ids) : new Map<string, Group>()
  const created: Group[] = []
  const replaced: Replacement<Group>[] = []
  for (const group of groups) {
    const before = stored.get(group.id)
    const after = storedForm(group, before, pass.at)
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
