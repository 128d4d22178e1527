import type { Texts } from '../../texts/en.ts'
import type { Attribute, MappingDocument, Rule } from './document.ts'
import { ruleIds, rulesOf } from './document.ts'
import { readStep } from './steps.ts'

/** Something that two mappings have differently, in words; `from` or `to` is absent where only one has it. */
export interface Difference {
  readonly name: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Returns the differences between two mappings; null is none. */
export function differencesOf(
  before: MappingDocument | null,
  after: MappingDocument | null,
  texts: Texts['roles'],
): readonly Difference[] {
  const [from, to] = [partsOf(before ?? {}, texts), partsOf(after ?? {}, texts)]
  const names = [...new Set([...to.keys(), ...from.keys()])]
  const changed = names.filter((name) => from.get(name) !== to.get(name))
  const parts = changed.map((name) => ({ name, from: from.get(name), to: to.get(name) }))
  const order = orderDifference(before ?? {}, after ?? {}, texts)
  return order === undefined ? parts : [...parts, order]
}

/** The parts of a mapping, each with its name and its meaning in words. */
function partsOf(document: MappingDocument, texts: Texts['roles']): ReadonlyMap<string, string> {
  const ids = ruleIds(document)
  const { extends: base } = document
  const { mode, default: defaults = [], keep_at_least: minimums = {} } = document.roles ?? {}
  const settings: [string, string][] = [
    ...(base === undefined ? [] : [[texts.basis, texts.onTop] as [string, string]]),
    ...(mode === undefined || mode === 'all' ? [] : [[texts.mode, modeText(mode, texts)] as [string, string]]),
    ...(defaults.length === 0 ? [] : [[texts.default, defaults.join(', ')] as [string, string]]),
    ...Object.entries(minimums).map(([role, n]): [string, string] => [texts.keepOf(role), texts.users(n)]),
  ]
  const rules = rulesOf(document).map((rule, index): [string, string] => [
    texts.ruleNamed(ids[index] ?? ''),
    ruleText(rule, texts),
  ])
  const attributes = Object.entries(document.attributes ?? {}).map(([name, attribute]): [string, string] => [
    texts.attributeNamed(name),
    attributeText(attribute, texts),
  ])
  return new Map([...settings, ...rules, ...attributes])
}

export function modeText(mode: string, { modes }: Texts['roles']): string {
  return mode === 'first' ? modes.first : modes.all
}

/** A rule in words. */
export function ruleText({ role, deny, when = {} }: Rule, texts: Texts['roles']): string {
  const { group, group_name: name, filter } = when
  const conditions = [
    ...(name === undefined ? [] : [texts.inGroup(name)]),
    ...(group === undefined ? [] : [texts.inGroupWithId(group)]),
    ...(filter === undefined ? [] : [filter]),
  ]
  const effect = role === undefined ? texts.never(deny ?? '') : role
  return conditions.length === 0 ? effect : texts.ruleText(effect, conditions.join(` ${texts.and} `))
}

/** The sources and steps of an attribute in words. */
export function attributeText({ from = [], transform = [] }: Attribute, texts: Texts['roles']): string {
  const steps = transform.map((one) => stepText(one, texts))
  return [from.join(` ${texts.or} `), ...steps].join('; ')
}

function stepText(transform: unknown, { steps }: Texts['roles']): string {
  const step = readStep(transform)
  if (step === undefined) return JSON.stringify(transform)
  const { kind, value } = step
  if (value === undefined) return steps[kind]
  if (typeof value !== 'object') return `${steps[kind]} “${value}”`
  const pairs = Object.entries(value).map(([name, becomes]) => `“${name}” = “${becomes}”`)
  return `${steps[kind]} ${pairs.join(', ')}`
}

/** Reports the rules that both have if they are in another order, in which `first` tries them. */
function orderDifference(
  before: MappingDocument,
  after: MappingDocument,
  texts: Texts['roles'],
): Difference | undefined {
  const [from, to] = [ruleIds(before), ruleIds(after)]
  const [left, right] = [new Set(from), new Set(to)]
  const [was, is] = [from.filter((id) => right.has(id)).join(', '), to.filter((id) => left.has(id)).join(', ')]
  return was === is ? undefined : { name: texts.order, from: was, to: is }
}
