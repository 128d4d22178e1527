import { readFileSync } from 'node:fs'
import type { Validator } from 'typebox/schema'
import { Compile } from 'typebox/schema'

// Every answer that a test receives is compared with openapi/openapi.json: its status must be listed, and its body must
// have the form of that status, without further fields.

/** The committed description. */
export const descriptionFile = new URL('../../openapi/openapi.json', import.meta.url)

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
  }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, DescribedResponse | Reference>>
}

interface Reference {
  readonly $ref: string
}

interface DescribedResponse {
  readonly content?: Readonly<Record<string, Media>>
}

interface Media {
  readonly schema?: object
  readonly example?: unknown
}

/** An answer as a client received it. */
export interface AnswerFacts {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

interface Description {
  readonly described: Described
  readonly routes: readonly (readonly [pattern: RegExp, methods: Readonly<Record<string, Operation>>])[]
  /** The compiled schemas, by their description. */
  readonly validators: Map<object, Validator>
}

let description: Description | undefined

/** The problem with an answer; undefined when it conforms to the description, or its URL is not described. */
export function descriptionProblem(answer: AnswerFacts): string | undefined {
  description ??= readDescription()
  const operation = operationOf(description, answer)
  if (operation === undefined) return undefined
  const { responses, operationId } = operation
  const { method, path, status, contentType } = answer
  const where = `${method} ${path} (${operationId}) responded with ${status}`
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (response === undefined) return `${where}, which openapi/openapi.json does not list: add the status to its route`
  const [mediaType = ''] = contentType.split(';')
  const schema = responseOf(description, response)?.content?.[mediaType]?.schema
  if (schema === undefined || !mediaType.endsWith('json')) return undefined
  const problem = schemaProblem(description, schema, withFirstRows(answer.body))
  return problem && `${where}, and its body is not as described in openapi/openapi.json: ${problem}`
}

/** The problem with an event that an endpoint received; undefined when it conforms to the description. */
export function eventProblem(event: { readonly event: string; readonly data?: object }): string | undefined {
  const isErased = event.data !== undefined && 'erased' in event.data && event.event !== 'user.erased'
  return webhookProblem(isErased ? 'erased' : event.event, 'Event', event)
}

/** The problem with a notice that an operator received; undefined when it conforms to the description. */
export function noticeProblem(notice: { readonly type: string }): string | undefined {
  return webhookProblem(notice.type, 'Notice', notice)
}

function webhookProblem(type: string, kind: 'Event' | 'Notice', body: object): string | undefined {
  description ??= readDescription()
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const schema = description.described.components.schemas[words.join('') + kind] ?? {}
  const problem = schemaProblem(description, schema, body)
  return problem && `${kind} ${type} is not as described in openapi/openapi.json: ${problem}`
}

function readDescription(): Description {
  const described: Described = JSON.parse(readFileSync(descriptionFile, 'utf8'))
  const routes = Object.entries(described.paths).map(([path, methods]) => [patternOf(path), methods] as const)
  // Fixed segments take precedence over parameters.
  const sorted = routes.sort(([a], [b]) => a.source.split('[^/]+').length - b.source.split('[^/]+').length)
  return { described, routes: sorted, validators: new Map() }
}

function patternOf(path: string): RegExp {
  const segments = path.replace(/\/$/, '').split(/\{\w+\}/)
  return new RegExp(`^${segments.map((one) => RegExp.escape(one)).join('[^/]+')}/?$`)
}

function operationOf({ routes }: Description, { method, path }: AnswerFacts): Operation | undefined {
  const [pathname = ''] = path.replace('/api/v1/dsync', '/api/v1/directory-sync').split('?')
  return routes.find(([pattern]) => pattern.test(pathname))?.[1][method.toLowerCase()]
}

function responseOf({ described }: Description, response: DescribedResponse | Reference) {
  return '$ref' in response ? described.components.responses[nameOf(response)] : response
}

function schemaProblem(all: Description, schema: object, value: unknown): string | undefined {
  const validator = all.validators.get(schema) ?? compile(all, schema)
  if (validator.Check(value)) return undefined
  const [, errors] = validator.Errors(value)
  return errors
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    .join('; ')
}

function compile({ described, validators }: Description, schema: object): Validator {
  const schemas = closed(schemasOf(schema, described.components.schemas))
  const validator: Validator = Compile({ ...closed(schema), components: { schemas } })
  validators.set(schema, validator)
  return validator
}

/** The schemas that a schema refers to, directly or through others. */
function schemasOf(
  schema: object,
  all: Described['components']['schemas'],
  found: Record<string, object> = {},
): Record<string, object> {
  for (const [, $ref = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) {
    const name = nameOf({ $ref })
    const referred = all[name]
    if (referred === undefined || name in found) continue
    found[name] = referred
    schemasOf(referred, all, found)
  }
  return found
}

const nameOf = ({ $ref }: Reference) => $ref.split('/').at(-1) ?? ''

/** The same schema, without properties of objects that are not described. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isOpen = typeof parts['properties'] !== 'object' || 'additionalProperties' in parts
  return (isOpen ? parts : { ...parts, additionalProperties: false }) as T
}

/** Checks only a few rows of a list, because all of them are made in the same way. */
function withFirstRows(body: unknown): unknown {
  const { data }: { data?: unknown } = Object(body)
  return Array.isArray(data) ? { ...Object(body), data: data.slice(0, 10) } : body
}

/** The problems with the examples of bodies, of requests and responses. */
export function exampleProblems(): string[] {
  description ??= readDescription()
  const all = description
  return [...mediaOf(all.described)].flatMap(([where, { schema, example }]) => {
    const problem = schema === undefined ? undefined : schemaProblem(all, schema, example)
    return problem === undefined ? [] : [`${where}: ${problem}`]
  })
}

/** Every body that is described, with its place. */
function* mediaOf(value: unknown, where = ''): Generator<[string, Media], void, undefined> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const place = `${where}/${name}`
    if (name === 'content') for (const [type, media] of Object.entries(part)) yield [`${place}/${type}`, media as Media]
    else if (name !== 'example' && name !== 'examples') yield* mediaOf(part, place)
  }
}
