import { invalidFilter, quote } from '../errors.ts'
import { withSubAttribute } from '../providers/entra-id.ts'
import type { AttributePath, ResourceType } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import type { Filter, Operator, ValuePath } from './ast.ts'
import { operators } from './ast.ts'
import type { OperatorToken } from './comparison.ts'
import { createComparison } from './comparison.ts'
import { matches } from './evaluate.ts'
import type { ResolvedAttribute, Scope } from './scope.ts'
import { crossTypeScope, resolveName, resourceScope, valueScope } from './scope.ts'
import type { TokenReader } from './token-reader.ts'
import {
  countTerm,
  createTokenReader,
  nested,
  peek,
  take,
  takeKeyword,
  takeLiteral,
  unexpected,
} from './token-reader.ts'
import type { Token } from './tokenize.ts'

const operatorWords: ReadonlyMap<string, Operator> = new Map(operators.map((operator) => [operator, operator]))

const junctions: ReadonlySet<string> = new Set(['and', 'or'])

/**
 * Parses a filter (RFC 7644 §3.4.2.2). Operators, names and keywords are case-insensitive.
 *
 * @throws ScimError `invalidFilter` with the position for a syntax error, an unknown attribute, a literal of the wrong
 *   type, or more than `filterLimits` allow
 */
export function parseFilter(text: string, resourceType: ResourceType): Filter {
  return parse(text, resourceScope(resourceType))
}

/**
 * Parses a filter over several resource types for one of them: an attribute this type lacks has no value (RFC 7644
 * §3.4.2.1), so `userName pr` matches no group and `userName ne "x"` matches all of them.
 *
 * @throws ScimError `invalidFilter`, as `parseFilter`, except for unknown names that are well-formed
 */
export function parseFilterAcrossTypes(text: string, resourceType: ResourceType): Filter {
  return parse(text, crossTypeScope(resourceType))
}

/**
 * Parses the filter in the brackets of a value path (`valFilter`); names are sub-attributes of `attribute`.
 *
 * @throws ScimError `invalidFilter`, as `parseFilter`; positions are counted from the opening bracket
 */
export function parseValueFilter(text: string, attribute: Attribute): Filter {
  return parse(text, valueScope(attribute))
}

function parse(text: string, scope: Scope): Filter {
  const cursor = createTokenReader(text)
  const filter = parseOr(cursor, scope)
  take(cursor, 'end', '"and", "or" or the end')
  return filter
}

function parseOr(cursor: TokenReader, scope: Scope): Filter {
  let left = parseAnd(cursor, scope)
  while (takeKeyword(cursor, 'or')) left = { kind: 'or', left, right: parseAnd(cursor, scope) }
  return left
}

function parseAnd(cursor: TokenReader, scope: Scope): Filter {
  let left = parseTerm(cursor, scope)
  while (takeKeyword(cursor, 'and')) left = { kind: 'and', left, right: parseTerm(cursor, scope) }
  return left
}

function parseTerm(cursor: TokenReader, scope: Scope): Filter {
  if (peek(cursor).kind === '(') return parseGroup(cursor, scope)
  if (!takeKeyword(cursor, 'not')) return parseExpression(cursor, scope)
  return { kind: 'not', filter: parseGroup(cursor, scope) }
}

function parseGroup(cursor: TokenReader, scope: Scope): Filter {
  const { at } = take(cursor, '(', '"(" after "not"')
  const filter = nested(cursor, at, () => parseOr(cursor, scope))
  take(cursor, ')', '")"')
  return filter
}

function parseExpression(cursor: TokenReader, scope: Scope): Filter {
  const name = take(cursor, 'word', 'an attribute')
  if (junctions.has(name.text.toLowerCase())) throw unexpected(name, 'an attribute')
  countTerm(cursor, name.at)
  const named = resolveName(scope, name)
  const isValuePath = peek(cursor).kind === '['
  return constantIfUnknown(
    named,
    isValuePath ? parseValuePath(cursor, scope, named.path, name) : parseComparison(cursor, named.path),
  )
}

function parseComparison(cursor: TokenReader, path: AttributePath): Filter {
  const written = take(cursor, 'word', 'an operator')
  const word = operatorWords.has(written.text) ? written.text : written.text.toLowerCase()
  if (word === 'pr') return { kind: 'present', path }
  return createComparison(path, operatorOf(written, word), takeLiteral(cursor))
}

function operatorOf({ text, at }: Token, word: string): OperatorToken {
  const operator = operatorWords.get(word)
  if (operator === undefined) throw invalidFilter(at, `${quote(text)} is not one of ${operators.join(', ')} and pr`)
  return { operator, at }
}

function parseValuePath(cursor: TokenReader, scope: Scope, path: AttributePath, name: Token): Filter {
  const { attribute, subAttribute } = path
  if (subAttribute !== undefined || (attribute.type !== 'complex' && attribute.type !== 'any')) {
    throw invalidFilter(name.at, `${quote(name.text)} has no sub-attributes to filter`)
  }
  const { at } = take(cursor, '[', '"["')
  const within = scope.within(attribute)
  const filter = nested(cursor, at, () => parseOr(cursor, within))
  const { at: end } = take(cursor, ']', '"and", "or" or "]"')
  const behind = peek(cursor)
  const valuePath: ValuePath = { kind: 'value-path', path, filter }
  const isExtended = !attribute.isStrict && behind.at === end + 1 && behind.text.startsWith('.')
  return isExtended ? parseAfterBracket(cursor, within, valuePath) : valuePath
}

/** Parses `.value eq "x"` after the brackets, an extension to the grammar that a strict directory rejects. */
function parseAfterBracket(cursor: TokenReader, within: Scope, valuePath: ValuePath): Filter {
  const { text, at } = take(cursor, 'word', 'a sub-attribute')
  const named = resolveName(within, { text: text.slice(1), at })
  return withSubAttribute(valuePath, parseComparison(cursor, named.path), (one) => constantIfUnknown(named, one))
}

/**
 * Replaces a condition on an unknown attribute by a constant: such an attribute has no value (RFC 7644 §3.4.2.1), so
 * the result is the same for every resource.
 */
export function constantIfUnknown({ path, isKnown }: ResolvedAttribute, condition: Filter): Filter {
  return isKnown ? condition : { kind: 'constant', path, holds: matches(condition, {}) }
}
