import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { CompiledMapping } from './compiled.ts'
import { compiledMapping, effectiveMapping } from './compiled.ts'
import type { MappingDocument } from './document.ts'
import { extendsProduct } from './extend.ts'
import type { Mapping } from './mapping.ts'
import type { MappingStore } from './mapping-store.ts'

type Reads = Pick<MappingStore, 'getMapping' | 'listMappingVersions'>

/** The mapping that a preview evaluates in a directory. */
export interface MappingInDirectory {
  readonly mapping: Mapping
  readonly compiled: CompiledMapping
  /** The ids of its rules that the preview is not about: those of the directory, in a preview for its product. */
  readonly others: readonly string[]
}

/** A mapping that is previewed: with its rules alone, and as it would be in effect in each directory. */
export interface PreviewedMapping {
  readonly mapping: Mapping
  inDirectory(directory: Directory): Promise<MappingInDirectory>
}

/** The mapping of a preview: as JSON, and parsed. */
export interface GivenMapping {
  readonly document: MappingDocument
  readonly parsed: Mapping
}

/** The mapping of one directory. It is put on top of the last one of the product if it extends that. */
export async function previewOfDirectory(
  { store, slices }: { readonly store: Reads; readonly slices: TimeSlices },
  { product, tenant }: Directory,
  { document, parsed }: GivenMapping,
): Promise<PreviewedMapping> {
  const stored = extendsProduct(document) ? await store.getMapping({ product }) : undefined
  const base = stored?.document
  await slices.next(tenant)
  const mapping = base === undefined ? parsed : effectiveMapping(document, JSON.parse(base))
  const rules = mapping.roles?.rules.slice(0, parsed.roles?.rules.length ?? 0) ?? []
  return {
    mapping: { ...mapping, roles: mapping.roles && { ...mapping.roles, rules } },
    inDirectory: async () => ({ mapping, compiled: compiledMapping(mapping), others: [] }),
  }
}

/** The mapping of a product. Directories that extend it put their own on top. */
export function previewOfProduct(store: Reads, { document, parsed: mapping }: GivenMapping): PreviewedMapping {
  const inherited = { mapping, compiled: compiledMapping(mapping), others: [] }
  return {
    mapping,
    async inDirectory({ id, mapping: reference }) {
      if (reference?.extended === undefined) return inherited
      const [own] = await store.listMappingVersions({ directoryId: id }, reference.version + 1, 1)
      return own?.document === undefined ? inherited : extending(JSON.parse(own.document), document)
    },
  }
}

function extending(own: MappingDocument, product: MappingDocument): MappingInDirectory {
  const mapping = effectiveMapping(own, product)
  const rules = mapping.roles?.rules.slice(0, own.roles?.rules?.length ?? 0) ?? []
  return { mapping, compiled: compiledMapping(mapping), others: rules.map(({ id }) => id) }
}
