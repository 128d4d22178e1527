import { DirectoryError, throwProblems } from '../directory/errors.ts'
import type { Schema } from '../inputs/json-schema.ts'
import { matches } from '../inputs/json-schema-check.ts'
import type { FieldProblem } from '../inputs/unknown-fields.ts'
import { unknownFields } from '../inputs/unknown-fields.ts'
import { countTerms } from '../scim/filter/ast.ts'
import { isObject } from '../scim/json.ts'
import type { AttributeDocument, ConditionDocument, MappingDocument, RolesDocument, RuleDocument } from './document.ts'
import { AttributeInput, ConditionInput, MappingInput, mappingLimits, RolesInput, RuleInput } from './document.ts'
import type { AttributeRule, Condition, Mapping, RoleRule, RoleRules } from './mapping.ts'
import { rolesOf } from './mapping.ts'
import { parseSource, parseUserFilter } from './parse-names.ts'

/** Collects what is wrong with a mapping, so that one response names the first problems. */
interface Problems {
  /** @throws DirectoryError `invalid-input` when there are enough */
  report(field: string, message: string): void
  /** Notes how many elements of a list would be left if the next problem is the last one that is reported. */
  left(field: string, count: number): void
  count(): number
}

/** Parses in steps: whoever runs them may let others have a turn after each. */
type Steps<T> = Generator<undefined, T>

/**
 * Parses a mapping of a directory or of a product.
 *
 * @param nextSlice resolves when the next part may be parsed
 * @throws DirectoryError `invalid-input`, which names the first rules and attributes that are wrong, and why
 */
export async function parseMapping(
  input: unknown,
  owner: 'directory' | 'product',
  nextSlice: () => Promise<void>,
): Promise<Mapping> {
  if (!isObject(input)) throw new DirectoryError('invalid-input', 'mapping: send a JSON object.')
  await nextSlice()
  if (lengthOf(input) > mappingLimits.length) {
    throw new DirectoryError('invalid-input', `mapping: at most ${mappingLimits.length} characters of JSON.`)
  }
  const steps = withoutProblems(function* (problems) {
    const mapping = yield* read(input, mappingLimits, problems)
    if ('extends' in input && owner === 'product') {
      const message = 'the mapping of a product extends none; remove it here, and use it in that of a directory.'
      problems.report('extends', message)
    } else if (!('extends' in input)) checkKept(mapping, problems)
    return mapping
  })
  for (;;) {
    await nextSlice()
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Parses a mapping in effect, whose documents were parsed before they were stored: together, two may exceed the limits of one. */
export function parseMappingInEffect(document: MappingDocument): Mapping {
  const steps = withoutProblems((problems) => read(document, noLimits, problems))
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

type Limits = Readonly<Record<'attributes' | 'rules' | 'roles' | 'conditions', number>>

const noLimits: Limits = { attributes: Infinity, rules: Infinity, roles: Infinity, conditions: Infinity }

function* withoutProblems<T>(parse: (problems: Problems) => Steps<T>): Steps<T> {
  const problems: FieldProblem[] = []
  let rest: FieldProblem[] = []
  const parsed = yield* parse({
    report(field, message) {
      problems.push({ field, message: `${field}: ${message}` })
      if (problems.length === maxReported) throwProblems([...problems, ...rest])
    },
    left(field, count) {
      const message = `${field}: the last ${count} were not checked; fix these problems first.`
      rest = count === 0 ? [] : [{ field, message }]
    },
    count: () => problems.length,
  })
  throwProblems(problems)
  return parsed
}

const maxReported = 20
/** How many rules and attributes are parsed in one step. */
const parsedAtOnce = 20

function lengthOf(input: object): number {
  return JSON.stringify(input).length
}

function* read(input: object, limits: Limits, problems: Problems): Steps<Mapping> {
  const { attributes, roles } = shaped<MappingDocument>('mapping', MappingInput, input, problems)
  const mapping = {
    attributes: yield* readAttributes(attributes, limits, problems),
    roles: roles && (yield* readRoles(roles, limits, problems)),
  }
  const conditions = (mapping.roles?.rules ?? []).map(({ condition }) => condition.filter)
  const terms = conditions.reduce((sum, one) => sum + (one === undefined ? 0 : countTerms(one.filter)), 0)
  if (terms > limits.conditions) {
    problems.report('roles.rules', `the filters have ${terms} conditions; at most ${limits.conditions} are allowed.`)
  }
  return mapping
}

/**
 * The properties of an object that conform to their schemas; reports the others, and unknown names. The elements of lists are checked
 * one by one, so that the report names them.
 */
function shaped<T extends object>(
  field: string,
  {
    properties,
    required = [],
  }: { readonly properties: Readonly<Record<string, Schema>>; readonly required?: readonly string[] },
  input: object,
  problems: Problems,
): Partial<T> {
  const prefix = field === 'mapping' ? '' : `${field}.`
  for (const { field: name, message } of unknownFields(Object.keys(properties), input)) {
    problems.report(`${prefix}${name}`, message.slice(name.length + 2))
  }
  const valid = Object.entries(properties).flatMap(([name, schema]) => {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined
    if (value === undefined && !required.includes(name)) return []
    if (isCheckedApart(name, value) || matches(schema, value)) return [[name, value] as const]
    problems.report(`${prefix}${name}`, withoutName(schema.description ?? 'invalid.'))
    return []
  })
  return Object.fromEntries(valid) as Partial<T>
}

const objects: ReadonlySet<string> = new Set(['attributes', 'roles', 'when', 'keep_at_least'])

/** Returns whether the parts of a property are checked one by one. */
function isCheckedApart(name: string, value: unknown): boolean {
  return name === 'rules' ? Array.isArray(value) : objects.has(name) && isObject(value)
}

function withoutName(description: string): string {
  return description.replace(/^\w+: /, '')
}

function* readAttributes(
  attributes: MappingDocument['attributes'],
  limits: Limits,
  problems: Problems,
): Steps<AttributeRule[]> {
  const entries = Object.entries(attributes ?? {})
  if (entries.length > limits.attributes) {
    problems.report('attributes', `at most ${limits.attributes} attributes.`)
    return []
  }
  const read = ([name, rule]: (typeof entries)[number]) => readAttribute(`attributes.${name}`, name, rule, problems)
  return yield* readList('attributes', entries, read, problems)
}

function readAttribute(field: string, name: string, input: unknown, problems: Problems): AttributeRule[] {
  if (!/^[A-Za-z_][\w.-]{0,99}$/.test(name)) {
    problems.report(field, 'a name has 1 to 100 letters, digits, "_", "-" and ".", and begins with a letter or "_".')
    return []
  }
  if (!isObject(input)) {
    problems.report(field, 'an object with from, a list of SCIM attribute paths.')
    return []
  }
  const { from, transform = [] } = shaped<AttributeDocument>(field, AttributeInput, input, problems)
  if (!Array.isArray(from)) return []
  const sources = from.flatMap((path, index) => attempt(() => parseSource(path), `${field}.from[${index}]`, problems))
  return [{ name, sources, transforms: transform }]
}

/** The value, or none after reporting why there is none. */
function attempt<T>(parse: () => T, field: string, problems: Problems): T[] {
  try {
    return [parse()]
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    problems.report(field, error.message)
    return []
  }
}

function* readRoles(input: RolesDocument, limits: Limits, problems: Problems): Steps<RoleRules> {
  const { mode = 'all', rules, keep_at_least, ...rest } = shaped<RolesDocument>('roles', RolesInput, input, problems)
  const roles = {
    mode,
    defaults: [...(rest.default ?? [])].sort(),
    keepAtLeast: new Map(Object.entries(keep_at_least ?? {})),
    rules: yield* readRules(rules, limits, problems),
  }
  if (rolesOf(roles).size > limits.roles) problems.report('roles', `at most ${limits.roles} different roles.`)
  for (const [role, minimum] of roles.keepAtLeast) {
    if (!isMinimum(minimum)) problems.report(`roles.keep_at_least.${role}`, 'a whole number from 1 to 1000000.')
  }
  return roles
}

function isMinimum(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000
}

/** Refuses to keep roles that a mapping does not give. One that extends another may keep the roles of that one. */
function checkKept({ roles }: Mapping, problems: Problems): void {
  if (roles === undefined) return
  const given = rolesOf(roles)
  for (const [role, minimum] of roles.keepAtLeast) {
    if (!isMinimum(minimum) || given.has(role)) continue
    problems.report(`roles.keep_at_least.${role}`, 'no rule gives this role; add one, or remove the role here.')
  }
}

function* readRules(input: readonly RuleDocument[] | undefined, limits: Limits, problems: Problems): Steps<RoleRule[]> {
  const rules = input ?? []
  if (rules.length > limits.rules) {
    problems.report('roles.rules', `at most ${limits.rules} rules.`)
    return []
  }
  const ids = new Set(rules.flatMap((rule) => (isObject(rule) && typeof rule.id === 'string' ? [rule.id] : [])))
  const newId = idsBesides(ids)
  const seen = new Set<string>()
  return yield* readList('roles.rules', rules, (rule, index) => readRule(rule, index, newId, seen, problems), problems)
}

/** Reads the elements of a list, a few in each step; one with a problem takes longer, as the names that were meant are found. */
function* readList<T, Read>(
  field: string,
  elements: readonly T[],
  read: (element: T, index: number) => readonly Read[],
  problems: Problems,
): Steps<Read[]> {
  const found: Read[] = []
  let known = 0
  for (const [index, element] of elements.entries()) {
    if (index % parsedAtOnce === 0 || problems.count() > known) yield
    known = problems.count()
    problems.left(field, elements.length - index - 1)
    found.push(...read(element, index))
  }
  problems.left(field, 0)
  return found
}

/** Makes ids for the rules that have none: r1, r2 and so on, without those in use. */
export function idsBesides(used: ReadonlySet<string>): () => string {
  let last = 0
  return () => {
    do last += 1
    while (used.has(`r${last}`))
    return `r${last}`
  }
}

function readRule(
  input: unknown,
  index: number,
  newId: () => string,
  seen: Set<string>,
  problems: Problems,
): RoleRule[] {
  const position = `roles.rules[${index}]`
  if (!isObject(input)) {
    problems.report(position, 'an object with role or deny, and when.')
    return []
  }
  const named = typeof input['id'] === 'string' ? `${position} (${input['id'].slice(0, 40)})` : position
  const { id = newId(), role, deny, when } = shaped<RuleDocument>(named, RuleInput, input, problems)
  if (seen.has(id)) problems.report(named, 'another rule has this id; ids must be unique.')
  seen.add(id)
  if ('role' in input === 'deny' in input) problems.report(named, 'name the role either in role or in deny.')
  const condition = when && readCondition(`${named}.when`, when, problems)
  const about = role ?? deny
  if (condition === undefined || about === undefined) return []
  return [{ id, kind: role === undefined ? 'deny' : 'give', role: about, condition }]
}

function readCondition(field: string, input: ConditionDocument, problems: Problems): Condition | undefined {
  const when = shaped<ConditionDocument>(field, ConditionInput, input, problems)
  if (Object.keys(when).length === 0) {
    problems.report(field, 'name a group, a group_name or a filter.')
    return undefined
  }
  const { group, group_name, filter: text } = when
  const filters = text === undefined ? [] : attempt(() => parseUserFilter(text), `${field}.filter`, problems)
  return { groupId: group, groupName: group_name, filter: filters[0] }
}
