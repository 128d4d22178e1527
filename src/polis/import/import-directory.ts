import type { AuditChanges } from '../../directory/audit.ts'
import { directoryTarget } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import { directoryChanges } from '../../directory/directory-changes.ts'
import type { ImportContext } from './context.ts'
import { importDeletions } from './deletion-pass.ts'
import type { ImportedDirectory } from './directory.ts'
import { changedDirectory, differingFields, importedDirectory, newDirectory } from './directory.ts'
import { importGroups } from './group-pass.ts'
import type { ImportState } from './import-store.ts'
import { importMembers } from './member-pass.ts'
import type { Pass, Tally } from './pass.ts'
import { decideIn, newTally } from './pass.ts'
import type { PolisDirectory } from './source.ts'
import { importUsers } from './user-pass.ts'

/** The outcome for a directory, done or planned. */
export interface DirectoryResult {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
  /** `incomplete`: a list of it was not read whole, and its record stays as it is here; a new one stays deactivated. */
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'changed-here' | 'incomplete' | 'refused'
  readonly users: Tally
  readonly groups: Tally
  readonly members: Tally
  /** Events of the queue that are added. */
  events: number
}

/** Something else has changed the directory while it was imported. */
class ChangedMeanwhile extends Error {}

/** The receiver of a result, which is completed step by step, and the time of creation of a new directory. */
interface ImportedOne {
  readonly onResult: (result: DirectoryResult) => void
  readonly createdAt: number
}

/** Imports a directory with everything in it, or compares it only. */
export async function importDirectory(
  context: ImportContext,
  polis: PolisDirectory,
  { onResult, createdAt }: ImportedOne,
): Promise<DirectoryResult> {
  const result = newResult(polis)
  onResult(result)
  const wanted = importedDirectory(polis, context.decide)
  if (wanted === undefined) return result
  const state = await context.store.importState(polis.id)
  if (context.mode !== 'verify' && isRefused(context, polis, state)) {
    result.outcome = 'changed-here'
    return result
  }
  try {
    result.outcome = await importInto(context, { polis, wanted, state, result, createdAt })
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error
    result.outcome = 'changed-here'
    decideIn(context.decide, polis)('changed-here', undefined, changedHere)
  }
  return result
}

/** The result of a directory before anything is known about what it holds. */
export function newResult({
  id,
  name,
  tenant,
  product,
  type,
}: Omit<PolisDirectory, 'scim' | 'webhook' | 'deactivated' | 'log_webhook_events'>): DirectoryResult {
  return {
    ...{ id, name, tenant, product, type, outcome: 'refused', events: 0 },
    ...{ users: newTally(), groups: newTally(), members: newTally() },
  }
}

const changedHere =
  'The directory has had a change of its own here since its import, such as a request of the identity provider: it is not imported again.'
const notImported =
  'There is a directory with this id that was not imported: it is left as it is. Delete it first to import this one.'

function isRefused({ decide }: ImportContext, polis: PolisDirectory, state: ImportState | undefined): boolean {
  if (state === undefined || (state.source !== undefined && !state.isChanged)) return false
  decideIn(decide, polis)('changed-here', undefined, state.source === undefined ? notImported : changedHere)
  return true
}

interface Importing {
  readonly polis: PolisDirectory
  readonly wanted: ImportedDirectory
  readonly state: ImportState | undefined
  readonly result: DirectoryResult
  readonly createdAt: number
}

async function importInto(context: ImportContext, importing: Importing): Promise<DirectoryResult['outcome']> {
  const { store, mode } = context
  const { wanted, state, result } = importing
  const before = await store.getDirectory(wanted.id)
  const stored = before ?? newDirectory(wanted, context.newSecret, importing.createdAt)
  if (before === undefined && mode === 'apply') await create(context, stored)
  const fields = before === undefined ? [] : differingFields(wanted, before)
  noteDifference(context, wanted.id, before, fields)
  const pass = passOf(context, importing, { stored, holdsSomething: before !== undefined })
  await importContents(pass)
  if (!pass.isWhole) return 'incomplete'
  const isChanged = fields.length > 0 || hasChanged(result)
  if (mode === 'apply') {
    const isIncomplete = before === undefined || state?.isComplete !== true
    await finish(context, importing, { stored, isRecordChanged: isIncomplete || fields.length > 0, isChanged })
  }
  if (before === undefined) return 'created'
  return isChanged ? 'updated' : 'unchanged'
}

function noteDifference(
  { differ }: ImportContext,
  id: string,
  before: Directory | undefined,
  fields: readonly string[],
): void {
  const difference = { record: 'directory', directoryId: id, id } as const
  if (before === undefined) differ({ ...difference, what: 'missing' })
  else if (fields.length > 0) differ({ ...difference, what: fields })
}

async function create({ store, audited, caller, origin, clock }: ImportContext, directory: Directory): Promise<void> {
  const changes = directoryChanges(undefined, directory)
  const target = directoryTarget(directory)
  const audit = audited({ action: 'directory.created', caller, target, changes, at: clock() })
  const outcome = await store.createImported(directory, origin, audit)
  if (outcome === 'directory-exists') throw new ChangedMeanwhile()
}

async function importContents(pass: Pass): Promise<void> {
  const users = await importUsers(pass)
  const groups = await importGroups(pass)
  await importMembers(pass, users, groups)
  await importDeletions(pass, users, groups)
}

function passOf(
  context: ImportContext,
  { polis, wanted: { directoryType }, result }: Importing,
  { stored, holdsSomething }: { readonly stored: Directory; readonly holdsSomething: boolean },
): Pass {
  const { source, store, mode, signal, differ, onProgress } = context
  const at = context.clock()
  const { users, groups, members } = result
  return {
    ...{ source, store, polis, directory: stored, directoryType, holdsSomething, at, signal, differ, onProgress },
    ...{ users, groups, members, isWhole: true },
    decide: decideIn(context.decide, polis),
    write: mode === 'apply' ? write : undefined,
  }

  async function write(steps: Parameters<NonNullable<Pass['write']>>[0]): Promise<void> {
    if ((await store.writeImported(stored, steps, at)) === 'changed-here') throw new ChangedMeanwhile()
  }
}

function hasChanged({ users, groups, members }: DirectoryResult): boolean {
  return [users, groups, members].some(({ created, updated, deleted }) => created + updated + deleted > 0)
}

interface Finished {
  readonly stored: Directory
  readonly isRecordChanged: boolean
  readonly isChanged: boolean
}

/** Stores the record as it is in Polis once everything in the directory is imported, and that this is so. */
async function finish(
  { store, audited, caller, clock }: ImportContext,
  { wanted, result }: Importing,
  { stored, isRecordChanged, isChanged }: Finished,
): Promise<void> {
  const after = isRecordChanged ? changedDirectory(wanted, stored) : stored
  const changes = { ...directoryChanges(stored, after), ...countedChanges(result) }
  const at = clock()
  const audit = audited({ action: 'directory.imported', caller, target: directoryTarget(stored), changes, at })
  if (!isRecordChanged) return store.markImported(stored.id, at, isChanged ? audit : undefined)
  if ((await store.replaceImported(after, at, audit)) === 'changed-here') throw new ChangedMeanwhile()
}

function countedChanges(result: DirectoryResult): AuditChanges {
  const counts = (['users', 'groups', 'members'] as const).flatMap((kind) =>
    (['created', 'updated', 'deleted'] as const).map((change) => [`${kind}_${change}`, result[kind][change]] as const),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0).map(([name, to]) => [name, { from: null, to }]))
}
