import type { Json } from '../json.ts'
import { coerceAttribute } from '../resource/coerce.ts'
import { pathName } from '../schema/attribute-path.ts'
import type { Attribute } from '../schema/schema.ts'
import type { GrowingList } from './multi-valued.ts'
import { growList, toList, undefinedIfNone } from './multi-valued.ts'
import type { AssignOperation, AttributeTarget, PatchOperation } from './operation.ts'

/** An operation that appends to a list of the core schema. */
interface Addition extends AssignOperation {
  readonly path: AttributeTarget
}

/** Returns whether an operation only appends to a list: consecutive ones are applied together. */
export function isAddition(operation: PatchOperation): operation is Addition {
  const { op, path } = operation
  if (op !== 'add' || path.kind !== 'attribute' || !path.attribute.multiValued) return false
  return path.extension === undefined && path.subAttribute === undefined && path.filter === undefined
}

/** A list after additions. */
interface Grown {
  readonly path: AttributeTarget
  readonly after: Json | undefined
}

/** Lists that consecutive additions append to. The cost of each depends on its own size, not on that of the list. */
export interface GrowingLists {
  add(operation: Addition): void
  /** The lists after the additions, with their paths; empties this. */
  take(): Grown[]
}

/** @param read reads the current value of an attribute, at the first addition to it */
export function createGrowingLists(read: (path: AttributeTarget) => Json | undefined): GrowingLists {
  const lists = new Map<Attribute, { readonly path: AttributeTarget; readonly list: GrowingList }>()
  return {
    add({ path, value }) {
      const { attribute } = path
      const elements = toList(coerceAttribute(attribute, value, pathName(path)))
      const entry = lists.get(attribute) ?? { path, list: growList(attribute, toList(read(path))) }
      lists.set(attribute, entry)
      entry.list.add(elements)
    },
    take() {
      const taken = [...lists.values()].map(({ path, list }) => ({ path, after: undefinedIfNone(list.elements()) }))
      lists.clear()
      return taken
    },
  }
}
