import type { Adoption, AdoptionList, AdoptionStore, RefusedAccount } from '../adoption/adoption-store.ts'
import type { ListedAccount } from '../adoption/match.ts'
import { matchKeys } from '../adoption/match.ts'
import type { AccountLink } from '../directory/account-links.ts'
import { linkBatch } from './account-links.ts'
import { createAdoptionReads } from './adoption-reads.ts'
import { auditStatements, withAuditHead } from './audit-chain.ts'
import { decodeHold, endHolds, holdsRead } from './holds.ts'
import { createRemoveStep } from './remove-rows.ts'
import type { Row } from './row.ts'
import { integer, oneOf, optionalText, text } from './row.ts'
import type { Conclusion, Dialect, SqlDatabase, Statement } from './sql-database.ts'
import { decodeDuePage } from './streams.ts'
import type { Batch, Commit } from './write/batch.ts'
import { followedBy } from './write/batch.ts'
import { WriteCollection } from './write/writes.ts'

/** Each write to the directory waits for one step at most. */
const linksPerStep = 300

/** Lists come and go under this lock. */
const lock = 'select revision from directory_state where directory_id = $1 and revision >= 0 for update'
const present = `
  select directory_id, list, state, accounts, sent_at, version, links, passed from adoptions where directory_id = $1`

/** A list, with the last user who was linked to one of its accounts. */
interface StoredAdoption extends Adoption {
  readonly passed: string
}

function decodeAdoption(row: Row): StoredAdoption {
  return {
    directoryId: text(row, 'directory_id'),
    list: integer(row, 'list'),
    state: oneOf(row, 'state', ['ready', 'applying']),
    accounts: integer(row, 'accounts'),
    sentAt: integer(row, 'sent_at'),
    version: optionalText(row, 'version'),
    links: integer(row, 'links'),
    passed: text(row, 'passed'),
  }
}

const begin = `
  insert into adoption_uploads (directory_id, list, abandoned) values ($1, $2, 0) on conflict do nothing returning list`
const open = `
  select list from adoption_uploads where directory_id = $1 and list = $2 and abandoned = 0 for update`
const add = ({ elementsOf }: Dialect) => `
  insert into adoption_accounts (directory_id, list, account_id, external_id, user_name, email)
  select $1, cast($2 as bigint), j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3
  from ${elementsOf('$3', 'j')} where true on conflict do nothing returning account_id`
const finish = `
  insert into adoptions (directory_id, list, state, accounts, sent_at, links, passed) values ($1, $2, 'ready', $3, $4, 0, '')
  on conflict (directory_id) do update set list = excluded.list, state = excluded.state, accounts = excluded.accounts,
    sent_at = excluded.sent_at, links = 0, passed = '', version = null, marked_by = null`
const close = 'delete from adoption_uploads where directory_id = $1 and list = $2'
const forget = 'delete from adoptions where directory_id = $1 and list = $2'
const abandonFormer = 'insert into adoption_uploads (directory_id, list, abandoned) values ($1, $2, 1)'
const abandon = 'update adoption_uploads set abandoned = 1 where directory_id = $1 and list = $2'
const nextAbandoned = `
  select u.list from adoption_uploads u where u.directory_id = $1 and u.abandoned = 1 order by u.directory_id limit 1`

const oldLists = `select directory_id, list from adoptions where state = 'ready' and sent_at < $1 order by sent_at limit $2`
const oldUploads =
  'select directory_id, list from adoption_uploads where abandoned = 0 and list < $1 order by list limit $2'

const beginMarks = `
  update adoptions set marked_by = $3 where directory_id = $1 and list = $2 and state = 'ready' returning list`
const isMarking = `
  select list from adoptions where directory_id = $1 and list = $2 and marked_by = $3 and state = 'ready' for update`
const mark = 'update adoption_accounts set user_id = $4 where directory_id = $1 and list = $2 and account_id = $3'
const apply = `update adoptions set state = 'applying', version = $3, links = $4 where directory_id = $1 and list = $2`
const nextLinks = `
  select a.account_id, a.user_id from adoption_accounts a
  where a.directory_id = $1 and a.list = $2 and a.user_id is not null and a.user_id > $3 order by a.user_id limit $4`
const progress = 'update adoptions set passed = $3 where directory_id = $1 and list = $2'

/** The directories with rows of a table that meet a condition. */
const directoriesWith = (table: string, condition: string) => `
  select * from (
    select distinct t.directory_id as id from ${table} t
    where ${condition} and t.directory_id > $1 and (select d.deleted from directories d where d.id = t.directory_id) = 0
    order by t.directory_id limit $2) ${table}`
const work = `
  select w.id, (select d.tenant from directories d where d.id = w.id) as tenant
  from (${directoriesWith('adoptions', `t.state = 'applying'`)} union ${directoriesWith('adoption_uploads', 't.abandoned = 1')}) w
  order by w.id limit $2`

/** Lists of accounts that directories adopt. All lists but that in `adoptions` are uploads: under way, or abandoned. */
export function createAdoptionStore(database: SqlDatabase, commit: Commit): AdoptionStore {
  const { query, atomically, transaction, dialect } = database
  const reads = createAdoptionReads(database)
  const adding = add(dialect)
  const removeStep = createRemoveStep(database, {
    ...{ table: 'adoption_accounts', of: ['directory_id', 'list'], key: ['account_id'] },
  })
  const find = async (directoryId: string) => {
    const [row] = await query({ text: present, values: [directoryId] })
    return row && decodeAdoption(row)
  }

  /** Runs statements under the lock of the directory, with its list. */
  function change<T>(
    directoryId: string,
    decide: (list: StoredAdoption | undefined, rows: Row[][]) => Conclusion<T>,
    further: readonly Statement[] = [],
  ): Promise<T> {
    const first = [lock, present].map((statement) => ({ text: statement, values: [directoryId] }))
    return transaction([...first, ...further], (rows) => {
      const [, [row] = []] = rows
      return decide(row && decodeAdoption(row), rows)
    })
  }

  /** Forgets a list, or whichever there is. */
  function forgetList(directoryId: string, list?: number) {
    return change<boolean | 'applying'>(directoryId, (known) => {
      if (known === undefined || known.list !== (list ?? known.list)) return { statements: [], answer: false }
      if (known.state === 'applying') return { statements: [], answer: 'applying' }
      return { statements: forgetting(known), answer: true }
    })
  }

  const abandonUpload = async ({ directoryId, list }: AdoptionList) => {
    await atomically([{ text: abandon, values: [directoryId, list] }])
  }

  return {
    ...reads,
    getAdoption: find,
    beginAdoptionList: (directoryId, now) =>
      change(directoryId, (known, [locked = []]): Conclusion<AdoptionList | 'applying' | 'busy'> => {
        if (known?.state === 'applying') return { statements: [], answer: 'applying' }
        if (locked.length === 0) return { statements: [], answer: 'busy' }
        const list = Math.max(now, (known?.list ?? 0) + 1)
        return {
          statements: [{ text: begin, values: [directoryId, list] }],
          next: ([begun = []]) => ({ statements: [], answer: begun.length === 0 ? 'busy' : { directoryId, list } }),
        }
      }),
    async addAdoptionAccounts({ directoryId, list }, accounts) {
      const values = [directoryId, list]
      const rows = accounts.map(({ accountId, keys }) => [accountId, ...matchKeys.map((key) => keys[key] ?? null)])
      const added = await transaction(
        [{ text: open, values }],
        ([found = []]): Conclusion<RefusedAccount | 'gone' | undefined> => {
          if (found.length === 0) return { statements: [], answer: 'gone' }
          return {
            statements: [{ text: adding, values: [...values, JSON.stringify(rows)] }],
            next: ([stored = []]) => ({ statements: [], answer: repeated(accounts, stored) }),
          }
        },
      )
      return added ?? reads.sharedTooOften({ directoryId, list }, accounts)
    },
    finishAdoptionList: ({ directoryId, list }, accounts, now) => {
      const values = [directoryId, list]
      const decide = (known: StoredAdoption | undefined, rows: Row[][]): Conclusion<'stored' | 'applying' | 'gone'> => {
        if (known?.state === 'applying') return { statements: [], answer: 'applying' }
        if (rows.at(-1)?.length === 0) return { statements: [], answer: 'gone' }
        const statements = [
          ...(known === undefined ? [] : forgetting(known)),
          { text: finish, values: [...values, accounts, now] },
          { text: close, values },
        ]
        return { statements, answer: 'stored' }
      }
      return change(directoryId, decide, [{ text: open, values }])
    },
    abandonAdoptionList: abandonUpload,
    forgetAdoption: forgetList,
    async pruneAdoptions(sentBefore, begunBefore, limit) {
      const [lists, uploads] = await Promise.all([
        query({ text: oldLists, values: [sentBefore, limit] }),
        query({ text: oldUploads, values: [begunBefore, limit] }),
      ])
      for (const row of lists) await forgetList(text(row, 'directory_id'), integer(row, 'list'))
      for (const row of uploads)
        await abandonUpload({ directoryId: text(row, 'directory_id'), list: integer(row, 'list') })
      return Math.max(lists.length, uploads.length)
    },
    async beginAdoptionMarks({ directoryId, list }, marker) {
      const [rows] = await atomically([{ text: beginMarks, values: [directoryId, list, marker] }])
      return rows?.length === 1
    },
    markAdoption: ({ directoryId, list }, marker, marks) =>
      transaction([{ text: isMarking, values: [directoryId, list, marker] }], ([found = []]) => {
        if (found.length === 0) return { statements: [], answer: false }
        const statements = marks.map(({ accountId, userId = null }) => {
          return { text: mark, values: [directoryId, list, accountId, userId] }
        })
        return { statements, answer: true }
      }),
    beginAdoption({ directoryId, list }, marker, { version, links }, audit) {
      const marking = { text: isMarking, values: [directoryId, list, marker] }
      const decide = (_: unknown, rows: Row[][]): Conclusion<boolean> => {
        const [, , found = []] = rows
        if (found.length === 0) return { statements: [], answer: false }
        const applying = { text: apply, values: [directoryId, list, version, links] }
        return { statements: [applying, ...auditStatements(rows, audit)], answer: true }
      }
      return change(directoryId, decide, withAuditHead([marking], audit))
    },
    listAdoptionWork: async (after, limit) => decodeDuePage(await query({ text: work, values: [after, limit] }), limit),
    async stepAdoption(directoryId) {
      const adoption = await find(directoryId)
      if (adoption?.state === 'applying') {
        const rows = await query({
          text: nextLinks,
          values: [directoryId, adoption.list, adoption.passed, linksPerStep],
        })
        const links = rows.map((row) => ({ userId: text(row, 'user_id'), accountId: text(row, 'account_id') }))
        await commit(linkStep(adoption, links, dialect.now))
        return 'linked'
      }
      const [upload] = await query({ text: nextAbandoned, values: [directoryId] })
      if (upload === undefined) return 'idle'
      const list = integer(upload, 'list')
      if (!(await removeStep([directoryId, list]))) await atomically([{ text: close, values: [directoryId, list] }])
      return 'removed'
    },
  }
}

function forgetting({ directoryId, list }: AdoptionList): Statement[] {
  const values = [directoryId, list]
  return [
    { text: forget, values },
    { text: abandonFormer, values },
  ]
}

/** The first account that was not stored, because the list has another one with its id. */
function repeated(accounts: readonly ListedAccount[], stored: readonly Row[]): RefusedAccount | undefined {
  const ids = new Set(stored.map((row) => text(row, 'account_id')))
  const index = accounts.findIndex(({ accountId }) => !ids.delete(accountId))
  return index === -1 ? undefined : { index, key: 'account_id' }
}

/** Links some users, unless another process has done so; the last ones with the end of the list, and of the hold that waits for it. */
function linkStep(adoption: StoredAdoption, links: readonly AccountLink[], now: string): Batch<void> {
  const { directoryId, list, passed } = adoption
  const last = links.length < linksPerStep ? undefined : links.at(-1)?.userId
  const nothing = { answer: () => undefined }
  return {
    directory: { id: directoryId },
    request: {
      reads: {
        adoption: { text: present, values: [directoryId] },
        ...(last === undefined && { holds: holdsRead(directoryId) }),
      },
    },
    decide({ rows }) {
      const writes = new WriteCollection()
      const [known] = (rows['adoption'] ?? []).map(decodeAdoption)
      if (known?.state !== 'applying' || known.list !== list || known.passed !== passed) return { writes, ...nothing }
      if (last === undefined) writes.run(...forgetting(adoption), ...endOfHold(directoryId, rows['holds'] ?? [], now))
      else writes.run({ text: progress, values: [directoryId, list, last] })
      return { writes, next: followedBy(linkBatch(directoryId, links, undefined), () => nothing) }
    },
  }
}

/** The statements that end the hold for the adoption, unless a discard has removed some of its events. */
function endOfHold(directoryId: string, rows: readonly Row[], now: string): Statement[] {
  const holds = rows.map(decodeHold)
  const ended = holds.filter(({ reason, isDiscarding }) => reason === 'adoption' && isDiscarding !== true)
  const remaining = holds.filter((hold) => !ended.includes(hold))
  return ended.length === 0 ? [] : endHolds(directoryId, { ended, remaining }, now)
}
