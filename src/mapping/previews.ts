import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart, DirectoryReads, DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { GroupReference } from '../directory/group.ts'
import { parseInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import { readPageToken, writePageToken } from '../reads/page-token.ts'
import { parseTokenPaging } from '../reads/paging.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { CompiledMapping } from './compiled.ts'
import { pageSizeOf } from './compiled.ts'
import type { MappingDocument } from './document.ts'
import type { Evaluation } from './evaluate.ts'
import type { Mapping } from './mapping.ts'
import type { MappingStore, UserToEvaluate } from './mapping-store.ts'
import type { MappingPlace } from './mappings.ts'
import { parseMapping } from './parse.ts'
import type { MappingWarning, PreviewCounts, Shortage, UserChange } from './preview.ts'
import { addTo, groupsNamedBy, noCounts, noteShortages, previewUser, tooFewUsers, warningsOf } from './preview.ts'
import type { GivenMapping, PreviewedMapping } from './previewed-mapping.ts'
import { previewOfDirectory, previewOfProduct } from './previewed-mapping.ts'
import type { ReasonView } from './reasons.ts'
import { reasonViews } from './reasons.ts'

export interface PreviewsParts {
  readonly store: Pick<MappingStore, 'usersToEvaluate' | 'getMapping' | 'listMappingVersions'> &
    Pick<DirectoryRecords, 'getDirectory' | 'listDirectories'> &
    Pick<DirectoryReads, 'getGroups' | 'findGroups'>
  readonly directories: { get(id: string): Promise<Directory> }
  /** The time slices of the process: each page of users takes one. */
  readonly slices: TimeSlices
}

/** The body of a preview. */
export const PreviewInput = Type.Object(
  { mapping: Type.Unknown({ description: 'mapping: an object with attributes and roles.' }) },
  { title: 'PreviewMapping' },
)

/** The changes that a mapping would make. Later pages of `users` leave out the numbers and warnings. */
export interface PreviewView {
  /** The last version of the owner's own mapping; 0 before the first. */
  readonly version: number
  readonly evaluated?: number
  readonly changed?: number
  readonly roles?: Readonly<Record<string, { readonly gain: number; readonly lose: number }>>
  readonly attributes?: Readonly<Record<string, number>>
  readonly warnings?: readonly MappingWarning[]
  readonly users: readonly PreviewedUser[]
}

export interface PreviewedUser {
  readonly directory_id: string
  readonly id: string
  readonly email: string
  readonly before: Evaluation
  readonly after: Evaluation
  readonly because: readonly ReasonView[]
}

export interface PreviewPage {
  readonly preview: PreviewView
  readonly pageToken: string | undefined
}

/** Previews of mappings: every user is evaluated as a run would do it, and nothing is written. */
export type Previews = ReturnType<typeof createPreviews>

export function createPreviews(parts: PreviewsParts) {
  return {
    /**
     * What a mapping would change in a directory, or in the directories of a product that inherit or extend its mapping.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async preview(place: MappingPlace, input: unknown, query: unknown): Promise<PreviewPage> {
      const { mapping: given } = parseInput(PreviewInput, input)
      const parsed = parseMapping(given, 'id' in place ? 'directory' : 'product')
      const { pageLimit = defaultUsers, pageToken } = parseTokenPaging(query)
      const start = pageToken === undefined ? undefined : readPageToken(pageToken, isPosition)
      const stored = await parts.store.getMapping('id' in place ? { directoryId: place.id } : place)
      if (stored === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
      const mapping = await previewedMapping(parts, place, { document: given as MappingDocument, parsed })
      const preview = await evaluateAll(parts, place, mapping, { start, limit: pageLimit })
      const view = { version: stored.lastVersion, ...preview.numbers, users: preview.users }
      return { preview: view, pageToken: preview.next && writePageToken(preview.next) }
    },
  }
}

const defaultUsers = 100

async function previewedMapping(
  { store, directories }: PreviewsParts,
  place: MappingPlace,
  given: GivenMapping,
): Promise<PreviewedMapping> {
  return 'id' in place
    ? previewOfDirectory(store, await directories.get(place.id), given)
    : previewOfProduct(store, given)
}

/** The last user of a page: the directory's creation time and id, and the sequence of the user. */
type Position = readonly [createdAt: number, id: string, sequence: number]

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [createdAt, id, sequence]: unknown[] = value
  return (
    Number.isSafeInteger(createdAt) &&
    typeof id === 'string' &&
    /^[\w-]{1,100}$/.test(id) &&
    Number.isSafeInteger(sequence)
  )
}

interface PartOfPreview {
  readonly start: Position | undefined
  readonly limit: number
}

/** A preview that is being made. */
interface Collected {
  readonly users: PreviewedUser[]
  /** The last user of the page, once a further one follows. */
  next: Position | undefined
  last: Position | undefined
}

/** Evaluates all users; from a position on, only until the page is full. */
async function evaluateAll(
  parts: PreviewsParts,
  place: MappingPlace,
  { mapping, inDirectory }: PreviewedMapping,
  part: PartOfPreview,
) {
  const collected: Collected = { users: [], next: undefined, last: undefined }
  const total = noCounts()
  const groups: GroupReference[] = []
  const shortages = new Map<string, Shortage>()
  for await (const directory of directoriesOf(parts, place, part.start)) {
    // The mapping may be compiled for each directory.
    await parts.slices.next(directory.tenant)
    const { compiled, others, ...effective } = await inDirectory(directory)
    const counts = await evaluateDirectory(parts, directory, compiled, part, collected)
    if (part.start !== undefined && collected.next !== undefined) break
    for (const rule of others) counts.rules.delete(rule)
    addTo(total, counts)
    if (part.start === undefined) groups.push(...(await existingGroups(parts, directory.id, mapping)))
    noteShortages(shortages, effective.mapping, counts)
  }
  const { users, next } = collected
  if (part.start !== undefined) return { numbers: {}, users, next }
  const warnings = [...warningsOf(mapping, total, groups), ...tooFewUsers(shortages)]
  return { numbers: numbersOf(total, warnings), users, next }
}

function numbersOf(counts: PreviewCounts, warnings: readonly MappingWarning[]) {
  return {
    evaluated: counts.evaluated,
    changed: counts.changed,
    roles: Object.fromEntries([...counts.roles].sort(([a], [b]) => (a < b ? -1 : 1))),
    attributes: Object.fromEntries(counts.attributes),
    warnings,
  }
}

/** The directory, or those of the product that inherit or extend its mapping, from a position on. */
async function* directoriesOf(
  { store, directories }: PreviewsParts,
  place: MappingPlace,
  start: Position | undefined,
): AsyncGenerator<Directory> {
  if ('id' in place) return yield directories.get(place.id)
  const scope: DirectoryScope = { product: place.product }
  const first = start && (await store.getDirectory(start[1]))
  if (first !== undefined && first.product === place.product) yield first
  let after: DirectoryListPart['after'] = start && { createdAt: start[0], id: start[1] }
  for (;;) {
    const part = await store.listDirectories(scope, { after, limit: directoriesPerRead })
    yield* part.filter(({ mapping }) => mapping?.source !== 'directory' || mapping.extended !== undefined)
    if (part.length < directoriesPerRead) return
    after = part.at(-1)
  }
}

const directoriesPerRead = 50

async function evaluateDirectory(
  { store, slices }: PreviewsParts,
  directory: Directory,
  compiled: CompiledMapping,
  { start, limit }: PartOfPreview,
  collected: Collected,
): Promise<PreviewCounts> {
  const counts = noCounts()
  let after = start?.[1] === directory.id ? start[2] : 0
  for (;;) {
    const users = await store.usersToEvaluate(directory.id, after, pageSizeOf(compiled))
    const last = users.at(-1)
    if (last === undefined) return counts
    let characters = 0
    await slices.next(directory.tenant)
    for (const user of users) {
      characters += user.user.raw.length
      if (characters > compiled.charactersAtOnce) {
        characters = user.user.raw.length
        await slices.next(directory.tenant)
      }
      const change = evaluateUser(counts, compiled, user)
      if (change !== undefined) collect(collected, directory, user, change, limit)
    }
    if (start !== undefined && collected.next !== undefined) return counts
    after = last.position
  }
}

function evaluateUser(
  counts: PreviewCounts,
  { evaluator }: CompiledMapping,
  user: UserToEvaluate,
): UserChange | undefined {
  if (evaluator === undefined) return undefined
  const { raw, active, mapped } = user.user
  const before = mapped === undefined ? { roles: [], attributes: {} } : fromJsonText(mapped)
  return previewUser(counts, evaluator, { resource: fromJsonText(raw), active, groups: user.groups }, before)
}

function collect(
  collected: Collected,
  directory: Directory,
  { position, user }: UserToEvaluate,
  { before, after, because }: UserChange,
  limit: number,
): void {
  if (collected.users.length === limit) {
    collected.next ??= collected.last
    return
  }
  const { id, email } = user
  const reasons = because()
    .filter(({ role }) => !before.roles.includes(role))
    .flatMap(reasonViews)
  collected.users.push({ directory_id: directory.id, id, email, before, after, because: reasons })
  collected.last = [directory.createdAt, directory.id, position]
}

/** The groups that rules name and that exist. */
async function existingGroups(
  { store }: PreviewsParts,
  directoryId: string,
  mapping: Mapping,
): Promise<readonly GroupReference[]> {
  const { ids, names } = groupsNamedBy(mapping)
  const found: GroupReference[] = ids.length === 0 ? [] : [...(await store.getGroups(directoryId, ids)).values()]
  for (const value of names) {
    const [row] = await store.findGroups(directoryId, [{ attribute: 'displayName', value }], { from: 0, limit: 1 })
    if (row !== undefined) found.push({ id: row.item.id, name: row.item.name })
  }
  return found
}
