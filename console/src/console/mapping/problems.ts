import type { MappingDocument } from './document.ts'
import { ruleIds } from './document.ts'

/** Something that is wrong with a part of a mapping, or probably not meant. */
export interface Remark {
  readonly text: string
  /** The field that it is about, such as `filter`, if it is one of the form. */
  readonly field?: string | undefined
  readonly isWarning: boolean
}

/** Remarks by the part of the document that they are about. */
export interface Remarks {
  /** By the position of the rule. */
  readonly rules: ReadonlyMap<number, readonly Remark[]>
  /** By the name of the attribute. */
  readonly attributes: ReadonlyMap<string, readonly Remark[]>
  /** About the whole, or about what the document does not have. */
  readonly others: readonly Remark[]
}

export interface Problem {
  readonly field: string
  readonly message: string
}

export interface Warning {
  readonly code: string
  readonly rule: string
  readonly message: string
}

const ruleFields = ['id', 'role', 'deny', 'group', 'group_name', 'filter'] as const

/** Puts the problems that the service found, and its warnings, at the rules and attributes that they name. */
export function placeRemarks(
  document: MappingDocument,
  problems: readonly Problem[],
  warnings: readonly Warning[],
): Remarks {
  const rules = new Map<number, Remark[]>()
  const attributes = new Map<string, Remark[]>()
  const others: Remark[] = []
  // The longest first: a name may begin with another one.
  const names = Object.keys(document.attributes ?? {}).sort((a, b) => b.length - a.length)
  for (const { field, message } of problems) {
    const rule = /^roles\.rules\[(\d+)\]/.exec(field)?.[1]
    const attribute = names.find((name) => isBelow(field, `attributes.${name}`))
    const text = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
    if (rule !== undefined) {
      const about = ruleFields.find((name) => field.endsWith(`.${name}`))
      add(rules, Number(rule), { text: withField(text, about), field: about, isWarning: false })
    } else if (attribute !== undefined) {
      const rest = field.slice(`attributes.${attribute}.`.length)
      add(attributes, attribute, { text: withField(text, rest || undefined), isWarning: false })
    } else others.push({ text: message, isWarning: false })
  }
  const places = new Map(ruleIds(document).map((id, index) => [id, index]))
  for (const { code, rule, message } of warnings) {
    const index = code === 'too-few-users' ? undefined : places.get(rule)
    if (index === undefined) others.push({ text: message, isWarning: true })
    else add(rules, index, { text: message, isWarning: true })
  }
  return { rules, attributes, others }
}

function isBelow(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`)
}

function withField(text: string, field: string | undefined): string {
  return field === undefined ? text : `${field}: ${text}`
}

function add<K>(map: Map<K, Remark[]>, key: K, remark: Remark): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [remark])
  else known.push(remark)
}
