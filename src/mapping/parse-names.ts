import { DirectoryError } from '../directory/errors.ts'
import { nearestName } from '../inputs/unknown-fields.ts'
import { ScimError } from '../scim/errors.ts'
import type { Filter } from '../scim/filter/ast.ts'
import { parseFilter } from '../scim/filter/parse.ts'
import type { AttributeTarget } from '../scim/patch/operation.ts'
import { parsePath } from '../scim/patch/path.ts'
import type { AttributePath } from '../scim/schema/resource-type.ts'
import { userType } from '../scim/schema/resource-type.ts'
import type { ParsedFilter } from './mapping.ts'

/**
 * Parses the path of an attribute that a mapping reads, with an optional value filter.
 *
 * @throws DirectoryError `invalid-input` with the reason, and the name that was probably meant
 */
export function parseSource(text: string): AttributeTarget {
  const path = withReason(text, () => parsePath(text, userType))
  if (path.kind === 'extension') throw invalid('this names a whole extension: name one of its attributes.')
  checkAttribute(path)
  const { attribute, subAttribute } = path
  const isWhole = subAttribute === undefined && attribute.type === 'complex' && !attribute.subAttributes.has('value')
  if (isWhole) {
    const names = [...attribute.subAttributes.values()].map(({ name }) => name)
    throw invalid(`${attribute.name} is complex: name one of its sub-attributes, ${names.join(', ')}.`)
  }
  return path
}

/**
 * Parses the filter of a condition.
 *
 * @throws DirectoryError `invalid-input` with the reason and its position
 */
export function parseUserFilter(text: string): ParsedFilter {
  const filter = withReason(text, () => parseFilter(text, userType))
  for (const path of pathsOf(filter)) checkAttribute(path)
  return { text, filter }
}

/** Refuses what is not part of the stored user: it changes without a change of the user. */
function checkAttribute({ extension, attribute }: AttributePath): void {
  if (extension !== undefined) return
  if (attribute.name === 'groups') throw invalid('groups cannot be used here: name the group in group or group_name.')
  if (attribute.name === 'meta' || attribute.name === 'password') {
    throw invalid(`${attribute.name} cannot be used in a mapping.`)
  }
}

function pathsOf(filter: Filter): readonly AttributePath[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [...pathsOf(filter.left), ...pathsOf(filter.right)]
    case 'not':
      return pathsOf(filter.filter)
    default:
      return [filter.path]
  }
}

function withReason<T>(text: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    throw invalid(`${error.message}${suggestion(text)}`)
  }
}

/** The known name next to a misspelled one. Unknown names are attributes of their own, so that only sub-attributes are misspelled. */
function suggestion(text: string): string {
  const words = text.match(/[\w$:.-]{1,300}/g)?.slice(0, 20) ?? []
  const known = [...userType.paths.values()].map(nameOf)
  for (const word of words) {
    const name = word.slice(word.lastIndexOf(':') + 1)
    const nearest = name.includes('.') && !known.includes(name) ? nearestName(name, known) : undefined
    if (nearest !== undefined) return ` Did you mean ${nearest}?`
  }
  return ''
}

function nameOf({ attribute, subAttribute }: AttributePath): string {
  return subAttribute === undefined ? attribute.name : `${attribute.name}.${subAttribute.name}`
}

function invalid(message: string): DirectoryError {
  return new DirectoryError('invalid-input', message)
}
