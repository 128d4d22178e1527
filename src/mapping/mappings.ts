import type { DirectoryAccess } from '../directory/access.ts'
import type { AuditAction, AuditChanges, Audited, AuditTarget, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import { findDirectory } from '../directory/change-directory.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { MappingDocument } from './document.ts'
import type { MappingOwner, MappingRun, MappingStore, MappingVersion, StoredMapping } from './mapping-store.ts'
import { parseMapping } from './parse.ts'

export interface MappingsParts {
  readonly store: MappingStore & Pick<DirectoryRecords, 'getDirectory'>
  readonly access: Pick<DirectoryAccess, 'forget'>
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
  /** The version in effect; 0 before the first. */
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
          'version: the version that it replaces, as GET returns it; refused with 409 if another one is in effect.',
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
     * Puts a new mapping into effect. Users get their roles and attributes in a run; whoever is changed meanwhile is evaluated at once.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `mapping-changed`
     */
    async put(place: MappingPlace, input: unknown, caller: Caller): Promise<MappingView> {
      const { mapping, version } = parseInput(PutMappingInput, input)
      parseMapping(mapping)
      await change(parts, place, { document: JSON.stringify(mapping), expected: version, caller })
      return show(store, place)
    },
    /**
     * Removes the mapping. A directory has that of its product from then on; without one, its users lose their roles and attributes in a run.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` without a mapping of its own
     */
    async remove(place: MappingPlace, caller: Caller): Promise<MappingView> {
      await change(parts, place, { document: undefined, expected: undefined, caller })
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

export function ownerOf(place: MappingPlace): MappingOwner {
  return 'id' in place ? { directoryId: place.id } : place
}

async function show(store: MappingsParts['store'], place: MappingPlace): Promise<MappingView> {
  const stored = await found(store, place)
  const run = 'id' in place ? await store.getMappingRun(place.id) : undefined
  return {
    mapping: documentOf(stored.document),
    inherited: 'id' in place && stored.reference?.source === 'product',
    version: stored.reference?.version ?? 0,
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
  readonly document: string | undefined
  /** The version that must be in effect; undefined: any. */
  readonly expected: number | undefined
  readonly caller: Caller
}

/** Stores the next version; repeats when another change was faster, unless the caller has named a version. */
async function change(
  parts: MappingsParts,
  place: MappingPlace,
  { document, expected, caller }: Change,
): Promise<void> {
  const { store, access, clock } = parts
  for (;;) {
    const directory = 'id' in place ? await findDirectory(store, place.id) : undefined
    const stored = await found(store, place)
    const effective = stored.reference?.version ?? 0
    if (expected !== undefined && expected !== effective) throw mappingChanged(expected, effective)
    const isOwn = stored.document !== undefined && !(directory && stored.reference?.source === 'product')
    if (document === undefined && !isOwn) throw nothingToRemove(directory)
    const at = clock()
    const version = stored.lastVersion + 1
    const audit = parts.audited({
      ...{ action: (document === undefined ? 'mapping.removed' : 'mapping.changed') satisfies AuditAction, caller, at },
      ...{
        target: targetOf(place, directory),
        changes: auditChanges(isOwn ? effective : undefined, document, version),
      },
    })
    const requestId = caller.requestId ?? ''
    const written = { version, document, createdAt: at, createdBy: caller.name, requestId }
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

function targetOf(place: MappingPlace, directory: Directory | undefined): AuditTarget {
  if (directory !== undefined) return directoryTarget(directory)
  return { kind: 'service', id: undefined, product: 'product' in place ? place.product : undefined }
}

function auditChanges(before: number | undefined, document: string | undefined, version: number): AuditChanges {
  return { mapping_version: { from: before ?? null, to: document === undefined ? null : version } }
}

function mappingChanged(expected: number, version: number): DirectoryError {
  const message = `Version ${version} of the mapping is in effect, not ${expected}: read it again, then repeat the change.`
  return new DirectoryError('mapping-changed', message)
}

function nothingToRemove(directory: Directory | undefined): DirectoryError {
  const message =
    directory === undefined
      ? 'This product has no mapping.'
      : 'This directory has no mapping of its own: one that it inherits is removed from its product.'
  return new DirectoryError('resource-not-found', message)
}
