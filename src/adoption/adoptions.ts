import type { Audited, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Adoption, AdoptionList, AdoptionMark, AdoptionStore } from './adoption-store.ts'
import type { MatchedUser, PlanEntry } from './match.ts'
import type { PlanParts, PlanSource } from './plan.ts'
import { createPlanVersion, planAccounts } from './plan.ts'
import type { PlanCounts } from './plan-page.ts'
import { readPlanPage } from './plan-page.ts'
import type { SentAccount } from './sent-account.ts'
import { parseAccount, refusal } from './sent-account.ts'

/** The maximum number of accounts of a list. */
export const maxAccounts = 200_000

/** Others wait for one batch at most. */
const batchSize = 400

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
  /** Called when the steps of a directory have begun. */
  readonly onWork: (directory: Directory) => void
}

/** A user in a plan, as the API returns it. */
export interface AdoptionUserView {
  readonly id: string
  readonly user_name: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly active: boolean
}

/** The plan of a directory, as the API returns it. */
export interface AdoptionView {
  readonly version: string | null
  readonly state: Adoption['state'] | 'none'
  readonly accounts: number
  readonly sent_at: string | null
  readonly counts: PlanCounts
  readonly entries: readonly ReturnType<typeof entryView>[]
}

const noAdoption: AdoptionView = {
  ...{ version: null, state: 'none', accounts: 0, sent_at: null },
  ...{ counts: { linked: 0, link: 0, create: 0, unmatched: 0, conflict: 0 }, entries: [] },
}

/** The adoption of the product's accounts by directories, as the API offers it. */
export type Adoptions = ReturnType<typeof createAdoptions>

export function createAdoptions(parts: AdoptionsParts) {
  const { store, directories, audited, clock, newId, onWork } = parts

  /** Adds accounts to a list that was begun; returns their number. */
  async function addAll(list: AdoptionList, sent: AsyncIterable<readonly SentAccount[]>): Promise<number> {
    let waiting: SentAccount[] = []
    let added = 0
    const add = async (some: readonly SentAccount[]) => {
      added += some.length
      if (added > maxAccounts) throw tooManyAccounts()
      const refused = some.length === 0 ? undefined : await store.addAdoptionAccounts(list, some.map(parseAccount))
      if (refused === 'gone') throw abandoned()
      if (refused !== undefined) throw refusal(refused, some[refused.index])
    }
    for await (const some of sent) {
      waiting.push(...some)
      for (; waiting.length >= batchSize; waiting = waiting.slice(batchSize)) await add(waiting.slice(0, batchSize))
    }
    await add(waiting)
    return added
  }

  /** Marks each account of a list with the user to whom the present plan links it; returns the version and number of links. */
  async function markAll(source: PlanSource, marker: string) {
    const version = createPlanVersion()
    let links = 0
    if (!(await store.beginAdoptionMarks(source.list, marker))) throw changed()
    for await (const { accounts, entries } of planAccounts(parts, source, '')) {
      const users = new Map<string, string>()
      for (const { entry } of entries) {
        if (entry.kind !== 'link') continue
        version.add(entry)
        users.set(entry.accountId, entry.user.id)
      }
      links += users.size
      const marks = accounts.flatMap(({ accountId, userId }): AdoptionMark[] => {
        const user = users.get(accountId)
        return user === userId ? [] : [{ accountId, userId: user }]
      })
      if (marks.length > 0 && !(await store.markAdoption(source.list, marker, marks))) throw changed()
    }
    return { version: version.text(), links }
  }

  return {
    /**
     * Stores the accounts of the product in place of those that were sent before, which stay if this fails.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `already-running` while a plan is being applied
     */
    async send(
      directoryId: string,
      sent: AsyncIterable<readonly SentAccount[]>,
    ): Promise<{ readonly accounts: number }> {
      const directory = await directories.get(directoryId)
      const list = await store.beginAdoptionList(directory.id, clock())
      if (list === 'applying') throw applying()
      if (list === 'busy') throw new DirectoryError('busy', 'Another list is being sent: send this one again.')
      try {
        const accounts = await addAll(list, sent)
        const outcome = await store.finishAdoptionList(list, accounts, clock())
        if (outcome === 'applying') throw applying()
        if (outcome === 'gone') throw abandoned()
        return { accounts }
      } catch (error) {
        await store.abandonAdoptionList(list)
        throw error
      } finally {
        // The accounts of the former list, or of this one.
        onWork(directory)
      }
    },
    /**
     * The plan for the present state: a page of its entries.
     *
     * @param signal aborts when nobody waits for it any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `plan-changed`; the reason of the signal
     */
    async plan(
      directoryId: string,
      query: unknown,
      signal?: AbortSignal,
    ): Promise<{ readonly plan: AdoptionView; readonly pageToken: string | undefined }> {
      const directory = await directories.get(directoryId)
      const list = await store.getAdoption(directory.id)
      if (list === undefined) return { plan: noAdoption, pageToken: undefined }
      const { rows, version, counts, pageToken } = await readPlanPage(parts, { directory, list, signal }, query)
      const { state, accounts, sentAt } = list
      const plan = {
        ...{ version: list.version ?? version, state, accounts, sent_at: new Date(sentAt).toISOString(), counts },
        entries: rows.map(entryView),
      }
      return { plan, pageToken }
    },
    /**
     * Applies a plan, in the background: sets `account_id` for its links. The accounts are marked before, so that what is applied is the plan
     * that was read, whatever changes meanwhile.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `no-adoption`, `plan-changed`, `already-running`
     */
    async apply(directoryId: string, body: unknown, caller: Caller, signal?: AbortSignal) {
      const { version } = parseInput(ApplyAdoptionInput, body)
      const directory = await directories.get(directoryId)
      const list = await store.getAdoption(directory.id)
      if (list === undefined)
        throw new DirectoryError(
          'no-adoption',
          'No list of accounts was sent, or its plan was applied: send one first.',
        )
      if (list.state === 'applying') {
        if (list.version !== version) throw applying()
        return { version, links: list.links, state: list.state }
      }
      const marker = newId()
      const marked = await markAll({ directory, list, signal }, marker)
      if (marked.version !== version) throw changed()
      const { links } = marked
      const audit = audited({
        ...{ action: 'adoption.applied', caller, target: directoryTarget(directory), at: clock() },
        changes: { links: { from: null, to: links } },
      })
      if (!(await store.beginAdoption(list, marker, marked, audit))) throw changed()
      onWork(directory)
      return { version, links, state: 'applying' as const }
    },
    /**
     * Forgets the list. A hold that waits for it stays.
     *
     * @throws DirectoryError `directory-not-found`, `already-running` while a plan is being applied
     */
    async forget(directoryId: string): Promise<void> {
      const directory = await directories.get(directoryId)
      if ((await store.forgetAdoption(directory.id)) === 'applying') throw applying()
      onWork(directory)
    },
  }
}

function userView({ id, userName, email, firstName, lastName, active }: MatchedUser): AdoptionUserView {
  return { id, user_name: userName, email, first_name: firstName, last_name: lastName, active }
}

function entryView(entry: PlanEntry) {
  const { kind } = entry
  if (kind === 'create') return { kind, user: userView(entry.user) }
  if (kind === 'unmatched') return { kind, account_id: entry.accountId }
  if (kind === 'linked') return { kind, account_id: entry.accountId, user: userView(entry.user) }
  if (kind === 'link') return { kind, account_id: entry.accountId, user: userView(entry.user), by: entry.by }
  const { reason, accountIds, users } = entry
  return { kind, reason, account_ids: accountIds, users: users.map(userView), message: conflictMessages[reason](entry) }
}

const keyNames = { external_id: 'external id', user_name: 'userName', email: 'e-mail address' } as const

const conflictMessages = {
  'several-users': ({ by }) =>
    `Several users have the ${keyNames[by]} of this account: link the right one to it, or correct the others.`,
  'several-accounts': ({ by }) =>
    `Several accounts match this user, the first one by its ${keyNames[by]}: link the user to the right one, or correct the accounts.`,
  'user-linked': ({ by }) =>
    `The user with the ${keyNames[by]} of this account is linked to another account: end that link if it is wrong.`,
  'account-linked': ({ by }) =>
    `The account is linked to another user than the one with its ${keyNames[by]}: end that link if it is wrong.`,
} satisfies Record<ConflictEntry['reason'], (entry: ConflictEntry) => string>

type ConflictEntry = Extract<PlanEntry, { kind: 'conflict' }>

function tooManyAccounts(): DirectoryError {
  return new DirectoryError(
    'invalid-input',
    `A list has at most ${maxAccounts} accounts: leave out those of other customers.`,
  )
}

function applying(): DirectoryError {
  return new DirectoryError('already-running', 'The plan of the list is being applied: wait until its state is none.')
}

function abandoned(): DirectoryError {
  return new DirectoryError('busy', 'The list was given up because it took too long: send it again.')
}

function changed(): DirectoryError {
  const message = 'The plan has changed since it was read: read it again, then apply its new version.'
  return new DirectoryError('plan-changed', message)
}
