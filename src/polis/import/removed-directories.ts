import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { directoryChanges } from '../../directory/directory-changes.ts'
import type { ImportContext } from './context.ts'
import type { DecisionKind } from './decisions.ts'
import type { SeenRecords } from './seen.ts'
import { notListedText, unreadableText } from './seen.ts'
import type { PolisFilter } from './source.ts'

const idsPerRead = 200

/**
 * Deletes the directories that were imported and that Polis, asked for each, does not have any more; returns them. One
 * that cannot be read stays. Without any directory in Polis nothing is deleted: it is more likely the wrong database.
 *
 * @param seen all directories of Polis that the filter lets through, or that cannot be read
 */
export async function deleteRemovedDirectories(context: ImportContext, seen: SeenRecords): Promise<Directory[]> {
  const removed: Directory[] = []
  if (!seen.isWhole) return removed
  const { store, origin, filter, source } = context
  for (let after = ''; ; ) {
    const ids = await store.importedFrom(origin, after, idsPerRead)
    const last = ids.at(-1)
    if (last === undefined) return removed
    after = last
    const gone = await store.getDirectories(ids.filter((id) => !seen.has(id)))
    for (const directory of gone.values()) {
      if (!isMeant(filter, directory)) continue
      if (seen.isUnreadable(directory.id)) keep(context, directory, 'unreadable', unreadableText('directory'))
      else if (seen.isEmpty) keep(context, directory, 'list-incomplete', noneText)
      else if ((await source.existing('directory', directory, [directory.id])).size > 0) {
        keep(context, directory, 'list-incomplete', notListedText('directory'))
      } else if (await deleteOne(context, directory)) removed.push(directory)
    }
  }
}

function isMeant({ tenant, product }: PolisFilter, directory: Directory): boolean {
  return (tenant ?? directory.tenant) === directory.tenant && (product ?? directory.product) === directory.product
}

const noneText =
  'Polis has no directory at all, which is more likely the wrong database: this one stays as it was imported.'

function keep(
  { decide }: ImportContext,
  { id: directoryId, tenant, product }: Directory,
  kind: DecisionKind,
  text: string,
): void {
  decide({ kind, directoryId, tenant, product, text })
}

async function deleteOne(context: ImportContext, directory: Directory): Promise<boolean> {
  const { store, mode, audited, caller, clock } = context
  const { id, tenant, product } = directory
  const state = await store.importState(id)
  if (state?.isChanged !== false && mode !== 'verify') {
    const text = 'The directory is no longer in Polis, but has had a change of its own here since its import: it stays.'
    context.decide({ kind: 'changed-here', directoryId: id, tenant, product, text })
    return false
  }
  context.differ({ record: 'directory', directoryId: id, id, what: 'extra' })
  if (mode !== 'apply') return true
  const at = clock()
  const changes = directoryChanges(directory, undefined)
  const audit = audited({ action: 'directory.deleted', caller, target: directoryTarget(directory), changes, at })
  return store.deleteDirectory(id, at, audit)
}
