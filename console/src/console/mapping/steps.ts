/** The transforms of attributes, in the order in which they are offered. */
export const stepKinds = ['lower', 'upper', 'trim', 'after', 'before', 'map', 'default'] as const
export type StepKind = (typeof stepKinds)[number]

export type MappedValue = string | number | boolean

/** A transform as the form edits it; `value` is a text, an object for `map`, and absent for the plain ones. */
export interface Step {
  readonly kind: StepKind
  readonly value?: MappedValue | Readonly<Record<string, MappedValue>>
}

const plain: ReadonlySet<string> = new Set(['lower', 'upper', 'trim'])

/** The transform of a document; undefined when the form cannot show it. */
export function readStep(transform: unknown): Step | undefined {
  if (typeof transform === 'string') return plain.has(transform) ? { kind: transform as StepKind } : undefined
  if (typeof transform !== 'object' || transform === null) return undefined
  const entries: [string, unknown][] = Object.entries(transform)
  const [kind = '', value] = entries[0] ?? []
  if (entries.length !== 1 || plain.has(kind) || !stepKinds.some((known) => known === kind)) return undefined
  return isValueOf(kind, value) ? ({ kind, value } as Step) : undefined
}

function isValueOf(kind: string, value: unknown): boolean {
  if (kind === 'map') return isObject(value) && Object.values(value).every(isMappedValue)
  return kind === 'default' ? isMappedValue(value) : typeof value === 'string'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isMappedValue(value: unknown): value is MappedValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** A new step of a kind. */
export function newStep(kind: StepKind): Step {
  if (plain.has(kind)) return { kind }
  return { kind, value: kind === 'map' ? {} : '' }
}

/** The transform as the document has it. */
export function transformOf({ kind, value }: Step): unknown {
  return value === undefined ? kind : { [kind]: value }
}

/** Returns the value that was typed: a number or a boolean stays one while the text is one. */
export function mappedValueOf(text: string, before: MappedValue): MappedValue {
  if (typeof before === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
