import { countTerms } from '../scim/filter/ast.ts'
import { beyondAsciiWeight, charactersIn, measureCosts } from '../scim/filter/cost.ts'
import type { JsonObject } from '../scim/json.ts'
import type { Mapping } from './mapping.ts'

/**
 * The most that evaluating one user may cost, in the units of `evaluationCost`, and about the most for all users of a commit: it takes less
 * than 50 ms and cannot be interrupted.
 */
export const maxMappingCost = 20_000_000

/** The number of conditions and attributes that are evaluated for a user. */
export function evaluationsPerUser({ attributes, roles }: Mapping): number {
  const sources = attributes.flatMap((attribute) => attribute.sources)
  const ofSources = sources.reduce((sum, { filter }) => sum + 1 + (filter === undefined ? 0 : countTerms(filter)), 1)
  const filters = (roles?.rules ?? []).flatMap(({ condition: { filter } }) => filter ?? [])
  return filters.reduce((sum, { filter }) => sum + countTerms(filter), ofSources)
}

/** Finds whether evaluating a user would take too long: it has very many values, which the mapping reads very often. */
export function costLimit(mapping: Mapping): (resource: JsonObject) => boolean {
  const evaluations = evaluationsPerUser(mapping)
  const sources = mapping.attributes.flatMap((attribute) => attribute.sources)
  const filters = (mapping.roles?.rules ?? []).flatMap(({ condition: { filter } }) => filter ?? [])
  return (resource) => {
    if (evaluations * charactersIn(resource) * beyondAsciiWeight <= maxMappingCost) return false
    const costs = measureCosts(resource, maxMappingCost)
    let left = maxMappingCost
    for (const { filter } of filters) {
      left -= costs.ofFilter(filter)
      if (left < 0) return true
    }
    for (const source of sources) {
      left -= costs.ofPath(source) * (1 + (source.filter === undefined ? 0 : countTerms(source.filter)))
      if (left < 0) return true
    }
    return false
  }
}
