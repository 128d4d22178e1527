import { fold } from '../fold.ts'
import type { ResourceType } from '../schema/resource-type.ts'
import { resourceTypes } from '../schema/resource-type.ts'
import type { Comparison, Filter, Junction } from './ast.ts'
import { matches } from './evaluate.ts'

/** A condition that a store can evaluate with an index. Text is as written in the filter; the store folds it. */
export type Equality =
  | {
      readonly attribute: 'id' | 'userName' | 'externalId' | 'emails' | 'displayName' | 'members' | 'groups'
      readonly value: string
    }
  | { readonly attribute: 'active'; readonly value: boolean }

/** A filter split into two parts that must both match. */
export interface Narrowed {
  /** Conditions on `emails`, `members` and `groups` hold if any element is equal. */
  readonly equalities: readonly Equality[]
  /** The part that must still be evaluated on each resource; undefined when the equalities are the whole filter. */
  readonly rest: Filter | undefined
}

/** The indexed attributes of each resource type. */
const indexed = {
  User: new Set(['id', 'userName', 'externalId', 'active', 'emails', 'groups']),
  Group: new Set(['id', 'externalId', 'displayName', 'members']),
} satisfies Record<ResourceType['name'], ReadonlySet<string>>

/**
 * Extracts the conditions that narrow a search in the database: `eq` on indexed attributes among the top-level
 * conjuncts. `emails[type eq "work" and value eq "x"]` narrows by `emails` and also stays in the rest. Conditions that
 * hold for every resource of the type are dropped.
 *
 * @returns 'nothing' when no resource of the type can match
 */
export function narrow(filter: Filter, resourceType: ResourceType): Narrowed | 'nothing' {
  const undecided = decideForType(filter, resourceType)
  if (typeof undecided !== 'boolean') return narrowUndecided(undecided, resourceType)
  return undecided ? { equalities: [], rest: undefined } : 'nothing'
}

function narrowUndecided(filter: Filter, resourceType: ResourceType): Narrowed {
  const equalities: Equality[] = []
  const rest: Filter[] = []
  for (const conjunct of conjunctsOf(filter)) {
    const found = equalitiesIn(conjunct, resourceType)
    equalities.push(...found)
    if (found.length === 0 || !isFullyExpressed(conjunct)) rest.push(conjunct)
  }
  return { equalities, rest: conjunction(rest) }
}

/** The filters joined by `and` at the top level; the filter itself when there is no `and`. */
export function conjunctsOf(filter: Filter): Filter[] {
  const conjuncts: Filter[] = []
  let left = filter
  while (left.kind === 'and') {
    conjuncts.push(...conjunctsOf(left.right).reverse())
    left = left.left
  }
  conjuncts.push(left)
  return conjuncts.reverse()
}

function conjunction(filters: readonly Filter[]): Filter | undefined {
  const [first, ...others] = filters
  if (first === undefined) return undefined
  return others.reduce((left, right): Filter => ({ kind: 'and', left, right }), first)
}

function isFullyExpressed(conjunct: Filter): boolean {
  return conjunct.kind === 'compare' || (conjunct.kind === 'value-path' && conjunct.filter.kind === 'compare')
}

function equalitiesIn(conjunct: Filter, resourceType: ResourceType): Equality[] {
  if (conjunct.kind === 'compare') return equalityOf(conjunct, resourceType)
  if (conjunct.kind !== 'value-path') return []
  const { path, filter } = conjunct
  return conjunctsOf(filter).flatMap((part) => {
    if (part.kind !== 'compare') return []
    return equalityOf({ ...part, path: { ...path, subAttribute: part.path.attribute } }, resourceType)
  })
}

function equalityOf({ path, operator, value }: Comparison, resourceType: ResourceType): Equality[] {
  const { extension, attribute, subAttribute } = path
  if (operator !== 'eq' || extension !== undefined || !indexed[resourceType.name].has(attribute.name)) return []
  if (subAttribute !== undefined && subAttribute.name !== 'value') return []
  const name = attribute.name as Equality['attribute']
  if (name === 'active') return typeof value === 'boolean' ? [{ attribute: name, value }] : []
  return typeof value === 'string' ? [{ attribute: name, value }] : []
}

/**
 * Evaluates the parts of a filter that depend on the resource type alone: attributes the type lacks,
 * `meta.resourceType`, and core schemas in `schemas`. Returns true when every resource of the type matches, false when
 * none can, else the filter that remains. Extensions depend on the resource.
 */
export function decideForType(filter: Filter, resourceType: ResourceType): Filter | boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return decideJunction(filter, resourceType)
    case 'not':
      return negated(decideForType(filter.filter, resourceType))
    case 'compare':
      return decideComparison(filter, resourceType)
    case 'constant':
      return filter.holds
    default:
      return filter
  }
}

/** One false side decides `and`, one true side decides `or`; otherwise the undecided side remains. */
function decideJunction(filter: Junction, resourceType: ResourceType): Filter | boolean {
  const settling = filter.kind === 'or'
  const left = decideForType(filter.left, resourceType)
  if (left === settling) return settling
  const right = decideForType(filter.right, resourceType)
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

/** `ne` with the type's own core schema depends on the extensions a resource has. */
function isSettledByCore({ operator, value }: Comparison, core: string): boolean {
  if (typeof value !== 'string' || !coreSchemas.has(fold(value))) return false
  return operator === 'eq' || (operator === 'ne' && fold(value) !== fold(core))
}

const coreSchemas: ReadonlySet<string> = new Set(resourceTypes.map(({ schema }) => fold(schema.id)))
