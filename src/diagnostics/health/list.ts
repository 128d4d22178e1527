import type { Directory } from '../../directory/directory.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectorySearchInput, totalField } from '../../directory/inputs.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { directoryTypes } from '../../directory/provider.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/page.ts'
import { isOneOf, isText, isWhole, pageTokens } from '../../reads/page.ts'
import { pagingOf, parseQuery } from '../../reads/paging.ts'
import type { HealthFactParts, KnownHealth } from './facts.ts'
import { readHealth } from './facts.ts'
import type { HealthFilter, HealthListPart, HealthListStore, HealthOrder, HealthPosition } from './list-store.ts'
import { healthOrders } from './list-store.ts'
import { severitiesOf, severitiesWith } from './severity.ts'
import { healthReasonCodes, healthStates } from './state.ts'
import { healthView } from './view.ts'

/** The number of directories that one read of a stream has. */
const directoriesPerRead = 100

const flag = (field: string) => Type.Optional(Type.Enum(['true', 'false'], { description: `${field}: true or false.` }))

/** The maximum number of directories of a list that are counted. */
const maxCountedListed = 100_000

/** The directories to list, and the conditions on them. */
export const HealthListInput = Type.Object({
  ...DirectorySearchInput.properties,
  state: Type.Optional(Type.Enum(healthStates, { description: `state: one of ${healthStates.join(', ')}.` })),
  type: Type.Optional(
    Type.Unsafe<DirectoryType>({
      type: 'string',
      enum: directoryTypes,
      description: `type: one of ${directoryTypes.join(', ')}.`,
    }),
  ),
  reason: Type.Optional(
    Type.Enum(healthReasonCodes, { description: `reason: the worst reason, one of ${healthReasonCodes.join(', ')}.` }),
  ),
  held: flag('held'),
  overdue: flag('overdue'),
  deactivated: flag('deactivated'),
  sort: Type.Optional(
    Type.Enum(healthOrders, {
      description:
        'sort: created (the order of creation, the default), worst (the worst state first), name, or changed (the last event first, accurate to a minute).',
    }),
  ),
  total: totalField,
})

export interface HealthListParts extends HealthFactParts {
  readonly store: HealthFactParts['store'] &
    Pick<HealthListStore, 'listHealth' | 'countListed'> &
    Pick<DirectoryRecords, 'getDirectories'>
}

/** The health of a directory in a list, with the fields that name the directory. */
export type ListedHealth = ReturnType<typeof listedView>

/**
 * The health of the directories of a scope: a page, or a stream of all of them.
 *
 * @throws DirectoryError `invalid-input`
 */
export async function listHealth(
  parts: HealthListParts,
  query: unknown,
  refresh: () => Promise<unknown>,
): Promise<Listing> {
  const { sort: order = 'created', ...fields } = parseQuery(HealthListInput, query)
  const paging = pagingOf(fields)
  const tokens = tokensOf(order)
  const after = tokens.read(paging?.token)
  await refresh()
  const filter = filterOf(fields)
  if (paging === undefined) return { rows: readAll(parts, filter, order) }
  const { offset, limit } = paging
  const { views, next } = await readPart(parts, filter, { after, offset, order, limit })
  return {
    rows: views.map((view) => JSON.stringify(view)),
    pageToken: next && tokens.write({ order, ...next }),
    total: fields.total === 'true' ? await parts.store.countListed(filter, maxCountedListed) : undefined,
  }
}

function filterOf(fields: Static<typeof HealthListInput>): HealthFilter {
  const { tenant, product, directoryId, search, state, reason, type, held, overdue, deactivated } = fields
  return {
    ...{ tenant, product, directoryId, search, type },
    severities: state && severitiesOf(state),
    severityOneOf: reason && severitiesWith(reason),
    isHeld: booleanOf(held),
    isOverdue: booleanOf(overdue),
    isDeactivated: booleanOf(deactivated),
  }
}

function booleanOf(flag: 'true' | 'false' | undefined): boolean | undefined {
  return flag === undefined ? undefined : flag === 'true'
}

/** A token says the order of its list, and is valid for no other. */
function tokensOf(order: HealthOrder) {
  const isValue = order === 'name' ? isText : isWhole
  return pageTokens<HealthPosition & { readonly order: HealthOrder }>({
    order: isOneOf([order]),
    value: isValue,
    id: isText,
  })
}

async function* readAll(parts: HealthListParts, filter: HealthFilter, order: HealthOrder) {
  let after: HealthPosition | undefined
  do {
    const read = await readPart(parts, filter, { order, after, limit: directoriesPerRead })
    yield read.views.map((view) => JSON.stringify(view))
    after = read.next
  } while (after !== undefined)
}

/** The views of a part of the directories, and the position to continue after unless the list ends here. */
async function readPart(
  parts: HealthListParts,
  filter: HealthFilter,
  part: HealthListPart,
): Promise<{ readonly views: ListedHealth[]; readonly next: HealthPosition | undefined }> {
  const found = await parts.store.listHealth(filter, { ...part, limit: part.limit + 1 })
  const positions = found.slice(0, part.limit)
  return { views: await listedHealth(parts, positions), next: found.length > part.limit ? positions.at(-1) : undefined }
}

/** The views of directories, in this order. */
export async function listedHealth(
  parts: Omit<HealthListParts, 'store'> & {
    readonly store: Omit<HealthListParts['store'], 'listHealth' | 'countListed'>
  },
  positions: readonly Pick<HealthPosition, 'id'>[],
): Promise<ListedHealth[]> {
  const views: ListedHealth[] = []
  for (let start = 0; start < positions.length; start += directoriesPerRead) {
    const ids = positions.slice(start, start + directoriesPerRead).map(({ id }) => id)
    const found = await parts.store.getDirectories(ids)
    const directories = ids.map((id) => found.get(id)).filter((one): one is Directory => one !== undefined)
    views.push(...(await readHealth(parts, directories)).map(listedView))
  }
  return views
}

function listedView({ directory: { id, name, tenant, product, directoryType }, facts }: KnownHealth) {
  return { directory_id: id, name, tenant, product, type: directoryType, ...healthView(facts) }
}
