import type { Group } from '../../directory/group.ts'
import type { SearchTerm } from '../../directory/search-terms.ts'
import { changedTerms, groupTexts } from '../../directory/search-terms.ts'
import type { OwnedTerms } from '../search-terms.ts'
import { listNumber } from '../search-terms.ts'
import type { Statement } from './database.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement } from './named-statement.ts'
import { rowBy } from './sql.ts'

/** The bits of a row key of search terms that are the sequence number of the row; before them is the directory's number. */
export const sequenceBits = 36

/** The row key of a sequence number in the directory `$1`. Directories themselves have that of 0. */
export function rowKeyOf(sequence: string): string {
  return `((select number from directories where id = $1) << ${sequenceBits}) + ${sequence}`
}

/** The condition that a term belongs to a directory itself, as the index on these has it. */
export const isOfDirectory = `row_key % ${2 ** sequenceBits} = 0`

/** The columns of the key of a term, and those of a term. The owner is the number of a row of the statement; the first is 1. */
const termKeyColumns = { owner: 'int4', term: 'text' } as const satisfies Columns
const termRowColumns = { ...termKeyColumns, shared: 'int4' } as const satisfies Columns

/** The keys of the terms of each owner. */
function termKeys(owners: readonly (readonly SearchTerm[])[]): RowOf<typeof termKeyColumns>[] {
  return owners.flatMap((terms, index) => terms.map(({ term }) => ({ owner: index + 1, term })))
}

/** The rows of the terms of each owner. */
function termRows(owners: readonly (readonly SearchTerm[])[]): RowOf<typeof termRowColumns>[] {
  return owners.flatMap((terms, index) => terms.map(({ term, shared }) => ({ owner: index + 1, term, shared })))
}

/**
 * Inserts terms, in a statement that has the parameter `list`.
 *
 * @param parameter the name of the parameter with the rows
 * @param from where the owners are, with their number `n` and the `sequence` of their row
 */
function insertTerms(parameter: string, from: string): string {
  const columns = ['owner', 'term', 'shared'].map((column) => `:${parameter}.${column}`).join(', ')
  return `
    insert into search_terms (list, row_key, term, shared)
    select :list, ${rowKeyOf('o.sequence')}, t.term, t.shared
    from unnest(${columns}) as t (owner, term, shared) join (${from}) o on o.n = t.owner`
}

/** Overwrites the terms that a resource has: what they share depends on the other terms. */
export const overTerms = 'on conflict (list, term, row_key) do update set shared = excluded.shared'

/**
 * Deletes terms, in a statement that has the parameter `list`. Each row is found by its whole key, then deleted where it is: in a
 * join, the planner may look through all terms of the list instead.
 *
 * @param parameter the name of the parameter with the keys
 * @param from as for `insertTerms`
 */
function deleteTerms(parameter: string, from: string): string {
  return `
    delete from search_terms d where d.ctid = any(array(
      select t.ctid
      from (
        select ${rowKeyOf('o.sequence')} as row_key, k.term
        from unnest(:${parameter}.owner, :${parameter}.term) as k (owner, term) join (${from}) o on o.n = k.owner
      ) k
      cross join lateral (
        select t.ctid from search_terms t where t.list = :list and t.term = k.term and t.row_key = k.row_key
        order by t.list, t.term, t.row_key limit 1
      ) t
    ))`
}

/** The statements that change the terms of users or groups which are stored. */
function statementsFor(table: 'users' | 'groups') {
  const stored = `
    select o.n, r.sequence from unnest(:owners.id) with ordinality as o (id, n) ${rowBy(table, 'r', 'id', 'o.id', 'r.sequence')}`
  const parameters = { directoryId: 'text', list: 'int8', owners: { id: 'text' } } as const
  return {
    write: namedStatement(
      { ...parameters, terms: termRowColumns },
      `${insertTerms('terms', stored)}
    ${overTerms}`,
    ),
    remove: namedStatement({ ...parameters, terms: termKeyColumns }, deleteTerms('terms', stored)),
  }
}

const statements = { user: statementsFor('users'), group: statementsFor('groups') }

/** The directory, and the kind of the resources whose terms are written. */
export interface TermsOf {
  readonly directoryId: string
  readonly product: string
  readonly kind: 'user' | 'group'
}

/** The statement that writes terms of stored resources; none when there are none. */
function writeTerms(of: TermsOf, owners: readonly OwnedTerms[]): Statement[] {
  const terms = termRows(owners.map((owner) => owner.terms))
  return terms.length === 0 ? [] : [statements[of.kind].write({ ...ownersIn(of, owners), terms })]
}

/** The statement that removes terms of stored resources; none when there are none. */
function removeTerms(of: TermsOf, owners: readonly OwnedTerms[]): Statement[] {
  const terms = termKeys(owners.map((owner) => owner.terms))
  return terms.length === 0 ? [] : [statements[of.kind].remove({ ...ownersIn(of, owners), terms })]
}

function ownersIn({ directoryId, product, kind }: TermsOf, owners: readonly OwnedTerms[]) {
  return { directoryId, list: listNumber(product, kind), owners: owners.map(({ id }) => ({ id })) }
}

/** A group that is written as a whole. */
export interface WrittenGroup {
  readonly before: Group | undefined
  readonly after: Group
}

/** The statements that write how the terms of groups differ. */
export function changeGroupTerms(
  { id: directoryId, product }: { readonly id: string; readonly product: string },
  groups: readonly WrittenGroup[],
): Statement[] {
  const of = { directoryId, product, kind: 'group' } as const
  const changes = groups.map(({ before, after }) => {
    const changed = changedTerms(before && groupTexts(before), groupTexts(after))
    return { id: after.id, ...changed }
  })
  return [
    ...removeTerms(
      of,
      changes.map(({ id, removed }) => ({ id, terms: removed })),
    ),
    ...writeTerms(
      of,
      changes.map(({ id, written }) => ({ id, terms: written })),
    ),
  ]
}
