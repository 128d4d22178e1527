import type { Audited, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Adoption, AdoptionStore } from './adoption-store.ts'
import type { PlanEntry } from './match.ts'
import type { PlanParts, PlanSource } from './plan.ts'
import { createPlanVersion, planAccounts } from './plan.ts'
import type { PlanCounts } from './plan-page.ts'
import { readPlanPage } from './plan-page.ts'
import { addAll } from './sent-accounts.ts'

const sendingMs = 3_600_000
const keptMs = 30 * 24 * 3_600_000

/** `POST /:id/adoption/apply` */
export const ApplyAdoptionInput = Type.Object(
  {
    version: Type.String({
      ...{ pattern: '^[0-9a-f]{64}$', maxLength: 64, examples: ['3f'.repeat(32)] },
      description: 'version: the version of the plan that was read.',
    }),
  },
  { title: 'ApplyAdoptionInput' },
)

export interface AdoptionsParts extends PlanParts {
  readonly store: AdoptionStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly clock: () => number
  readonly newId: () => string
  /** Called when there is something to do in the background. */
  readonly onWork: (directory: Directory) => void
}

/** A page of the plan of a directory, as the API returns it. */
export interface AdoptionView {
  readonly version: string | null
  readonly state: Adoption['state'] | 'none'
  readonly accounts: number
  readonly sent_at: string | null
  readonly counts: PlanCounts
  readonly entries: readonly PlanEntry[]
}

const noAdoption: AdoptionView = {
  ...{ version: null, state: 'none', accounts: 0, sent_at: null },
  ...{ counts: { linked: 0, link: 0, create: 0, unmatched: 0, conflict: 0 }, entries: [] },
}

/** The adoption of the product's accounts by directories, as the API offers it. */
export type Adoptions = ReturnType<typeof createAdoptions>

export function createAdoptions(parts: AdoptionsParts) {
  const { store, directories, audited, clock, newId, onWork } = parts

  /** Finds a directory and its list, whose plan is not being applied, or is that of the version. */
  async function find(directoryId: string, version?: string) {
    const directory = await directories.get(directoryId)
    const list = await store.getAdoption(directory.id)
    if (list?.state === 'applying' && list.version !== version)
      throw new DirectoryError(
        'already-running',
        'The plan of the list is being applied: wait until its state is none.',
      )
    return { directory, list }
  }

  /** Marks each account with the user to whom the present plan links it; returns the version and the number of links. */
  async function markAll(source: PlanSource, marker: string) {
    const version = createPlanVersion()
    let links = 0
    await store.beginMarks(source.list, marker)
    for await (const { rows, entries } of planAccounts(parts, source, '')) {
      const made = entries.flatMap(({ entry }) =>
        entry.kind === 'link' ? [[entry.account_id, entry.user.id] as const] : [],
      )
      for (const link of made) version.add(...link)
      links += made.length
      const users = new Map(made)
      const wrong = rows.filter(({ id, userId }) => users.get(id) !== userId)
      const marks = wrong.map(({ id }) => ({ id, userId: users.get(id) }))
      if (marks.length > 0 && !(await store.markAccounts(source.list, marker, marks))) throw planChanged()
    }
    return { version: version.text(), links }
  }

  return {
    /**
     * Stores the accounts of the product in place of those that were sent before, which stay if this fails.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `already-running`
     */
    async send(directoryId: string, sent: AsyncIterable<readonly unknown[]>): Promise<{ readonly accounts: number }> {
      const { directory } = await find(directoryId)
      const begunAt = clock()
      const list = await store.beginAccountList(directory.id, begunAt, begunAt + sendingMs)
      try {
        const accounts = await addAll(store, list, sent)
        const sentAt = clock()
        if (!(await store.finishAccountList(list, accounts, sentAt, sentAt + keptMs))) await find(directoryId)
        return { accounts }
      } catch (error) {
        await store.forgetAccountList(list)
        throw error
      } finally {
        onWork(directory)
      }
    },
    /**
     * A page of the plan for the present state.
     *
     * @param signal aborts when nobody waits for it any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `plan-changed`; the reason of the signal
     */
    async plan(directoryId: string, query: unknown, signal?: AbortSignal) {
      const directory = await directories.get(directoryId)
      const list = await store.getAdoption(directory.id)
      if (list === undefined) return { plan: noAdoption, pageToken: undefined }
      const { rows, version, counts, pageToken } = await readPlanPage(parts, { directory, list, signal }, query)
      const { state, accounts, sentAt } = list
      const sent_at = new Date(sentAt).toISOString()
      const plan: AdoptionView = { version: list.version ?? version, state, accounts, sent_at, counts, entries: rows }
      return { plan, pageToken }
    },
    /**
     * Begins to apply a plan in the background. The accounts are marked before, so that the plan that was read is applied, whatever
     * changes meanwhile.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `no-adoption`, `plan-changed`, `already-running`
     */
    async apply(directoryId: string, body: unknown, caller: Caller, signal?: AbortSignal) {
      const { version } = parseInput(ApplyAdoptionInput, body)
      const { directory, list } = await find(directoryId, version)
      if (list === undefined)
        throw new DirectoryError('no-adoption', 'No accounts were sent, or their plan was applied: send them first.')
      const state = 'applying' as const
      if (list.state === state) return { version, links: list.links, state }
      const marker = newId()
      const plan = await markAll({ directory, list, signal }, marker)
      const changes = { links: { from: null, to: plan.links } }
      const target = directoryTarget(directory)
      const audit = audited({ action: 'adoption.applied', caller, target, changes, at: clock() })
      if (plan.version !== version || !(await store.beginAdoption(list, marker, plan, audit))) throw planChanged()
      onWork(directory)
      return { version, links: plan.links, state }
    },
    /**
     * Forgets the list. A hold that waits for it stays.
     *
     * @throws DirectoryError `directory-not-found`, `already-running`
     */
    async forget(directoryId: string): Promise<void> {
      const { directory, list } = await find(directoryId)
      if (list === undefined) return
      await store.forgetAccountList(list)
      onWork(directory)
    },
  }
}

function planChanged(): DirectoryError {
  const message = 'The plan has changed since it was read: read it again, then apply its new version.'
  return new DirectoryError('plan-changed', message)
}
