import { useState } from 'react'
import type { Texts } from '../../texts/en.ts'
import type { Attribute, MappingDocument } from './document.ts'
import { conditionParts, ruleIds, rulesOf } from './document.ts'

/** Something that is wrong with a part of a mapping, or probably not meant. */
export interface Remark {
  readonly text: string
  /** The field of the form that it is about, such as `filter` or `from[0]`. */
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

/** The part with the first problem, when somebody tried to apply the draft. */
export interface Wrong {
  readonly list: 'rules' | 'attributes' | 'others'
  readonly index: number
}

/** The properties of a list that shows what is wrong with its items. */
export interface Remarked {
  readonly document: MappingDocument
  readonly remarks: Remarks
  /** Undefined until somebody tries to apply a draft that has problems. */
  readonly wrong: Wrong | undefined
  readonly change: (document: MappingDocument) => void
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

/** Puts the problems that the service found, and its warnings, at the rules and attributes that they name. */
export function placeRemarks(
  document: MappingDocument,
  problems: readonly Problem[],
  warnings: readonly Warning[],
  texts: Texts['roles'],
): Remarks {
  const rules = new Map<number, Remark[]>()
  const attributes = new Map<string, Remark[]>()
  const others: Remark[] = []
  // The longest first: a name may begin with another one.
  const names = Object.keys(document.attributes ?? {}).sort((a, b) => b.length - a.length)
  for (const { field, message } of problems) {
    const rule = /^roles\.rules\[(\d+)\]/.exec(field)?.[1]
    const attribute = names.find((name) => isBelow(field, `attributes.${name}`))
    const reason = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
    if (rule !== undefined) {
      const remark = ruleRemark(document, Number(rule), field, reason, texts)
      if (remark !== undefined) add(rules, Number(rule), remark)
    } else if (attribute !== undefined) {
      const about = field.slice(`attributes.${attribute}.`.length)
      add(attributes, attribute, attributeRemark(document.attributes?.[attribute] ?? {}, about, reason, texts))
    } else others.push(otherRemark(field, message, texts))
  }
  const places = new Map(ruleIds(document).map((id, index) => [id, index]))
  for (const { code, rule, message } of warnings) {
    const index = code === 'too-few-users' ? undefined : places.get(rule)
    if (index === undefined) others.push({ text: message, isWarning: true })
    else add(rules, index, { text: message, isWarning: true })
  }
  return { rules, attributes, others }
}

/** The first part that has a remark. */
export function firstWrong(document: MappingDocument, { rules, attributes }: Remarks): Wrong {
  const [rule] = rules.keys()
  if (rule !== undefined) return { list: 'rules', index: rule }
  const index = Object.keys(document.attributes ?? {}).findIndex((name) => attributes.has(name))
  return { list: index < 0 ? 'others' : 'attributes', index }
}

function isBelow(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`)
}

/** Undefined if it says again what another problem of the rule says. */
function ruleRemark(
  document: MappingDocument,
  index: number,
  place: string,
  reason: string,
  texts: Texts['roles'],
): Remark | undefined {
  const { id, when = {} } = rulesOf(document)[index] ?? {}
  const name = /\.(\w+)$/.exec(place)?.[1]
  if (name === 'when' && conditionParts.some((part) => when[part] !== undefined)) return undefined
  // The service names the rule as a whole if another one has its id.
  const isTaken = id !== undefined && rulesOf(document).filter((rule) => rule.id === id).length > 1
  const about = name === 'deny' ? 'role' : (name ?? (isTaken ? 'id' : ''))
  // What is wrong with a filter that was entered, only the service knows.
  const isEntered = about === 'filter' && when.filter !== ''
  const wrong: Readonly<Record<string, string>> = texts.wrong
  return { text: isEntered ? reason : (wrong[about] ?? reason), field: about, isWarning: false }
}

function attributeRemark({ from = [] }: Attribute, about: string, reason: string, texts: Texts['roles']): Remark {
  // The service names a source that it cannot read, but not one that is empty.
  if (about.startsWith('from[')) return { text: reason, field: about, isWarning: false }
  if (about === 'from') return { text: texts.wrong.from, field: `from[${from.indexOf('')}]`, isWarning: false }
  const { attribute, transform } = texts.wrong
  return { text: about === '' ? attribute : transform, field: about || 'name', isWarning: false }
}

/** A problem that only the JSON can have keeps the words of the service: whoever writes JSON knows its names. */
function otherRemark(field: string, message: string, texts: Texts['roles']): Remark {
  const kept = /^roles\.keep_at_least\.(.*)$/s.exec(field)?.[1]
  if (kept !== undefined) return { text: texts.wrongKept(kept), field: `keep ${kept}`, isWarning: false }
  if (field === 'roles.default') return { text: texts.wrong.default, field: 'default', isWarning: false }
  return { text: message, isWarning: false }
}

/**
 * The properties of the fields of a part, with what is wrong: said when a field is left, not while it is still empty.
 *
 * @param isSubmitted whether somebody tried to apply the draft, so that every problem is said
 */
export function useFieldProblems(remarks: readonly Remark[], isSubmitted: boolean) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  return (name: string) => {
    const problem = remarks.find(({ field, isWarning }) => field === name && !isWarning)
    const onBlur = () => setLeft((before) => new Set(before).add(name))
    return { error: isSubmitted || left.has(name) ? problem?.text : undefined, onBlur }
  }
}

function add<K>(map: Map<K, Remark[]>, key: K, remark: Remark): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [remark])
  else known.push(remark)
}
