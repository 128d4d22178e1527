import type { MappingDocument } from './document.ts'

/** The parsed text of a draft: a document, or the reason why the form cannot show it. */
export type Draft =
  | { readonly document: MappingDocument; readonly problem?: undefined }
  | { readonly document?: undefined; readonly problem: DraftProblem }

/** `at` is the part of the document that has another form than the editor knows; without it, the text is not JSON. */
export interface DraftProblem {
  readonly at?: string
  readonly message?: string
}

export function readDraft(text: string): Draft {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: { message: error instanceof Error ? error.message : String(error) } }
  }
  const at = differingPart(value, documentShape, '')
  return at === undefined ? { document: value as MappingDocument } : { problem: { at } }
}

/** The text of a document; what is undefined or empty in it is left out. */
export function textOf(document: MappingDocument): string {
  return JSON.stringify(document, null, 2)
}

type Shape = 'text' | 'number' | 'any' | { list: Shape } | { each: Shape } | { fields: Readonly<Record<string, Shape>> }

const documentShape: Shape = {
  fields: {
    extends: 'text',
    attributes: { each: { fields: { from: { list: 'text' }, transform: { list: 'any' } } } },
    roles: {
      fields: {
        mode: 'text',
        default: { list: 'text' },
        keep_at_least: { each: 'number' },
        rules: {
          list: {
            fields: {
              ...{ id: 'text', role: 'text', deny: 'text' },
              when: { fields: { group: 'text', group_name: 'text', filter: 'text' } },
            },
          },
        },
      },
    },
  },
}

/** The first part of a value that has another form than the shape; fields that it does not name are anything. */
function differingPart(value: unknown, shape: Shape, path: string): string | undefined {
  if (shape === 'any') return undefined
  if (shape === 'text') return typeof value === 'string' ? undefined : path
  if (shape === 'number') return typeof value === 'number' ? undefined : path
  if ('list' in shape) {
    if (!Array.isArray(value)) return path
    return firstOf(value.map((item, index) => () => differingPart(item, shape.list, `${path}[${index}]`)))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return path || 'mapping'
  const fields = 'each' in shape ? Object.keys(value).map((name) => [name, shape.each] as const) : entriesOf(shape)
  return firstOf(
    fields.map(([name, inner]) => () => {
      const part: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
      return part === undefined ? undefined : differingPart(part, inner, path === '' ? name : `${path}.${name}`)
    }),
  )
}

function entriesOf({ fields }: { readonly fields: Readonly<Record<string, Shape>> }) {
  return Object.entries(fields)
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}
