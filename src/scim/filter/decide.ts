import { fold } from '../fold.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'
import type { Comparison, Filter, Junction } from './ast.ts'
import { matches } from './evaluate.ts'

/**
 * What is left of a filter once the type of the resources is known; true when every resource of the type fulfils it,
 * false when none can. A type decides what is said of attributes that it lacks, of `meta.resourceType`, and of core
 * schemas in `schemas`. Whether a resource has an extension is for the resource to say.
 */
export function decide(filter: Filter, resourceType: ResourceType): Filter | boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return decideJunction(filter, resourceType)
    case 'not':
      return negated(decide(filter.filter, resourceType))
    case 'compare':
      return decideComparison(filter, resourceType)
    case 'constant':
      return filter.holds
    default:
      return filter
  }
}

/** `and` is settled by one side that is false, `or` by one that is true; the other side's answer is what remains. */
function decideJunction(filter: Junction, resourceType: ResourceType): Filter | boolean {
  const settling = filter.kind === 'or'
  const left = decide(filter.left, resourceType)
  if (left === settling) return settling
  const right = decide(filter.right, resourceType)
  if (typeof left === 'boolean') return right
  if (typeof right === 'boolean') return right === settling ? settling : left
  return { kind: filter.kind, left, right }
}

function negated(filter: Filter | boolean): Filter | boolean {
  return typeof filter === 'boolean' ? !filter : { kind: 'not', filter }
}

function decideComparison(filter: Comparison, { name, schema }: ResourceType): Filter | boolean {
  const { extension, attribute, subAttribute } = filter.path
  if (extension !== undefined) return filter
  if (attribute.name === 'meta' && subAttribute?.name === 'resourceType') {
    return matches(filter, { meta: { resourceType: name } })
  }
  return attribute.name === 'schemas' && isSettledByCore(filter, schema.id)
    ? matches(filter, { schemas: [schema.id] })
    : filter
}

/** Another value than the core schema of the type, as `ne` asks for, is something that a resource may have or not. */
function isSettledByCore({ operator, value }: Comparison, core: string): boolean {
  if (typeof value !== 'string' || !coreSchemas.has(fold(value))) return false
  return operator === 'eq' || (operator === 'ne' && fold(value) !== fold(core))
}

const coreSchemas: ReadonlySet<string> = new Set(resourceTypes.map(({ schema }) => fold(schema.id)))
