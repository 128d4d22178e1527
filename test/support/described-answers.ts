import { readFileSync } from 'node:fs'
import { Check, Errors } from 'typebox/schema'

// Every answer that a test receives is compared with openapi/openapi.json: its status must be listed, and its body must have
// the form of that status, without further fields.

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
  }
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>
}

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
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
  readonly components: object
  readonly routes: readonly (readonly [pattern: RegExp, methods: Readonly<Record<string, Operation>>])[]
}

let description: Description | undefined

/** What is wrong with an answer; undefined when it is as described, or when nothing is described for its URL. */
export function descriptionProblem(answer: AnswerFacts): string | undefined {
  description ??= readDescription()
  const operation = operationOf(description, answer)
  if (operation === undefined) return undefined
  const { responses, operationId } = operation
  const { method, path, status } = answer
  const where = `${method} ${path} (${operationId}) responded with ${status}`
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (response === undefined) return `${where}, which openapi/openapi.json does not list: add the status to its route`
  const schema = schemaOf(description, response, answer.contentType)
  if (schema === undefined) return undefined
  const problem = schemaProblem(description, schema, withFirstRows(answer.body))
  return problem && `${where}, and its body is not as described in openapi/openapi.json: ${problem}`
}

/** What is wrong with an event that an endpoint received; undefined when it is as described. */
export function eventProblem(event: { readonly event: string }): string | undefined {
  description ??= readDescription()
  const words = event.event.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const problem = schemaProblem(description, { $ref: `#/components/schemas/${words.join('')}Event` }, event)
  return problem && `An event ${event.event} is not as described in openapi/openapi.json: ${problem}`
}

function schemaProblem({ components }: Description, schema: object, value: unknown): string | undefined {
  const whole = { ...schema, components }
  if (Check(whole, value)) return undefined
  const [, errors] = Errors(whole, value)
  return errors
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    .join('; ')
}

/** The rows of a list are all made in the same way: a few are enough. */
function withFirstRows(body: unknown): unknown {
  const { data }: { data?: unknown } = Object(body)
  return Array.isArray(data) ? { ...Object(body), data: data.slice(0, 10) } : body
}

function readDescription(): Description {
  const text = readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')
  const described: Described = JSON.parse(text)
  const routes = Object.entries(described.paths).map(([path, methods]) => [patternOf(path), methods] as const)
  // Fixed segments take precedence over parameters.
  const sorted = routes.sort(([a], [b]) => a.source.split('[^/]+').length - b.source.split('[^/]+').length)
  return { described, components: { schemas: closed(described.components.schemas) }, routes: sorted }
}

function patternOf(path: string): RegExp {
  const segments = path.replace(/\/$/, '').split(/\{\w+\}/)
  return new RegExp(`^${segments.map((one) => RegExp.escape(one)).join('[^/]+')}/?$`)
}

function operationOf({ routes }: Description, { method, path }: AnswerFacts): Operation | undefined {
  const [pathname = ''] = path.replace('/api/v1/dsync', '/api/v1/directory-sync').split('?')
  return routes.find(([pattern]) => pattern.test(pathname))?.[1][method.toLowerCase()]
}

/** Undefined when no JSON is described. */
function schemaOf(
  { described }: Description,
  response: DescribedResponse | { readonly $ref: string },
  contentType: string,
): object | undefined {
  const found = '$ref' in response ? described.components.responses[response.$ref.split('/').at(-1) ?? ''] : response
  const [mediaType = ''] = contentType.split(';')
  return mediaType.endsWith('json') ? closed(found?.content?.[mediaType]?.schema) : undefined
}

/** The same schema, where objects have no other properties than those that are described. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isOpen = typeof parts['properties'] !== 'object' || 'additionalProperties' in parts
  return (isOpen ? parts : { ...parts, additionalProperties: false }) as T
}

interface Media {
  readonly schema?: object
  readonly example?: unknown
}

/** What is wrong with the examples of bodies, of requests and responses. */
export function exampleProblems(): string[] {
  description ??= readDescription()
  const all = description
  return [...mediaOf(all.described)].flatMap(([where, { schema, example }]) => {
    const problem = schema === undefined ? undefined : schemaProblem(all, closed(schema), example)
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
