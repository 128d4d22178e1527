import { setImmediate } from 'node:timers/promises'
import { createBoundedMap } from '../concurrency/bounded-map.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { DirectoryRevision, MappingReference } from '../directory/directory.ts'
import type { CompiledMapping, DocumentsInEffect } from '../mapping/compiled.ts'
import { compiledMapping, leftToRun, mappingInEffect, removedMapping, takesLong } from '../mapping/compiled.ts'
import type { MappingStore } from '../mapping/mapping-store.ts'
import { mappingText } from './directories.ts'
import type { EffectsOfImport } from './imports.ts'
import type { PrepareWrite } from './provisioning.ts'
import { createUserPages } from './reads/user-pages.ts'
import { optionalText } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { rolesOfMembers, runStartIfMapped } from './write/effects/evaluations.ts'
import { rolesOfUsers } from './write/effects/roles.ts'

const ofDirectory = 'select document from directory_mappings where directory_id = $1 and version = $2'
const ofProduct = 'select document from product_mappings where product = $1 and version = $2'

/** Reads the documents of a mapping; undefined for one that was removed. */
export async function readDocuments(
  query: SqlDatabase['query'],
  { id, product }: { readonly id: string; readonly product: string },
  { source, version, extended = 0 }: MappingReference,
): Promise<DocumentsInEffect | undefined> {
  if (source === 'removed') return undefined
  const read = async (statement: Statement) => {
    const [row] = await query(statement)
    return row && optionalText(row, 'document')
  }
  const ofProductVersion = (number: number) => read({ text: ofProduct, values: [product, number] })
  const [document, base] = await Promise.all([
    source === 'directory' ? read({ text: ofDirectory, values: [id, version] }) : ofProductVersion(version),
    extended === 0 ? undefined : ofProductVersion(extended),
  ])
  return document === undefined ? undefined : { document, extended: base }
}

/** Documents that are longer than this, in characters, are compiled again sooner: they take more memory. */
const shortDocument = 8_192
const maxShort = 1_000
const maxLong = 20

/** Finds the compiled mapping of a directory; undefined when it has none. */
export type CompiledOf = (directory: DirectoryRevision) => Promise<CompiledMapping | undefined>

/** Compiles each version of a mapping, or both versions if it extends another, once: versions never change. */
export function createCompiledMappings(query: SqlDatabase['query']): CompiledOf {
  const short = createBoundedMap<CompiledMapping>(maxShort)
  const long = createBoundedMap<CompiledMapping>(maxLong)
  const pending = new Map<string, Promise<CompiledMapping | undefined>>()

  async function compile(key: string, directory: DirectoryRevision, reference: MappingReference) {
    const documents = await readDocuments(query, directory, reference)
    if (documents === undefined) return undefined
    const { document, extended = '' } = documents
    const isShort = document.length + extended.length <= shortDocument
    const mapping = mappingInEffect(documents)
    // Other requests get a turn in between.
    if (!isShort) await setImmediate()
    const compiled = compiledMapping(mapping)
    const kept = isShort ? short : long
    kept.set(key, compiled)
    return compiled
  }

  return async (directory) => {
    const { id, product, mapping } = directory
    if (mapping === undefined) return undefined
    if (mapping.source === 'removed') return removedMapping
    const key = `${mappingText(mapping)} ${mapping.source === 'directory' ? id : product}`
    const known = short.get(key) ?? long.get(key)
    if (known !== undefined) return known
    const found = pending.get(key) ?? compile(key, directory, mapping).finally(() => pending.delete(key))
    pending.set(key, found)
    return found
  }
}

/**
 * Prepares writes to directories that have a mapping.
 *
 * @param slices the time slices of the process, for writes whose evaluation takes long, if all writes of a turn of the event loop share
 * a commit
 */
export function createMappingEffects(
  { dialect }: SqlDatabase,
  compiledOf: CompiledOf,
  slices?: TimeSlices,
): { readonly prepare: PrepareWrite; runBegan(directory: DirectoryRevision): void } & Pick<
  MappingStore,
  'onMappingRun'
> {
  const listeners: Parameters<MappingStore['onMappingRun']>[0][] = []
  const pages = createUserPages(dialect)
  const runBegan = (directory: DirectoryRevision) => {
    for (const listener of listeners) listener(directory)
  }

  async function prepareMapped(directory: DirectoryRevision, characters: number) {
    const mapping = await compiledOf(directory)
    if (mapping === undefined) return { effects: [], committed() {} }
    if (takesLong(mapping, characters)) await slices?.next(directory.tenant)
    let isRunBegun = false
    const onRun = () => {
      isRunBegun = true
    }
    return {
      effects: [{ ...rolesOfUsers(mapping), ...rolesOfMembers(mapping, { pages, onRun }) }],
      committed() {
        if (isRunBegun) runBegan(directory)
      },
    }
  }

  return {
    prepare: (directory, characters) =>
      directory.mapping === undefined ? undefined : prepareMapped(directory, characters),
    onMappingRun: (listener) => void listeners.push(listener),
    runBegan,
  }
}

/** Users keep their roles during an import until the run at its end. */
export const mappingOfImport: EffectsOfImport = {
  of: ({ mapping }) => (mapping === undefined ? [] : [rolesOfUsers(leftToRun)]),
  atEnd: runStartIfMapped,
}
