import assert from 'node:assert/strict'
import { createKeyedMutex } from '../../../../../src/concurrency/keyed-mutex.ts'
import { eventObject } from '../../../../../src/delivery/payload.ts'
import type { Directory, GoogleConnection } from '../../../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../../../src/directory/event.ts'
import { changedGoogleConnection } from '../../../../../src/directory/google-connection.ts'
import { groupViewText } from '../../../../../src/directory/group.ts'
import { membersOfGroup } from '../../../../../src/directory/group-members.ts'
import type { UpdateDirectoryInput } from '../../../../../src/directory/inputs.ts'
import { listStart } from '../../../../../src/directory/list.ts'
import { userViewText } from '../../../../../src/directory/user.ts'
import type { SyncProgress } from '../../../../../src/google/google-store.ts'
import { noProgress } from '../../../../../src/google/google-store.ts'
import type { SyncOutcome } from '../../../../../src/google/sync/run.ts'
import { createTally } from '../../../../../src/google/sync/run.ts'
import { syncDirectory } from '../../../../../src/google/sync/sync.ts'
import type { JsonObject } from '../../../../../src/scim/json.ts'
import { fromJsonText } from '../../../../../src/scim/json-text.ts'
import { createSealing } from '../../../../../src/store/sealing.ts'
import { openSqliteStore } from '../../../../../src/store/sqlite/open.ts'
import type { Store } from '../../../../../src/store/store.ts'
import { addDirectory } from '../../../../contract/store/samples.ts'
import type { ReceivedEvent } from '../../../../support/receiver.ts'
import type { Replica } from '../../../../support/replica.ts'
import { whole } from '../../../../support/whole.ts'
import type { ScriptedWorkspace } from './workspace.ts'
import { createScriptedWorkspace } from './workspace.ts'

/** The result of a run. */
export interface Synced extends SyncOutcome {
  readonly runId: string
  readonly progress: SyncProgress
  /** The reported events, such as `user.created ann` and `group.user_added team ann`. */
  readonly reported: readonly string[]
  /** The number of writes to the store. */
  readonly writes: number
}

export interface SyncOptions {
  /** The held run to resume. */
  readonly approved?: string
  readonly maxDeletePercent?: number
  readonly signal?: AbortSignal
  readonly onEvents?: (events: readonly StoredEvent[]) => void
}

/** The groups and units to sync. */
export type ChosenScope = Pick<UpdateDirectoryInput, 'extdir_groups' | 'extdir_org_units'>

/** A directory on a real store and its Workspace. */
export interface SyncedDirectory extends AsyncDisposable {
  readonly workspace: ScriptedWorkspace
  readonly store: Store
  readonly directoryId: string
  /** All events so far. */
  readonly events: ReceivedEvent[]
  sync(options?: SyncOptions): Promise<Synced>
  /** Chooses the groups and units to sync. */
  choose(scope: ChosenScope): Promise<void>
  /** Runs a sync that must fail with this error; returns the events it reported. */
  syncFails(error: Parameters<typeof assert.rejects>[1], options?: SyncOptions): Promise<readonly string[]>
  raw(userId: string): Promise<JsonObject>
  userIds(): Promise<string[]>
  groupIds(): Promise<string[]>
  members(groupId: string): Promise<string[]>
  replica(): Promise<Replica>
}

const at = 1_700_000_000_000

export async function openSync(domain?: string, scope: ChosenScope = {}): Promise<SyncedDirectory> {
  const store = openSqliteStore(':memory:', createSealing([Buffer.alloc(32, 1)]), (error) => {
    throw error
  })
  const extdir = changedGoogleConnection({ extdir_domain: domain ?? null, ...scope }, undefined)
  const { id: directoryId } = await addDirectory(store, { directoryType: 'extdir', google: extdir })
  const workspace = createScriptedWorkspace()
  const events: ReceivedEvent[] = []
  let runs = 0

  async function begin(approved: string | undefined): Promise<string> {
    runs += 1
    const request = { id: approved ?? `run-${runs}`, directoryId, trigger: 'api', startedAt: at + runs } as const
    const lease = { holder: 'this process', ttlMs: 60_000 }
    const begun = await (approved === undefined ? store.beginSyncRun : store.resumeHeldRun)({ ...request, ...lease })
    assert.equal(begun.outcome, 'begun')
    return request.id
  }

  async function current(): Promise<Directory> {
    const directory = await store.getDirectory(directoryId)
    assert(directory !== undefined)
    return directory
  }

  async function change(changed: (google: GoogleConnection) => GoogleConnection): Promise<void> {
    const before = await current()
    assert(before.google !== undefined)
    const after = { ...before, google: changed(before.google), revision: before.revision + 1 }
    assert.equal(await store.replaceDirectory(after), 'replaced')
  }

  async function run(reported: string[], options: SyncOptions): Promise<Synced> {
    const { approved, maxDeletePercent = 30, signal = new AbortController().signal } = options
    const runId = await begin(approved)
    const end = (state: 'completed' | 'held' | 'failed') =>
      store.finishSyncRun({ directoryId, id: runId }, 'this process', noProgress, {
        state,
        finishedAt: at,
        error: undefined,
      })
    const tally = createTally()
    const counted = countWrites(store)
    try {
      const outcome = await syncDirectory({
        workspace,
        provisioning: { store: counted.store, mutex: createKeyedMutex() },
        store,
        directory: await current(),
        runId,
        isApproved: approved !== undefined,
        maxDeletePercent,
        tally,
        clock: () => at,
        signal,
        refreshed: current,
        recordGroups: (groups) => change((google) => ({ ...google, groups })),
        async onEvents(directory, made) {
          for (const event of made) {
            const received = eventObject(event, directory) as unknown as ReceivedEvent
            events.push(received)
            reported.push(wordsOf(received))
          }
          options.onEvents?.(made)
        },
        log: { warn: () => undefined },
      })
      await end(outcome.state)
      return { ...outcome, runId, reported, progress: tally.progress(), writes: counted.writes() }
    } catch (error) {
      await end('failed')
      throw error
    }
  }

  const everything = { from: listStart, limit: 10_000 }
  const listUsers = async () =>
    (await store.listUsers(directoryId, { ...everything, withGroups: true })).map(({ item }) => item)
  const listGroups = async () => (await store.listGroups(directoryId, everything)).map(({ item }) => item)

  async function members(groupId: string): Promise<string[]> {
    const found = await Array.fromAsync(membersOfGroup(store, directoryId, groupId))
    return found
      .flat()
      .map(({ id }) => id)
      .sort()
  }

  return {
    workspace,
    store,
    directoryId,
    events,
    sync: (options = {}) => run([], options),
    choose: (scope) => change((google) => changedGoogleConnection(scope, google)),
    async syncFails(error, options = {}) {
      const reported: string[] = []
      await assert.rejects(run(reported, options), error)
      return reported
    },
    async raw(userId) {
      const user = await store.getUser(directoryId, userId)
      assert(user !== undefined, `there is a user ${userId}`)
      return fromJsonText(user.raw)
    },
    userIds: async () => (await listUsers()).map(({ id }) => id).sort(),
    groupIds: async () => (await listGroups()).map(({ id }) => id).sort(),
    members,
    async replica() {
      const groups = await listGroups()
      const membersById = groups.map(async ({ id }) => [id, await members(id)] as const)
      return {
        users: (await listUsers()).map((user) => fromJsonText(userViewText(whole(user)))),
        groups: groups.map((group) => fromJsonText(groupViewText(whole(group)))),
        members: Object.fromEntries(await Promise.all(membersById)),
      }
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

function wordsOf({ event, data: { id, group } }: ReceivedEvent): string {
  return group === undefined ? `${event} ${id}` : `${event} ${group.id} ${id}`
}

function countWrites(store: Store): { store: Store; writes: () => number } {
  let count = 0
  function counted<A extends unknown[], R>(write: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      count += 1
      return write(...args)
    }
  }
  const { createUser, replaceUser, deleteUser, createGroup, replaceGroup, changeMembers, deleteGroup } = store
  return {
    writes: () => count,
    store: {
      ...store,
      createUser: counted(createUser),
      replaceUser: counted(replaceUser),
      deleteUser: counted(deleteUser),
      createGroup: counted(createGroup),
      replaceGroup: counted(replaceGroup),
      changeMembers: counted(changeMembers),
      deleteGroup: counted(deleteGroup),
    },
  }
}
