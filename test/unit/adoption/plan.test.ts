import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ListedAccount, MatchedUser, MatchKey } from '../../../src/adoption/match.ts'
import type { PlanParts, PlanSource } from '../../../src/adoption/plan.ts'
import { createPlanVersion, planAccounts, planUsers } from '../../../src/adoption/plan.ts'
import { readPlanPage } from '../../../src/adoption/plan-page.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { NaiveAccount, NaiveEntry, NaiveUser } from '../../support/naive-plan.ts'
import { inOrder, naiveEntry, naivePlan } from '../../support/naive-plan.ts'

function matched({ id, userName, externalId, emails, accountId }: NaiveUser): MatchedUser & { position: number } {
  const email = emails[0] ?? userName
  return {
    shown: { id, user_name: userName, email, first_name: '', last_name: '', active: true },
    accountId,
    keys: {
      external_id: externalId === undefined ? [] : [externalId],
      user_name: [userName.toLowerCase()],
      email: [...new Set([...emails, email].map((text) => text.toLowerCase()))],
    },
    position: Number(id.slice(1)),
  }
}

const listed = ({ account_id: id, external_id, user_name, email }: NaiveAccount): ListedAccount => ({
  id,
  keys: {
    external_id: external_id ?? undefined,
    user_name: user_name?.toLowerCase(),
    email: email?.toLowerCase(),
  },
})

/** A store in memory, which reads at most so many users who share a value. */
function partsOf(accounts: readonly NaiveAccount[], users: readonly NaiveUser[], shown = 10): PlanParts {
  const all = accounts.map(listed).sort((a, b) => (a.id < b.id ? -1 : 1))
  const everybody = users.map(matched)
  const has = (user: MatchedUser, key: MatchKey | 'account_id', value: string) =>
    key === 'account_id' ? user.accountId === value : user.keys[key].includes(value)
  return {
    slices: createTimeSlices(),
    store: {
      accountsAfter: async (_, after, limit) =>
        all
          .filter(({ id }) => id > after)
          .slice(0, limit)
          .map((account) => ({ ...account, userId: undefined })),
      accountsByKey: async (_, key, values) => values.map((value) => all.filter(({ keys }) => keys[key] === value)),
      usersAfter: async (_, after, limit) => everybody.filter(({ position }) => position > after).slice(0, limit),
      usersByKey: async (_, key, values) =>
        values.map((value) => everybody.filter((user) => has(user, key, value)).slice(0, shown)),
    },
  }
}

const sourceOf = (allowed: readonly string[]): PlanSource => ({
  directory: { id: 'd', tenant: 'acme', domains: { allowed, outside: 'flag' } },
  list: { directoryId: 'd', list: 1 },
})

/** The whole plan: its entries, and its version. */
async function planOf(
  accounts: readonly NaiveAccount[],
  users: readonly NaiveUser[],
  allowed: readonly string[] = [],
  shown?: number,
) {
  const [parts, source] = [partsOf(accounts, users, shown), sourceOf(allowed)]
  const read = [
    ...(await Array.fromAsync(planAccounts(parts, source, ''))),
    ...(await Array.fromAsync(planUsers(parts, source, 0))),
  ]
  const entries = read.flatMap((part) => part.entries.map(({ entry }) => entry))
  const version = createPlanVersion()
  for (const entry of entries) if (entry.kind === 'link') version.add(entry.account_id, entry.user.id)
  return { entries, version: version.text() }
}

const text = (...values: readonly string[]) => fc.constantFrom(...values)
const address = text('a@acme.com', 'A@Acme.com', 'b@acme.com', 'c@other.com', 'C@OTHER.com', 'd@other.com')
const name = fc.oneof(address, text('ann', 'Ann', 'bob', 'cid'))
const externalId = text('1', '2', '3')
const accountIds = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']
const somebody = fc.record({
  userName: name,
  externalId: fc.option(externalId, { nil: undefined }),
  emails: fc.array(address, { maxLength: 2 }),
  accountId: fc.option(text(...accountIds, 'k9'), { nil: undefined, freq: 3 }),
})

/** Users whose userNames, and accounts, are their own, as in a directory. */
const someUsers = fc
  .uniqueArray(somebody, { maxLength: 6, selector: ({ userName }) => userName.toLowerCase() })
  .map((users) => {
    const taken = new Set<string>()
    return users.map(({ accountId, ...user }, index): NaiveUser => {
      const isFree = accountId !== undefined && !taken.has(accountId)
      if (accountId !== undefined) taken.add(accountId)
      return { id: `u${index + 1}`, ...user, accountId: isFree ? accountId : undefined }
    })
  })
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })
const someAccounts = fc.uniqueArray(
  fc.record({
    account_id: text(...accountIds),
    external_id: optional(externalId),
    user_name: optional(name),
    email: optional(address),
  }),
  { maxLength: 6, selector: ({ account_id }) => account_id },
)
const someDomains = text('', 'acme.com', 'other.com').map((domain) => (domain === '' ? [] : [domain]))

/** Entries to compare; of conflicts of many users, only some are read. */
const compared = (entries: readonly NaiveEntry[], isShort: boolean) =>
  inOrder(entries.map((entry) => (isShort && entry.kind === 'conflict' ? { ...entry, users: [] } : entry)))

test('a plan is that of comparing every account with every user', async () => {
  await fc.assert(
    fc.asyncProperty(someAccounts, someUsers, someDomains, fc.boolean(), async (accounts, users, domains, isShort) => {
      const { entries } = await planOf(accounts, users, domains, isShort ? 2 : 10)
      const expected = naivePlan(accounts, users, domains)
      assert.deepEqual(compared(entries.map(naiveEntry), isShort), compared(expected, isShort))
    }),
    { numRuns: 200 },
  )
})

test('nobody in a conflict is linked, and nobody is linked twice', async () => {
  await fc.assert(
    fc.asyncProperty(someAccounts, someUsers, someDomains, async (accounts, users, domains) => {
      const entries = (await planOf(accounts, users, domains)).entries.map(naiveEntry)
      const idsIn = (wanted: string) =>
        entries.flatMap((entry) => (entry.kind === wanted ? [...entry.accounts, ...entry.users] : []))
      const linked = idsIn('link')
      assert.equal(new Set(linked).size, linked.length)
      assert.deepEqual(
        idsIn('conflict').filter((id) => linked.includes(id)),
        [],
      )
    }),
    { numRuns: 200 },
  )
})

test('no account is linked by an address of another domain where the domains are limited', async () => {
  await fc.assert(
    fc.asyncProperty(someAccounts, someUsers, async (accounts, users) => {
      const { entries } = await planOf(accounts, users, ['acme.com'])
      for (const entry of entries) {
        if (entry.kind !== 'link' || entry.by === 'external_id') continue
        const value = accounts.find(({ account_id }) => account_id === entry.account_id)?.[entry.by] ?? ''
        assert.ok(!value.includes('@') || value.toLowerCase().endsWith('@acme.com'), value)
      }
    }),
    { numRuns: 200 },
  )
})

test('two plans have the same version exactly if they have the same links', async () => {
  await fc.assert(
    fc.asyncProperty(someAccounts, someUsers, someAccounts, async (accounts, users, others) => {
      const plans = [await planOf(accounts, users), await planOf([...others].reverse(), users)]
      const [first, second] = plans.map(({ entries }) =>
        inOrder(entries.map(naiveEntry).filter(({ kind }) => kind === 'link')),
      )
      assert.equal(plans[0]?.version === plans[1]?.version, JSON.stringify(first) === JSON.stringify(second))
    }),
    { numRuns: 200 },
  )
})

test('the pages of a plan have each of its entries once, those of a kind or all', async () => {
  const kinds = [undefined, 'linked', 'link', 'create', 'unmatched', 'conflict'] as const
  const anyPages = fc.tuple(someAccounts, someUsers, fc.constantFrom(...kinds), fc.integer({ min: 1, max: 3 }))
  await fc.assert(
    fc.asyncProperty(anyPages, async ([accounts, users, kind, pageLimit]) => {
      const [parts, source] = [partsOf(accounts, users), sourceOf([])]
      const whole = (await planOf(accounts, users)).entries
      const found: unknown[] = []
      let pageToken: string | undefined
      do {
        const query = { pageLimit, ...(kind && { kind }), ...(pageToken && { pageToken }) }
        const page = await readPlanPage(parts, source, query)
        const total = Object.values(page.counts).reduce((sum, count) => sum + count, 0)
        assert.equal(total, whole.length)
        found.push(...page.rows)
        pageToken = page.pageToken
      } while (pageToken !== undefined)
      assert.deepEqual(
        found,
        whole.filter((entry) => kind === undefined || entry.kind === kind),
      )
    }),
    { numRuns: 100 },
  )
})
