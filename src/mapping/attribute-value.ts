import type { Predicate } from '../scim/filter/evaluate.ts'
import { createPredicate } from '../scim/filter/evaluate.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import type { AttributeTarget } from '../scim/patch/operation.ts'
import { attributeValue, existingKey } from '../scim/resource/attribute-value.ts'
import type { AttributeRule, MappedValue } from './mapping.ts'
import { transformed } from './transform.ts'

/** Reads an attribute of a user. */
export type AttributeReader = (resource: JsonObject) => MappedValue | undefined

/** Compiles the rule of an attribute, which is evaluated for many users. */
export function attributeReader({ sources, transforms }: AttributeRule): AttributeReader {
  const readers = sources.map(sourceReader)
  return (resource) => {
    const value = transformed(firstValue(readers, resource), transforms)
    return value === '' ? undefined : bounded(value)
  }
}

/** The longest text of an attribute: each event about the user repeats it. */
const maxLength = 1_000

/** A surrogate pair at the end is not split. */
function bounded(value: MappedValue | undefined): MappedValue | undefined {
  if (typeof value !== 'string' || value.length <= maxLength) return value
  return value.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
}

function firstValue(readers: readonly AttributeReader[], resource: JsonObject): MappedValue | undefined {
  for (const read of readers) {
    const value = read(resource)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/**
 * Reads the value at a path. Of several values the primary one counts, else the first. A complex value without a
 * sub-attribute means its `value`.
 */
function sourceReader(target: AttributeTarget): AttributeReader {
  const isChosen: Predicate = target.filter === undefined ? () => true : createPredicate(target.filter)
  const name = target.subAttribute?.name ?? 'value'
  return (resource) => {
    const value = attributeValue(resource, target)
    const elements = Array.isArray(value) ? value : value === undefined ? [] : [value]
    const chosen = elements.filter((one) => (isObject(one) ? isChosen(one) : target.filter === undefined))
    const simple = primaryFirst(chosen).map((one) => simpleValue(one, name, target.subAttribute === undefined))
    return simple.find((one) => one !== undefined && one !== '')
  }
}

function primaryFirst(values: readonly Json[]): readonly Json[] {
  const primary = values.find((one) => isObject(one) && own(one, 'primary') === true)
  return primary === undefined ? values : [primary, ...values]
}

function simpleValue(value: Json, name: string, isWhole: boolean): MappedValue | undefined {
  const found = isObject(value) ? own(value, existingKey(value, name)) : isWhole ? value : undefined
  return typeof found === 'object' ? undefined : found
}
