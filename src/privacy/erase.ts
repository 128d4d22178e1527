import { setTimeout as pause } from 'node:timers/promises'
import type { Audit } from '../admin/audit/audit.ts'
import type { AuditStore } from '../admin/audit/audit-store.ts'
import type { AuditedPerson } from '../admin/audit/erasure.ts'
import type { HoldStore } from '../delivery/hold/hold-store.ts'
import type { Caller } from '../directory/audit.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { indexedUser } from '../directory/user.ts'
import type { Provisioning } from '../provisioning/lifecycle.ts'
import { changeStored, withCurrentDirectory } from '../provisioning/lifecycle.ts'
import { toJsonText } from '../scim/json-text.ts'
import type { About } from './about.ts'
import { aboutPerson } from './about.ts'
import type { Person } from './find.ts'
import { findPerson, findUsers } from './find.ts'
import { EraseInput } from './inputs.ts'
import { createMentions, erasedText } from './mentions.ts'
import { noteRequests, placeRules } from './places.ts'
import type {
  ErasedPlaces,
  ErasurePlan,
  ErasurePosition,
  OpenErasure,
  PersonalPlace,
  PersonUser,
  PrivacyStore,
  RowChange,
} from './privacy-store.ts'
import { personalPlaces } from './privacy-store.ts'
import type { Receipts } from './receipts.ts'
import { visitPages } from './walk.ts'

/** An erasure as the API returns it. */
export interface ErasureView {
  /** Null in a dry run. */
  readonly erasure_id: string | null
  readonly at: string
  readonly places: ErasedPlaces
  readonly receipt: string | null
  /** The key with which the holder of the receipt can check whom it is about; not stored. Null in a dry run. */
  readonly subject_key: string | null
  /** Of a dry run: what must be done before the person can be erased. Without it, the call is refused. */
  readonly blockers?: readonly Blocker[]
}

export interface EraseParts {
  readonly store: PrivacyStore &
    Pick<DirectoryReads, 'getUser' | 'getUsers' | 'listUsers'> &
    Pick<HoldStore, 'getHolds'> &
    Pick<AuditStore, 'auditHead'>
  readonly directories: {
    get(id: string): Promise<Directory>
    all(scope: DirectoryScope): AsyncIterable<Directory>
    leaving(scope: { readonly tenant: string; readonly product: string }): Promise<Directory[]>
  }
  readonly provisioning: Provisioning
  readonly audit: Pick<Audit, 'audited' | 'append' | 'erasePerson' | 'countEntriesOf'>
  readonly receipts: Pick<Receipts, 'sign' | 'subjectKey'>
  readonly clock: () => number
  readonly newId: () => string
  /** Called when events were appended to a directory. */
  readonly onCommit: (directory: Directory) => void
  /**
   * Makes this process, and then others, read the events of a directory again before it sends more of them, and waits for the
   * attempts that this process is making.
   */
  readonly stopSending: (directory: Directory) => Promise<void>
  /** Holds the leases of this process. */
  readonly holder: string
  /** The longest time that an attempt takes. */
  readonly attemptMs: number
  /** Writes the records that this process has in memory. */
  readonly flush: () => Promise<unknown>
  /** The ids of the erasures that this process is carrying out. */
  readonly running: Set<string>
  /** Whether other processes may use the database. */
  readonly isShared: boolean
}

/** An erasure that is repeated, as its receipt, whose signature was verified, describes it. */
export interface ErasureToRepeat {
  readonly id: string
  readonly tenant: string
  readonly product: string
  readonly users: readonly PersonUser[]
  /** The receipt. */
  readonly text: string
  /** The ids of users to erase even if the restored database says that they are active. */
  readonly includeActive: readonly string[]
}

/** The result of repeating an erasure. */
export type Repeated = 'repeated' | 'nothing-to-repeat' | { readonly activeUsers: readonly string[] }

/** The longest times for which another process may send events that it has read before, and keep records in memory. */
const otherLeasesMs = 6_000
const otherRecordsMs = 1_500

const nothing: ErasedPlaces = {
  ...{ users: 0, groups: 0, events: 0, dead_events: 0, deliveries: 0, requests: 0, sync_runs: 0, holds: 0, audit: 0 },
}

/** These places hold what is sent. They are erased first; afterwards no process sends an old event or records it. */
const sentPlaces: ReadonlySet<PersonalPlace> = new Set(['users', 'groups', 'events'])

/**
 * Erases a person. The plan is stored first, so that an erasure that was interrupted is finished at the next start, or by the
 * next call.
 *
 * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`, `ambiguous-subject`; unless it is a dry
 * run, `user-active`, `directory-held`
 */
export async function erase(
  parts: EraseParts,
  input: unknown,
  requestId: string,
  caller: Caller,
): Promise<ErasureView> {
  const { tenant, product, subject, reason, dry_run: isDryRun = false } = parseInput(EraseInput, input)
  await finishErasures(parts)
  await parts.flush()
  const directories = await directoriesOf(parts, { tenant, product })
  const person = await findPerson(parts.store, directories, subject)
  const blockers = await findBlockers(parts, person, directories)
  if (!isDryRun) refuseBlocked(blockers)
  refuseReason(reason, person)
  const by = callerBesides(person, caller)
  const erasure: OpenErasure = {
    ...{ id: parts.newId(), tenant, product, startedAt: parts.clock(), reason },
    places: { ...nothing, users: person.present.length },
    ...{ callerKind: by.kind, callerId: by.id, callerName: by.name },
    plan: { subject, requestId, users: person.users, identifying: person.identifying, others: person.others },
  }
  if (isDryRun) return { ...(await countErasable(parts, erasure, directories)), blockers }
  return running(parts, erasure.id, async () => {
    await parts.store.addErasure(erasure)
    await deleteUsers(parts, erasure, directories)
    return complete(parts, erasure, directories, by)
  })
}

/** The caller; only the id of one who is the person, whose name is erased from the audit trail as well. */
function callerBesides({ identifying }: Person, caller: Caller): Caller {
  const isPerson = caller.name !== undefined && createMentions(identifying).isIn(caller.name)
  return isPerson ? { ...caller, name: undefined, address: undefined } : caller
}

/** Runs an erasure that this process does not run yet. */
async function running<T>({ running: ids }: EraseParts, id: string, work: () => Promise<T>): Promise<T> {
  ids.add(id)
  try {
    return await work()
  } finally {
    ids.delete(id)
  }
}

/** Finishes the erasures that were interrupted. */
export async function finishErasures(parts: EraseParts): Promise<void> {
  for (const erasure of await parts.store.openErasures(100)) {
    if (!parts.running.has(erasure.id)) await running(parts, erasure.id, () => finish(parts, erasure))
  }
}

/** An erasure whose user is active has not erased anything yet, and is given up. */
async function finish(parts: EraseParts, erasure: OpenErasure): Promise<void> {
  const { callerKind: kind, callerId: id, callerName: name, plan } = erasure
  const directories = await withLeaving(parts, erasure)
  try {
    await deleteUsers(parts, erasure, directories)
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'user-active') return
    throw error
  }
  await complete(parts, erasure, directories, { kind, id, name, requestId: plan.requestId, address: undefined })
}

/**
 * Deletes the users who exist. None is created with the same id again: what follows can only be completed.
 *
 * @throws DirectoryError `user-active` when one was activated in the meantime; the erasure is removed then
 */
async function deleteUsers(
  parts: EraseParts,
  { id, plan }: OpenErasure,
  directories: readonly Directory[],
): Promise<void> {
  for (const { directoryId, userId } of plan.users) {
    const directory = directories.find((one) => one.id === directoryId)
    if (directory === undefined || directory.deletedAt !== undefined) continue
    if ((await parts.store.getUser(directoryId, userId)) === undefined) continue
    try {
      await deletePresent(parts, directory, userId, plan)
    } catch (error) {
      if (error instanceof DirectoryError) await parts.store.dropErasure(id)
      throw error
    }
  }
}

/** The directories of a tenant for a product, and deleted ones whose events are kept. */
async function withLeaving(
  { directories }: { readonly directories: Pick<EraseParts['directories'], 'all' | 'leaving'> },
  { tenant, product }: Pick<OpenErasure, 'tenant' | 'product'>,
): Promise<Directory[]> {
  const scope = { tenant, product }
  return [...(await Array.fromAsync(directories.all(scope))), ...(await directories.leaving(scope))]
}

/** As `withLeaving`. @throws DirectoryError `directory-not-found` */
export async function directoriesOf(...of: Parameters<typeof withLeaving>): Promise<Directory[]> {
  const found = await withLeaving(...of)
  if (found.length > 0) return found
  throw new DirectoryError('directory-not-found', 'There is no directory of this tenant for this product.')
}

/**
 * Repeats an erasure in a database that was restored from an older backup, under the same id and with the same receipt, unless the
 * database knows the erasure, or nothing about the person. Somebody who is active may have returned: such users are only erased
 * if they are named.
 *
 * @throws DirectoryError `directory-held`
 */
export async function repeatErasure(
  parts: EraseParts,
  { id, tenant, product, users: erased, text, includeActive }: ErasureToRepeat,
  caller: Caller,
): Promise<Repeated> {
  await finishErasures(parts)
  if (await parts.store.isErasureFinished(id)) return 'nothing-to-repeat'
  const directories = await withLeaving(parts, { tenant, product })
  const { users, present, identifying, others } = await findUsers(parts.store, directories, erased)
  const [first] = users
  if (first === undefined) return 'nothing-to-repeat'
  const active = present.filter(({ user }) => user.active && !includeActive.includes(user.id))
  if (active.length > 0) return { activeUsers: active.map(({ user }) => user.id) }
  refuseBlocked(await findBlockers(parts, { present: [], users }, directories))
  const erasure: OpenErasure = {
    ...{ id, tenant, product, startedAt: parts.clock(), reason: 'repeated after a restore' },
    places: { ...nothing, users: present.length },
    ...{ callerKind: caller.kind, callerId: caller.id, callerName: caller.name },
    plan: {
      subject: first.userId,
      requestId: parts.newId(),
      users,
      identifying,
      others,
      repeated: text,
      includeActive,
    },
  }
  await running(parts, id, async () => {
    await parts.store.addErasure(erasure)
    await deleteUsers(parts, erasure, directories)
    await complete(parts, erasure, directories, caller)
  })
  return 'repeated'
}

/** What must be done before a person can be erased: first about users who are active, then about directories that are held. */
async function findBlockers(
  { store }: EraseParts,
  { present, users }: Pick<Person, 'present' | 'users'>,
  directories: readonly Directory[],
): Promise<Blocker[]> {
  const blockers = present.flatMap(({ directory, user }) => (user.active ? [blocker(directory, user.id)] : []))
  const ids = new Set(users.map(({ directoryId }) => directoryId))
  for (const directory of directories) {
    const isHeld = ids.has(directory.id) && (await store.getHolds(directory.id)).length > 0
    if (isHeld) blockers.push(blocker(directory, null))
  }
  return blockers
}

type Blocker = ReturnType<typeof blocker>

/** A user who is active, or a directory whose events are held. */
function blocker({ id, name }: Directory, userId: string | null) {
  const reason = userId === null ? ('directory-held' as const) : ('user-active' as const)
  return { reason, directory_id: id, directory_name: name, user_id: userId }
}

/** @throws DirectoryError `user-active`, `directory-held` */
function refuseBlocked([first]: readonly Blocker[]): void {
  if (first === undefined) return
  const { reason, directory_id: id, user_id: userId } = first
  const message =
    reason === 'user-active'
      ? `The user ${userId} of the directory ${id} is active: deactivate or delete it at the identity provider, then erase.`
      : `Events of the directory ${id} are held: release or discard the hold (POST /${id}/hold/release or /discard), then erase.`
  throw new DirectoryError(reason, message)
}

/** @throws DirectoryError `invalid-input` when the reason, which is kept, names the person */
function refuseReason(reason: string | undefined, { identifying, others }: Person): void {
  if (reason === undefined || !createMentions([...identifying, ...others]).isIn(reason)) return
  const message = 'reason: leave out data about the person: the reason is kept.'
  throw new DirectoryError('invalid-input', message, [{ field: 'reason', message }])
}

/**
 * Deletes a user who is not active, or is named to be erased nevertheless. The event of the deletion says nothing about the person.
 *
 * @throws DirectoryError `user-active` when it was activated in the meantime
 */
async function deletePresent(
  { provisioning, directories, onCommit, clock }: EraseParts,
  directory: Directory,
  id: string,
  { requestId, includeActive = [] }: ErasurePlan,
): Promise<void> {
  const kind = {
    name: 'user',
    read: (store: DirectoryReads, directoryId: string, userId: string) => store.getUser(directoryId, userId),
  } as const
  const event = { eventType: 'user.deleted', data: toJsonText({ id, erased: true }) } as const
  try {
    await withCurrentDirectory(
      directory,
      ({ id: directoryId }) => directories.get(directoryId),
      (current) => {
        const context = { directory: current, cause: { requestId, at: clock() } }
        return changeStored(provisioning, kind, context, { id }, (user) => {
          if (user.active && !includeActive.includes(id)) refuseBlocked([blocker(directory, id)])
          return provisioning.store.deleteUser(current, indexedUser(user), event, context.cause)
        })
      },
    )
    onCommit(directory)
  } catch (error) {
    // Somebody else has deleted it, which is as good.
    if (error instanceof DirectoryError && error.code === 'resource-not-found') return
    throw error
  }
}

/** Changes rows; false when they must be read again. */
type Change = (place: PersonalPlace, directoryId: string, changes: readonly RowChange[]) => Promise<boolean>

/** Visits places of a directory, and changes the rows that concern the person. */
async function eraseIn(
  store: PrivacyStore,
  { id }: Directory,
  about: About,
  places: readonly PersonalPlace[],
  change: Change,
): Promise<void> {
  for (const place of places) {
    // Says which bodies are about the person; they go first, as the requests say so only once.
    if (place === 'request_bodies') {
      await visitPages(store, 'request_batches', id, async (rows) => {
        for (const row of rows) noteRequests(row, about)
        return true
      })
    }
    await visitPages(store, place, id, async (rows) => {
      const changes = rows.flatMap((row) => placeRules[place].erase(row, about) ?? [])
      return changes.length === 0 || change(place, id, changes)
    })
  }
}

function counted(places: ErasedPlaces, place: PersonalPlace, changes: readonly RowChange[]): ErasedPlaces {
  const { counted: name, count = () => 1 } = placeRules[place]
  return { ...places, [name]: places[name] + changes.reduce((sum, change) => sum + count(change), 0) }
}

async function countErasable(
  { store, audit, clock }: EraseParts,
  erasure: OpenErasure,
  directories: readonly Directory[],
): Promise<ErasureView> {
  const { plan } = erasure
  let { places } = erasure
  for (const directory of directories) {
    await eraseIn(store, directory, aboutPerson(plan), personalPlaces, async (place, _id, changes) => {
      places = counted(places, place, changes)
      return true
    })
  }
  places = { ...places, audit: await audit.countEntriesOf(auditedPerson(erasure)) }
  return { erasure_id: null, at: new Date(clock()).toISOString(), places, receipt: null, subject_key: null }
}

/** How the person is found in the audit trail. */
function auditedPerson({ tenant, product, plan }: OpenErasure): AuditedPerson {
  const { identifying, all } = aboutPerson(plan)
  return { tenant, product, isNamedIn: identifying.isInJson, isMentionedIn: all.isInJson }
}

async function complete(
  parts: EraseParts,
  erasure: OpenErasure,
  directories: readonly Directory[],
  caller: Caller,
): Promise<ErasureView> {
  const { store } = parts
  const { id, plan, tenant, product } = erasure
  let { places } = erasure
  const change: Change = async (place, directoryId, changes) => {
    const after = counted(places, place, changes)
    const isChanged = await store.changePersonalRows(place, directoryId, changes, { id, places: after })
    if (isChanged) places = after
    return isChanged
  }
  const visits = directories.map((directory) => ({ directory, about: aboutPerson(plan) }))
  const [sent, recorded] = [true, false].map((isSent) => personalPlaces.filter((one) => sentPlaces.has(one) === isSent))
  for (const { directory, about } of visits) await eraseIn(store, directory, about, sent ?? [], change)
  await stopSending(parts, directories)
  for (const { directory, about } of visits) await eraseIn(store, directory, about, recorded ?? [], change)
  places = { ...places, audit: await parts.audit.erasePerson(auditedPerson(erasure)) }
  await eraseInErasures(store, erasure)
  await appendErased(parts, erasure, directories)
  const at = parts.clock()
  const { subject, users } = plan
  const finished = { id, tenant, product, subject, users, at, places: { ...places }, audit: await store.auditHead() }
  const receipt = plan.repeated ?? (await parts.receipts.sign(finished))
  const target = targetOf(erasure)
  const entry = parts.audit.audited({ action: 'person.erased', caller, target, changes: changesOf(erasure), at })
  // An erasure that fails here is repeated. After the end, only the plan, which is encrypted, can be left.
  await store.overwriteErased()
  await store.finishErasure(id, { at, places, receipt }, entry)
  await store.overwriteErased()
  const subjectKey = await parts.receipts.subjectKey(id)
  return { erasure_id: id, at: new Date(at).toISOString(), places, receipt, subject_key: subjectKey }
}

/** The reasons, and the callers, of earlier erasures of the tenant and product may name the person. */
async function eraseInErasures(store: PrivacyStore, { tenant, product, plan }: OpenErasure): Promise<void> {
  const { identifying, all } = aboutPerson(plan)
  const limit = 200
  for (let before: ErasurePosition | undefined; ; ) {
    const page = await store.listErasures({ tenant, product }, before, limit)
    for (const { id, reason, callerName } of page) {
      const isCaller = callerName !== undefined && identifying.isIn(callerName)
      const isReason = reason !== undefined && all.isIn(reason)
      if (!isCaller && !isReason) continue
      const texts = { reason: isReason ? erasedText : reason, callerName: isCaller ? undefined : callerName }
      await store.changeErasureTexts(id, texts)
    }
    if (page.length < limit) return
    before = page.at(-1)
  }
}

/** After this, no process sends events as they were before, and all records of what was sent are in the store. */
async function stopSending(
  { store, stopSending: stop, holder, attemptMs, flush, isShared }: EraseParts,
  directories: readonly Directory[],
): Promise<void> {
  const beingSent = await Promise.all(directories.map(({ id }) => store.isSentByOthers(id, holder)))
  for (const directory of directories) await stop(directory)
  if (isShared) await pause(otherRecordsMs + (beingSent.includes(true) ? otherLeasesMs + attemptMs : 0))
  await flush()
}

/** Tells the product, at the end of each stream that the person was in. */
async function appendErased(
  { store, clock, onCommit }: EraseParts,
  { plan }: OpenErasure,
  directories: readonly Directory[],
): Promise<void> {
  for (const user of plan.users) {
    const directory = directories.find(({ id }) => id === user.directoryId)
    const event = await store.appendErased(user, { requestId: plan.requestId, at: clock() })
    if (directory !== undefined && event !== undefined) onCommit(directory)
  }
}

/** The audit trail names the person by the id that Rollcall gave. */
function targetOf({ tenant, product, plan }: OpenErasure) {
  return { kind: 'user', id: plan.users[0]?.userId, tenant, product } as const
}

function changesOf({ id, plan }: OpenErasure) {
  return { erasure_id: { from: null, to: id }, users: { from: null, to: plan.users.map(({ userId }) => userId) } }
}
