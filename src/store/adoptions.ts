import type { Adoption, AdoptionStore, RefusedAccount } from '../adoption/adoption-store.ts'
import { matchKeys } from '../adoption/match.ts'
import type { AccountLink } from '../directory/account-links.ts'
import { maxLinksAtOnce } from '../directory/account-links.ts'
import { linkBatch } from './account-links.ts'
import { createAdoptionReads } from './adoption-reads.ts'
import { writeAudited } from './audit-chain.ts'
import { decodeHold, endHolds, holdsRead } from './holds.ts'
import { createRemoveStep } from './remove-rows.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'
import type { Conclusion, Dialect, SqlDatabase } from './sql-database.ts'
import { decodeDuePage } from './streams.ts'
import type { Batch, Commit } from './write/batch.ts'
import { followedBy } from './write/batch.ts'
import { WriteCollection } from './write/writes.ts'

/** A list takes the place of another under this lock. */
const lock = 'select directory_id from directory_state where directory_id = $1 for update'
const columns = 'a.directory_id, a.list, a.state, a.accounts, a.sent_at, a.version, a.links, a.passed'
const present = `select ${columns} from adoptions a where a.directory_id = $1 and a.state in ('ready', 'applying')`
const last = 'select a.list from adoptions a where a.directory_id = $1 order by a.list desc limit 1'
const isList = 'directory_id = $1 and list = $2'

const begin = `
  insert into adoptions (directory_id, list, state, accounts, sent_at, links, passed, work_at) values ($1, $2, 'sending', 0, 0, 0, '', $3)`
const isOpen = `select list from adoptions where ${isList} and state = 'sending' for update`
const finish = `update adoptions set state = 'ready', accounts = $3, sent_at = $4, work_at = $5 where ${isList}`
const forget = `update adoptions set state = 'forgotten', work_at = 0 where ${isList} and state <> 'applying'`
const forgetApplied = `update adoptions set state = 'forgotten' where ${isList}`
const remove = `delete from adoptions where ${isList}`

const beginMarks = `update adoptions set marked_by = $3 where ${isList} and state = 'ready'`
const isMarking = `select list from adoptions where ${isList} and marked_by = $3 and state = 'ready' for update`
const mark = `update adoption_accounts set user_id = $4 where ${isList} and account_id = $3`
const apply = `
  update adoptions set state = 'applying', version = $4, links = $5, work_at = 0
  where ${isList} and marked_by = $3 and state = 'ready' returning list`
const nextLinks = ({ indexedBy }: Dialect) => `
  select a.account_id, a.user_id from adoption_accounts a ${indexedBy('adoption_accounts_by_user')}
  where a.directory_id = $1 and a.list = $2 and a.user_id is not null and a.user_id > $3 order by a.user_id limit $4`
const progress = `update adoptions set passed = $3 where ${isList}`

/** The expression leaves one index to choose. */
const work = `
  select a.directory_id as id, (select d.tenant from directories d where d.id = a.directory_id) as tenant from adoptions a
  where a.work_at >= 0 and a.work_at <= $3 and (a.directory_id || '') > $1 and (select d.deleted from directories d where d.id = a.directory_id) = 0
  group by a.directory_id order by a.directory_id limit $2`
const nextWork = `select ${columns} from adoptions a where a.directory_id = $1 and (a.work_at + 0) <= $2 order by a.list limit 1`

/** A list, with the last user to whom one of its accounts was linked. */
interface StoredList extends Omit<Adoption, 'state'> {
  readonly state: 'sending' | 'ready' | 'applying' | 'forgotten'
  readonly passed: string
}

function decodeList(row: Row): StoredList {
  return {
    ...{ directoryId: text(row, 'directory_id'), list: integer(row, 'list') },
    state: oneOf(row, 'state', ['sending', 'ready', 'applying', 'forgotten']),
    ...{ accounts: integer(row, 'accounts'), sentAt: integer(row, 'sent_at') },
    ...{ version: optionalText(row, 'version'), links: integer(row, 'links'), passed: text(row, 'passed') },
  }
}

/** Lists of accounts that directories adopt. */
export function createAdoptionStore(database: SqlDatabase, commit: Commit): AdoptionStore {
  const { query, atomically, transaction, dialect } = database
  const { sharedTooOften, ...reads } = createAdoptionReads(database)
  const add = `
    insert into adoption_accounts (directory_id, list, account_id, external_id, user_name, email)
    select $1, cast($2 as bigint), j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3
    from ${dialect.elementsOf('$3', 'j')} where true on conflict do nothing returning account_id`
  const linking = nextLinks(dialect)
  const removeStep = createRemoveStep(database, {
    ...{ table: 'adoption_accounts', of: ['directory_id', 'list'], key: ['account_id'] },
  })
  return {
    ...reads,
    async getAdoption(directoryId) {
      const [row] = await query({ text: present, values: [directoryId] })
      return row && { ...decodeList(row), state: oneOf(row, 'state', ['ready', 'applying']) }
    },
    beginAccountList: (directoryId, now, forgetAt) =>
      transaction(
        [lock, last].map((one) => ({ text: one, values: [directoryId] })),
        ([, rows = []]) => {
          const [row] = rows
          const list = Math.max(now, row === undefined ? 0 : integer(row, 'list') + 1)
          const statements = [{ text: begin, values: [directoryId, list, forgetAt] }]
          return { statements, answer: { directoryId, list } }
        },
      ),
    async addAccounts(list, accounts) {
      const values = [list.directoryId, list.list]
      const rows = accounts.map(({ id, keys }) => [id, ...matchKeys.map((key) => keys[key] ?? null)])
      const added = await transaction<RefusedAccount | 'gone' | undefined>(
        [{ text: isOpen, values }],
        ([open = []]) => {
          if (open.length === 0) return { statements: [], answer: 'gone' }
          return {
            statements: [{ text: add, values: [...values, JSON.stringify(rows)] }],
            next([stored = []]) {
              const ids = new Set(stored.map((row) => text(row, 'account_id')))
              const account = accounts.find(({ id }) => !ids.delete(id))
              return { statements: [], answer: account && { account, key: 'account_id' } }
            },
          }
        },
      )
      return added ?? sharedTooOften(list, accounts)
    },
    finishAccountList: ({ directoryId, list }, accounts, now, forgetAt) => {
      const first = [lock, present].map((one) => ({ text: one, values: [directoryId] }))
      return transaction(first, ([, rows = []]): Conclusion<boolean> => {
        const [former] = rows.map(decodeList)
        if (former?.state === 'applying') return { statements: [], answer: false }
        const finishing = { text: finish, values: [directoryId, list, accounts, now, forgetAt] }
        if (former === undefined) return { statements: [finishing], answer: true }
        return { statements: [{ text: forget, values: [directoryId, former.list] }, finishing], answer: true }
      })
    },
    async forgetAccountList({ directoryId, list }) {
      await atomically([{ text: forget, values: [directoryId, list] }])
    },
    async beginMarks({ directoryId, list }, marker) {
      await atomically([{ text: beginMarks, values: [directoryId, list, marker] }])
    },
    markAccounts: ({ directoryId, list }, marker, marks) =>
      transaction([{ text: isMarking, values: [directoryId, list, marker] }], ([found = []]) => {
        const marked = marks.map(({ id, userId = null }) => ({ text: mark, values: [directoryId, list, id, userId] }))
        return found.length === 0 ? { statements: [], answer: false } : { statements: marked, answer: true }
      }),
    async beginAdoption({ directoryId, list }, marker, { version, links }, audit) {
      const values = [directoryId, list, marker, version, links]
      return (await writeAudited(database, { text: apply, values }, audit)).length > 0
    },
    listAdoptionWork: async (after, limit, now) =>
      decodeDuePage(await query({ text: work, values: [after, limit, now] }), limit),
    async stepAdoption(directoryId, now) {
      const [row] = await query({ text: nextWork, values: [directoryId, now] })
      if (row === undefined) return 'idle'
      const adoption = decodeList(row)
      const { list, state, passed } = adoption
      const values = [directoryId, list]
      if (state === 'applying') {
        const rows = await query({ text: linking, values: [...values, passed, maxLinksAtOnce] })
        const links = rows.map((one) => ({ userId: text(one, 'user_id'), accountId: text(one, 'account_id') }))
        await commit(linkStep(adoption, links, dialect.now))
        return 'linked'
      }
      if (state !== 'forgotten') await atomically([{ text: forget, values }])
      else if (!(await removeStep(values))) await atomically([{ text: remove, values }])
      return 'removed'
    },
  }
}

/** Links some users, unless another process has done so; with the last ones the list, and the hold that waits for it, end. */
function linkStep(adoption: StoredList, links: readonly AccountLink[], now: string): Batch<void> {
  const { directoryId, list, passed } = adoption
  const nothing = { answer: () => undefined }
  return {
    directory: { id: directoryId },
    request: { reads: { present: { text: present, values: [directoryId] }, holds: holdsRead(directoryId) } },
    decide({ rows }) {
      const writes = new WriteCollection()
      const [known] = (rows['present'] ?? []).map(decodeList)
      if (known?.state !== 'applying' || known.list !== list || known.passed !== passed) return { writes, ...nothing }
      if (links.length === maxLinksAtOnce)
        writes.run({ text: progress, values: [directoryId, list, links.at(-1)?.userId] })
      else
        writes.run({ text: forgetApplied, values: [directoryId, list] }, ...endOfHold(directoryId, rows['holds'], now))
      return { writes, next: followedBy(linkBatch(directoryId, links, undefined, false), () => nothing) }
    },
  }
}

/** The statements that end the hold for the adoption, unless a discard has removed some of its events. */
function endOfHold(directoryId: string, rows: readonly Row[] = [], now: string) {
  const holds = rows.map(decodeHold)
  const ended = holds.filter(({ reason, isDiscarding }) => reason === 'adoption' && isDiscarding !== true)
  const remaining = holds.filter((hold) => !ended.includes(hold))
  return ended.length === 0 ? [] : endHolds(directoryId, { ended, remaining }, now)
}
