import { ScimError } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import { isObject } from './json.ts'
import { attributeNames, readParameters } from './parameters.ts'
import { readAttributeKey } from './resource/attribute-key.ts'
import { requireDefinedName } from './schema/attribute-path.ts'
import { commonAttributes } from './schema/common.ts'
import type { ResourceType } from './schema/resource-type.ts'
import { isUrn } from './schema/urn.ts'

/** The parameters that select attributes, in any letter case; others are ignored. */
export interface ProjectionParameters {
  /** A list of names, or names separated by commas. */
  readonly attributes?: unknown
  readonly excludedAttributes?: unknown
}

/** The attributes in a response: those named plus the ones that are always returned, or all but those named. */
export interface Projection {
  readonly kind: 'only' | 'without'
  readonly selection: Selection
}

/** Names in lower case, extensions by URN. Each selects everything below it, or part of that. */
type Selection = ReadonlyMap<string, 'whole' | Selection>
type GrowingSelection = Map<string, 'whole' | GrowingSelection>

/**
 * Parses the attributes that a request selects (RFC 7644 §3.9). Names may be dotted, qualified by a URN, or the URN of
 * an extension, in any letter case; unknown names select nothing, and the strict profile rejects them.
 *
 * @returns undefined for the default set, when no name is given
 * @throws ScimError 400 `invalidValue` when both lists are given or one is not a list, `invalidSyntax` for an unknown name in the
 *   strict profile
 */
export function parseProjection(named: ProjectionParameters, resourceType: ResourceType): Projection | undefined {
  const parameters = readParameters(named)
  const only = attributeNames(parameters, 'attributes')
  const without = attributeNames(parameters, 'excludedAttributes')
  if (only.length > 0 && without.length > 0) {
    throw new ScimError(400, 'invalidValue', 'Use either attributes or excludedAttributes, not both.')
  }
  for (const name of [...only, ...without]) requireDefinedName(name, resourceType)
  if (only.length > 0) return including(only, resourceType)
  return without.length > 0 ? excluding(without, resourceType) : undefined
}

/** The part of a resource that is returned: never a password, always `schemas` and `id`. The input is not modified. */
export function project(
  resource: JsonObject,
  projection: Projection | undefined,
  resourceType: ResourceType,
): JsonObject {
  if (projection === undefined) return withoutHidden(resource, resourceType)
  return projection.kind === 'only' ? pick(resource, projection.selection) : omit(resource, projection.selection)
}

/** Returns whether any part of the members or groups is returned; otherwise they need not be read. */
export function includesAttribute(projection: Projection | undefined, name: 'members' | 'groups'): boolean {
  if (projection === undefined) return true
  const { kind, selection } = projection
  return kind === 'only' ? selection.has(name) : selection.get(name) !== 'whole'
}

/**
 * Returns whether only the members or groups are left out, as identity providers often request. Attributes that are never
 * returned are not stored.
 */
export function leavesOutOnly(
  { kind, selection }: Projection,
  name: 'members' | 'groups',
  resourceType: ResourceType,
): boolean {
  if (kind !== 'without') return false
  const absent = [name, ...neverReturned(resourceType)]
  // Stops at the first other name, because a request may have tens of thousands.
  for (const [left, part] of selection) if (part !== 'whole' || !absent.includes(left)) return false
  return true
}

function including(names: readonly string[], resourceType: ResourceType): Projection {
  const selection: GrowingSelection = new Map()
  for (const name of names) select(selection, name, resourceType)
  for (const name of alwaysReturned) selection.set(name, 'whole')
  for (const name of neverReturned(resourceType)) selection.delete(name)
  return { kind: 'only', selection }
}

function excluding(names: readonly string[], resourceType: ResourceType): Projection {
  const selection: GrowingSelection = new Map()
  for (const name of [...names, ...neverReturned(resourceType)]) select(selection, name, resourceType)
  for (const name of alwaysReturned) selection.delete(name)
  return { kind: 'without', selection }
}

function select(selection: GrowingSelection, name: string, resourceType: ResourceType): void {
  for (const steps of stepsOf(name, resourceType)) selectSteps(selection, steps)
}

/** The steps to an attribute; an unknown URN may end at each of its last separators. */
function stepsOf(written: string, resourceType: ResourceType): string[][] {
  const { extension, name } = readAttributeKey(written, '', resourceType)
  if (extension === undefined && name === undefined)
    return [...resourceType.schema.attributes.keys()].map((key) => [key])
  const named = [...(extension === undefined ? [] : [extension]), ...(name === undefined ? [] : name.split('.'))]
  if (!isUrn(written)) return [named.map(folded)]
  const dot = written.lastIndexOf('.')
  const afterDot = [written.slice(0, dot), written.slice(dot + 1)]
  return [named, [written], ...(dot === -1 ? [] : [afterDot])].map((steps) => steps.map(folded))
}

function folded(step: string): string {
  return step.toLowerCase()
}

function selectSteps(selection: GrowingSelection, steps: readonly string[]): void {
  let current = selection
  for (const step of steps.slice(0, -1)) {
    const next = current.get(step) ?? new Map()
    if (next === 'whole') return
    current.set(step, next)
    current = next
  }
  const last = steps.at(-1)
  if (last !== undefined) current.set(last, 'whole')
}

const alwaysReturned = [...commonAttributes].filter(([, { returned }]) => returned === 'always').map(([name]) => name)

const neverReturnedNames = new WeakMap<ResourceType, readonly string[]>()

/** Names in lower case of attributes that are never returned, even when requested (RFC 7643 §7, `returned`). */
function neverReturned(resourceType: ResourceType): readonly string[] {
  const { attributes } = resourceType.schema
  const names =
    neverReturnedNames.get(resourceType) ??
    [...attributes].filter(([, { returned }]) => returned === 'never').map(([name]) => name)
  neverReturnedNames.set(resourceType, names)
  return names
}

function withoutHidden(resource: JsonObject, resourceType: ResourceType): JsonObject {
  const names = neverReturned(resourceType)
  const isClean = !names.some((name) => Object.hasOwn(resource, name))
  return isClean ? resource : omit(resource, new Map(names.map((name) => [name, 'whole'])))
}

function pick(object: JsonObject, selection: Selection): JsonObject {
  const picked: JsonObject = {}
  for (const name of Object.keys(object)) {
    const selected = selection.get(name.toLowerCase())
    if (selected === undefined) continue
    const part = projectValue(object[name], selected, pick)
    if (part !== undefined) picked[name] = part
  }
  return picked
}

function omit(object: JsonObject, selection: Selection): JsonObject {
  const left: JsonObject = {}
  for (const name of Object.keys(object)) {
    const value = object[name]
    const excluded = selection.get(name.toLowerCase())
    if (excluded === 'whole') continue
    const part = excluded === undefined ? value : projectValue(value, excluded, omit)
    if (part !== undefined) left[name] = part
  }
  return left
}

/** The selected part of a value, or of each element of a list; undefined when nothing is left. */
function projectValue(value: Json | undefined, selected: 'whole' | Selection, take: typeof pick): Json | undefined {
  if (selected === 'whole') return value
  if (Array.isArray(value)) {
    const parts = value.map((element) => projectValue(element, selected, take)).filter((part) => part !== undefined)
    return parts.length === 0 ? undefined : parts
  }
  if (!isObject(value)) return take === omit ? value : undefined
  const part = take(value, selected)
  return Object.keys(part).length === 0 ? undefined : part
}
