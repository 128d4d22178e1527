import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { AuditAction, AuditChanges, Audited, AuditTarget, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { CachedRecords } from '../directory/change-directory.ts'
import { findDirectory } from '../directory/change-directory.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { MappingDocument } from './document.ts'
import type { Mapping } from './mapping.ts'
import type { MappingOwner, MappingRun, MappingStore, MappingVersion, StoredMapping } from './mapping-store.ts'
import { parseMapping } from './parse.ts'

export interface MappingsParts {
  readonly store: MappingStore & Pick<DirectoryRecords, 'getDirectory'>
  readonly access: CachedRecords
  /** The time slices of the process, in which mappings are parsed. */
  readonly slices: TimeSlices
  readonly audited: Audited
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Called when a run of the directory has begun. */
  readonly onRun: (directory: Directory) => void
  /** Called when directories of a product are to get its mapping. */
  readonly onRollout: () => void
}

/** A mapping as the API returns it; times are ISO 8601, in UTC. */
export interface MappingView {
  /** The mapping in effect; null: none. */
  readonly mapping: MappingDocument | null
  /** Whether it is that of the product. */
  readonly inherited: boolean
  /** The last version of the owner's own mapping, including removals; 0 if there is none. */
  readonly version: number
  /** The last run over the users of the directory. */
  readonly run: MappingRunView | null
}

export interface MappingRunView {
  readonly state: 'running' | 'completed'
  readonly evaluated: number
  readonly total: number
  readonly changed: number
  readonly started_at: string
  readonly completed_at: string | null
}

export interface MappingVersionView {
  readonly version: number
  readonly mapping: MappingDocument | null
  readonly created_at: string
  readonly created_by: string | null
}

/** A new mapping, and optionally the version that it replaces. */
export const PutMappingInput = Type.Object(
  {
    mapping: Type.Unknown({ description: 'mapping: an object with attributes and roles.' }),
    version: Type.Optional(
      Type.Integer({
        description:
          'version: the version that it replaces, as GET returns it; refused with 409 if there is a later one.',
        minimum: 0,
      }),
    ),
  },
  { title: 'PutMapping' },
)

/** Where a mapping belongs: to a directory, or to a product as the default of its directories. */
export type MappingPlace = { readonly id: string } | { readonly product: string }

/** The mappings of directories and products. Inputs are validated here; changes are audited. */
export type Mappings = ReturnType<typeof createMappings>

export function createMappings(parts: MappingsParts) {
  const { store } = parts
  return {
    /** @throws DirectoryError `directory-not-found` */
    get: (place: MappingPlace): Promise<MappingView> => show(store, place),
    /**
     * Replaces a mapping. Users get their roles and attributes in a run; users who are changed during a run are evaluated immediately.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `mapping-changed`
     */
    async put(place: MappingPlace, input: unknown, caller: Caller): Promise<MappingView> {
      const { mapping, version } = parseInput(PutMappingInput, input)
      await parseAt(place, mapping, parts)
      const document = JSON.stringify(mapping)
      await change(parts, place, { next: async () => ({ document }), expected: version, caller })
      return show(store, place)
    },
    /**
     * Removes the mapping. A directory has that of its product from then on; without one, its users lose their roles and attributes in a run.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` without a mapping of its own
     */
    async remove(place: MappingPlace, caller: Caller): Promise<MappingView> {
      const next = async (own: string | undefined) => {
        if (own === undefined) throw nothingToRemove(place)
        return { document: undefined }
      }
      await change(parts, place, { next, expected: undefined, caller })
      return show(store, place)
    },
    /** The mapping that a directory has of its own. */
    async own(directoryId: string): Promise<MappingDocument | null> {
      const place = { id: directoryId }
      return documentOf(ownOf(await found(store, place), place))
    },
    /**
     * Changes the mapping that a directory has of its own.
     *
     * @param edit makes the next one, null for none, from the present one; called again when another change was faster
     * @throws DirectoryError `directory-not-found`, `invalid-input` when the next one is invalid
     */
    async edit(
      directoryId: string,
      edit: (own: MappingDocument | null) => Promise<MappingDocument | null>,
      caller: Caller,
    ): Promise<MappingView> {
      const place = { id: directoryId }
      const next = async (own: string | undefined) => {
        const mapping = await edit(documentOf(own))
        if (mapping !== null) await parseAt(place, mapping, parts)
        const document = mapping === null ? undefined : JSON.stringify(mapping)
        return document === own ? undefined : { document }
      }
      await change(parts, place, { next, expected: undefined, caller })
      return show(store, place)
    },
    /**
     * The versions of the mapping of a directory or product, newest first.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async versions(place: MappingPlace): Promise<MappingVersionView[]> {
      if ('id' in place) await findDirectory(store, place.id)
      return (await store.listMappingVersions(ownerOf(place), Number.MAX_SAFE_INTEGER, maxVersions)).map(versionView)
    },
  }
}

const maxVersions = 100

/**
 * Parses a mapping that is meant for a place.
 *
 * @throws DirectoryError `invalid-input`
 */
export function parseAt(
  place: MappingPlace,
  mapping: unknown,
  { slices }: Pick<MappingsParts, 'slices'>,
): Promise<Mapping> {
  const [owner, key] = 'id' in place ? (['directory', place.id] as const) : (['product', place.product] as const)
  return parseMapping(mapping, owner, () => slices.next(key))
}

export function ownerOf(place: MappingPlace): MappingOwner {
  return 'id' in place ? { directoryId: place.id } : place
}

async function show(store: MappingsParts['store'], place: MappingPlace): Promise<MappingView> {
  const stored = await found(store, place)
  const run = 'id' in place ? await store.getMappingRun(place.id) : undefined
  return {
    mapping: documentOf(stored.document),
    inherited: 'id' in place && stored.reference?.source === 'product',
    version: stored.lastVersion,
    run: run === undefined ? null : runView(run),
  }
}

/** @throws DirectoryError `directory-not-found` */
async function found(store: MappingStore, place: MappingPlace): Promise<StoredMapping> {
  const stored = await store.getMapping(ownerOf(place))
  if (stored === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
  return stored
}

function documentOf(text: string | undefined): MappingDocument | null {
  // It was parsed before it was stored.
  return text === undefined ? null : (JSON.parse(text) as MappingDocument)
}

export function runView({ evaluated, total, changed, startedAt, completedAt }: MappingRun): MappingRunView {
  return {
    state: completedAt === undefined ? 'running' : 'completed',
    evaluated,
    total: Math.max(total, evaluated),
    changed,
    started_at: new Date(startedAt).toISOString(),
    completed_at: completedAt === undefined ? null : new Date(completedAt).toISOString(),
  }
}

function versionView({ version, document, createdAt, createdBy }: MappingVersion): MappingVersionView {
  return {
    version,
    mapping: documentOf(document),
    created_at: new Date(createdAt).toISOString(),
    created_by: createdBy ?? null,
  }
}

interface Change {
  /** Makes the next mapping from the owner's own one, as JSON or undefined for none; returns undefined when there is nothing to change. */
  readonly next: (own: string | undefined) => Promise<{ readonly document: string | undefined } | undefined>
  /** The last version that the owner's own mapping must have; undefined: any. */
  readonly expected: number | undefined
  readonly caller: Caller
}

/** Stores the next version; repeats when another change was faster, unless the caller has named a version. */
async function change(parts: MappingsParts, place: MappingPlace, { next, expected, caller }: Change): Promise<void> {
  const { store, access, clock } = parts
  for (;;) {
    const directory = 'id' in place ? await findDirectory(store, place.id) : undefined
    const stored = await found(store, place)
    const { lastVersion } = stored
    if (expected !== undefined && expected !== lastVersion) throw mappingChanged(expected, lastVersion)
    const own = ownOf(stored, place)
    const changed = await next(own)
    if (changed === undefined) return
    const { document } = changed
    const at = clock()
    const version = lastVersion + 1
    const audit = parts.audited({
      ...{ action: (document === undefined ? 'mapping.removed' : 'mapping.changed') satisfies AuditAction, caller, at },
      ...{
        target: targetOf(place, directory),
        changes: auditChanges(own === undefined ? undefined : lastVersion, document, version),
      },
    })
    const requestId = caller.requestId ?? ''
    const written = { version, document, createdAt: at, createdBy: authorOf(caller), requestId }
    const outcome = await store.putMapping(ownerOf(place), written, audit)
    if (outcome === 'directory-not-found') throw new DirectoryError(outcome, 'There is no such directory.')
    if (outcome === 'version-mismatch') continue
    if (directory === undefined) parts.onRollout()
    else {
      access.forget(directory.id)
      parts.onRun(directory)
    }
    return
  }
}

/** The JSON of the mapping that belongs to a directory or product itself. */
function ownOf({ document, reference }: StoredMapping, place: MappingPlace): string | undefined {
  return 'id' in place && reference?.source === 'product' ? undefined : document
}

/** The name by which operators recognize who made a version. */
function authorOf({ kind, name }: Caller): string | undefined {
  return kind === 'setup' ? 'Setup portal' : name
}

function targetOf(place: MappingPlace, directory: Directory | undefined): AuditTarget {
  if (directory !== undefined) return directoryTarget(directory)
  return { kind: 'service', id: undefined, product: 'product' in place ? place.product : undefined }
}

function auditChanges(before: number | undefined, document: string | undefined, version: number): AuditChanges {
  return { mapping_version: { from: before ?? null, to: document === undefined ? null : version } }
}

function mappingChanged(expected: number, version: number): DirectoryError {
  const message = `The last version of this mapping is ${version}, not ${expected}: read it again, then repeat the change.`
  return new DirectoryError('mapping-changed', message)
}

function nothingToRemove(place: MappingPlace): DirectoryError {
  const message =
    'id' in place
      ? 'This directory has no mapping of its own: one that it inherits is removed from its product.'
      : 'This product has no mapping.'
  return new DirectoryError('resource-not-found', message)
}
