import type { Group } from '../../directory/group.ts'
import { changedTerms, groupTexts } from '../../directory/search-terms.ts'
import type { OwnedTerms } from '../search-terms.ts'
import type { Statement } from './database.ts'
import type { Columns, RowOf } from './named-statement.ts'
import { namedStatement } from './named-statement.ts'

/** The columns of a term of a user or group, and those of its key. */
export const termKeyColumns = { resource_id: 'text', term: 'text' } as const satisfies Columns
export const termRowColumns = { ...termKeyColumns, shared: 'int4', is_whole: 'int4' } as const satisfies Columns

/** The keys of the terms of users or groups. */
export function termKeys(owners: readonly OwnedTerms[]): RowOf<typeof termKeyColumns>[] {
  return owners.flatMap(({ id, terms }) => terms.map(({ term }) => ({ resource_id: id, term })))
}

/** The rows of the terms of users or groups. */
export function termRows(owners: readonly OwnedTerms[]): RowOf<typeof termRowColumns>[] {
  return owners.flatMap(({ id, terms }) =>
    terms.map(({ term, shared, isWhole }) => ({ resource_id: id, term, shared, is_whole: Number(isWhole) })),
  )
}

/** The columns of a row of `search_terms`. */
export const searchTermColumns = 'product, kind, directory_id, resource_id, term, shared, is_whole'

/** Overwrites the terms that a resource has, as their other columns depend on the other terms. */
export const overTerms = `on conflict (product, kind, term, directory_id, resource_id)
    do update set shared = excluded.shared, is_whole = excluded.is_whole`

const writeStatement = namedStatement(
  { directoryId: 'text', product: 'text', kind: 'text', terms: termRowColumns },
  `
  insert into search_terms (${searchTermColumns})
  select :product, :kind, :directoryId, t.*
  from unnest(:terms.resource_id, :terms.term, :terms.shared, :terms.is_whole) as t
  ${overTerms}`,
)

/**
 * Deletes terms of a kind, in a named statement with the parameters `directoryId` and `product`. Each row is found by its whole key, then
 * deleted where it is: in a join, the planner may look through all terms of the product instead.
 *
 * @param keys a query for the columns `resource_id` and `term`
 */
export function deleteTerms(kind: string, keys: string): string {
  return `
    delete from search_terms d where d.directory_id is not distinct from :directoryId and d.ctid = any(array(
      select t.ctid from (${keys}) k cross join lateral (
        select t.ctid from search_terms t
        where t.product = :product and t.kind = ${kind} and t.term = k.term and t.directory_id = :directoryId
          and t.resource_id = k.resource_id
        order by t.product, t.kind, t.term, t.directory_id, t.resource_id limit 1
      ) t
    ))`
}

const removeStatement = namedStatement(
  { directoryId: 'text', product: 'text', kind: 'text', terms: termKeyColumns },
  deleteTerms(':kind', 'select * from unnest(:terms.resource_id, :terms.term) as r (resource_id, term)'),
)

/** The directory, and the kind of the resources whose terms are written. */
export interface TermsOf {
  readonly directoryId: string
  readonly product: string
  readonly kind: 'user' | 'group' | 'directory'
}

/** The statement that writes terms; none when there are none. */
export function writeTerms(of: TermsOf, owners: readonly OwnedTerms[]): Statement[] {
  const terms = termRows(owners)
  return terms.length === 0 ? [] : [writeStatement({ ...of, terms })]
}

/** The statement that removes terms; none when there are none. */
export function removeTerms(of: TermsOf, owners: readonly OwnedTerms[]): Statement[] {
  const terms = termKeys(owners)
  return terms.length === 0 ? [] : [removeStatement({ ...of, terms })]
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
