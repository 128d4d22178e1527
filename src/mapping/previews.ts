import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart, DirectoryReads, DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { GroupReference } from '../directory/group.ts'
import { parseInput, TokenPagingInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { CreationPosition } from '../reads/page.ts'
import { isText, isWhole, pageTokens } from '../reads/page.ts'
import { parseQuery } from '../reads/paging.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { differences } from './change.ts'
import type { CompiledMapping } from './compiled.ts'
import { pageSizeOf } from './compiled.ts'
import type { MappingDocument } from './document.ts'
import type { Evaluation } from './evaluate.ts'
import type { Mapping } from './mapping.ts'
import type { MappingStore, UserToEvaluate } from './mapping-store.ts'
import type { MappingPlace } from './mappings.ts'
import { ownerOf, parseAt } from './mappings.ts'
import type { MappingWarning, PreviewCounts, Shortage, UserChange } from './preview.ts'
import { addTo, groupsNamedBy, noCounts, noteShortages, previewUser, tooFewUsers, warningsOf } from './preview.ts'
import type { GivenMapping, PreviewedMapping } from './previewed-mapping.ts'
import { previewOfDirectory, previewOfProduct } from './previewed-mapping.ts'
import type { ReasonView } from './reasons.ts'
import { reasonViews } from './reasons.ts'

export interface PreviewsParts {
  readonly store: Pick<MappingStore, 'usersToEvaluate' | 'getMapping' | 'listMappingVersions'> &
    Pick<DirectoryRecords, 'getDirectory' | 'listDirectories'> &
    Pick<DirectoryReads, 'getGroups' | 'listGroups'>
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

/** The numbers and warnings of a preview, with some of the users who would gain and lose each role. */
export interface PreviewSummary extends Omit<PreviewView, 'version' | 'users'> {
  readonly examples: ReadonlyMap<string, RoleExamples>
}

/** Email addresses, at most three each. */
export interface RoleExamples {
  readonly gain: string[]
  readonly lose: string[]
}

/** Previews of mappings: every user is evaluated as a run would do it, and nothing is written. */
export type Previews = ReturnType<typeof createPreviews>

/**
 * The maximum number of previews that are evaluated concurrently. Each holds a parsed mapping, also while it waits, and a
 * page of users while it is evaluated.
 */
const previewsAtOnce = 8

export function createPreviews(parts: PreviewsParts) {
  const places = createFairSemaphore(previewsAtOnce)

  /** Evaluates a mapping for all users, or for those from a position on until the page is full. */
  async function evaluate<T extends Collected>(
    place: MappingPlace,
    given: unknown,
    { start, collected, signal }: PartOfPreview<T>,
  ): Promise<{ readonly version: number; readonly numbers: Partial<PreviewNumbers>; readonly collected: T }> {
    const leave = await places.acquire('id' in place ? place.id : `product ${place.product}`, signal)
    try {
      const parsed = await parseAt(place, given, parts)
      const stored = await parts.store.getMapping(ownerOf(place))
      if (stored === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
      const mapping = await previewedMapping(parts, place, { document: given as MappingDocument, parsed })
      const numbers = await evaluateAll(parts, place, mapping, { start, collected, signal })
      return { version: stored.lastVersion, numbers, collected }
    } finally {
      leave()
    }
  }

  return {
    /**
     * What a mapping would change in a directory, or in the directories of a product that inherit or extend its mapping.
     *
     * @param signal aborts when nobody waits for it any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`; the reason of the signal
     */
    async preview(place: MappingPlace, input: unknown, query: unknown, signal?: AbortSignal): Promise<PreviewPage> {
      const { mapping: given } = parseInput(PreviewInput, input)
      const { pageLimit = defaultUsers, pageToken } = parseQuery(TokenPagingInput, query)
      const start = previewTokens.read(pageToken)
      const part = { start, collected: createPage(pageLimit), signal }
      const { version, numbers, collected } = await evaluate(place, given, part)
      const { users, next } = collected
      return { preview: { version, ...numbers, users }, pageToken: next && previewTokens.write(next) }
    },
    /**
     * The same for a directory, with a few examples for each role instead of the users.
     *
     * @param signal aborts when nobody waits for it any more
     * @throws DirectoryError `invalid-input`, `directory-not-found`; the reason of the signal
     */
    async summarize(directoryId: string, mapping: MappingDocument, signal?: AbortSignal): Promise<PreviewSummary> {
      const part = { start: undefined, collected: createExamples(), signal }
      const { numbers, collected } = await evaluate({ id: directoryId }, mapping, part)
      return { ...numbers, examples: collected.examples }
    },
  }
}

const defaultUsers = 100

async function previewedMapping(
  parts: PreviewsParts,
  place: MappingPlace,
  given: GivenMapping,
): Promise<PreviewedMapping> {
  return 'id' in place
    ? previewOfDirectory(parts, await parts.directories.get(place.id), given)
    : previewOfProduct(parts.store, given)
}

/** The last user of a page: its directory's creation time and id, and its sequence. */
interface Position extends CreationPosition {
  readonly sequence: number
}

const previewTokens = pageTokens<Position>({ createdAt: isWhole, id: isText, sequence: isWhole })

interface PartOfPreview<T extends Collected = Collected> {
  readonly start: Position | undefined
  readonly collected: T
  readonly signal: AbortSignal | undefined
}

/** The changed users that a preview keeps. */
interface Collected {
  collect(directory: Directory, user: UserToEvaluate, change: UserChange): void
  /** Returns whether no further user would be kept. */
  isFull(): boolean
}

/** The most characters of the users of a page, as attributes may be long. */
const maxPageLength = 1_000_000

/** A page of users, which ends with the limit or when it is long. */
function createPage(limit: number) {
  const page = { users: [] as PreviewedUser[], next: undefined as Position | undefined, isFull, collect }
  let last: Position | undefined
  let length = 0

  function isFull(): boolean {
    return page.next !== undefined
  }

  function collect(directory: Directory, { position, user }: UserToEvaluate, change: UserChange): void {
    if (page.users.length === limit || length > maxPageLength) {
      page.next ??= last
      return
    }
    const { before, after, because } = change
    const { id, email } = user
    const reasons = because()
      .filter(({ role }) => !before.roles.includes(role))
      .flatMap(reasonViews)
    const previewed = { directory_id: directory.id, id, email, before, after, because: reasons }
    length += JSON.stringify(previewed).length
    page.users.push(previewed)
    last = { createdAt: directory.createdAt, id: directory.id, sequence: position }
  }
  return page
}

const maxExamples = 3

/** Some of the users who gain and lose each role. */
function createExamples() {
  const examples = new Map<string, RoleExamples>()

  function add(role: string, kind: keyof RoleExamples, email: string): void {
    const known = examples.get(role) ?? { gain: [], lose: [] }
    examples.set(role, known)
    if (known[kind].length < maxExamples) known[kind].push(email)
  }

  return {
    examples,
    isFull: () => false,
    collect(_directory: Directory, { user: { email } }: UserToEvaluate, { before, after }: UserChange): void {
      const { gained, lost } = differences(before, after)
      for (const role of gained) add(role, 'gain', email)
      for (const role of lost) add(role, 'lose', email)
    },
  }
}

/** Evaluates all users; from a position on, only until the page is full. */
async function evaluateAll(
  parts: PreviewsParts,
  place: MappingPlace,
  { mapping, inDirectory }: PreviewedMapping,
  part: PartOfPreview,
): Promise<Partial<PreviewNumbers>> {
  const { start, collected } = part
  const total = noCounts()
  const groups: GroupReference[] = []
  const shortages = new Map<string, Shortage>()
  for await (const directory of directoriesOf(parts, place, start)) {
    // The mapping may be compiled for each directory.
    await parts.slices.next(directory.tenant)
    const { compiled, others, ...effective } = await inDirectory(directory)
    const counts = await evaluateDirectory(parts, directory, compiled, part)
    if (start !== undefined && collected.isFull()) break
    for (const rule of others) counts.rules.delete(rule)
    addTo(total, counts)
    if (start === undefined) groups.push(...(await existingGroups(parts, directory.id, mapping)))
    noteShortages(shortages, effective.mapping, counts)
  }
  if (start !== undefined) return {}
  return numbersOf(total, [...warningsOf(mapping, total, groups), ...tooFewUsers(shortages)])
}

/** The fields that only the first page has. */
type PreviewNumbers = ReturnType<typeof numbersOf>

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
  const first = start && (await store.getDirectory(start.id))
  if (first !== undefined && first.product === place.product) yield first
  let after: DirectoryListPart['after'] = start
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
  { start, collected, signal }: PartOfPreview,
): Promise<PreviewCounts> {
  const counts = noCounts()
  let after = start?.id === directory.id ? start.sequence : 0
  for (;;) {
    signal?.throwIfAborted()
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
      if (change !== undefined) collected.collect(directory, user, change)
    }
    if (start !== undefined && collected.isFull()) return counts
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

/** The groups that rules name and that exist. */
async function existingGroups(
  { store }: PreviewsParts,
  directoryId: string,
  mapping: Mapping,
): Promise<readonly GroupReference[]> {
  const { ids, names } = groupsNamedBy(mapping)
  const found: GroupReference[] = ids.length === 0 ? [] : [...(await store.getGroups(directoryId, ids)).values()]
  for (const value of names) {
    const [row] = await store.listGroups(directoryId, {
      where: [{ attribute: 'displayName', value }],
      from: 0,
      limit: 1,
    })
    if (row !== undefined) found.push({ id: row.item.id, name: row.item.name })
  }
  return found
}
