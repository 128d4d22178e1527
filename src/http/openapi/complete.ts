import { STATUS_CODES } from '../../node-http.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import type { Described } from './components.ts'
import {
  alternativesOf,
  hoistTitled,
  nameObjects,
  objectOf,
  pascalCase,
  resolved,
  responseTitle,
} from './components.ts'
import { errorComponents, errorResponses, errorSchemas } from './error-responses.ts'
import { exampleOf } from './examples.ts'
import { NoticeSchema, noticeWebhooks } from './notices.ts'
import { meanings } from './properties.ts'
import { webhookParameters, webhooks } from './webhooks.ts'

/**
 * Completes the description of the routes: named schemas, error responses, examples and webhooks.
 *
 * @param routes an OpenAPI document without these
 * @param serverUrl the address of this service
 */
export function completeDescription(routes: JsonObject, serverUrl: string): JsonObject {
  const schemas: JsonObject = {}
  for (const operation of operationsOf(objectAt(routes, 'paths'))) nameBodies(operation)
  const paths = sorted(hoistTitled(objectAt(routes, 'paths'), schemas))
  const hooks = { ...webhooks(), ...noticeWebhooks() }
  const others: JsonObject[] = JSON.parse(JSON.stringify([...errorSchemas, NoticeSchema]))
  for (const schema of others) nameObjects(schema, '')
  hoistTitled(others, schemas)
  const components = objectAt(routes, 'components')
  const addMissingExamples = completeProperties(schemas)
  for (const operation of [...operationsOf(paths), ...operationsOf(hooks)]) completeOperation(operation, schemas)
  const errorNames = referencesOf(paths, '#/components/responses/')
  addMissingExamples()
  return {
    ...routes,
    servers: [{ url: serverUrl, description: 'This service.' }],
    paths,
    webhooks: hooks,
    components: {
      ...components,
      headers: {
        RetryAfter: { description: 'Seconds until the next attempt.', schema: { type: 'integer' }, example: 5 },
      },
      parameters: webhookParameters,
      responses: errorComponents((name) => errorNames.has(name)),
      schemas: sorted(schemas),
    },
  }
}

/** The names that references with a prefix have. */
function referencesOf(value: Described, prefix: string): Set<string> {
  // Linear: what follows the quotes contains no quote.
  const names = JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)
  return new Set([...names].flatMap(([, to = '']) => (to.startsWith(prefix) ? [to.slice(prefix.length)] : [])))
}

function objectAt(parent: JsonObject, name: string): JsonObject {
  return objectOf(parent[name])
}

function sorted(value: Described): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(value)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function operationsOf(paths: Described): JsonObject[] {
  return Object.values(objectOf(paths)).flatMap((item) => Object.values(objectOf(item)).filter(isObject))
}

/** Names the objects in the bodies of an operation. */
function nameBodies({ operationId, requestBody, responses }: JsonObject): void {
  const name = String(operationId)
  const schemasIn = (message: Described | undefined) =>
    Object.values(objectAt(objectOf(message), 'content')).map((media) => objectAt(objectOf(media), 'schema'))
  for (const schema of schemasIn(requestBody)) nameObjects(schema, `${pascalCase(name)}Input`)
  for (const schema of Object.values(objectOf(responses)).flatMap(schemasIn))
    nameObjects(schema, responseTitle(schema, name))
}

function completeOperation(operation: JsonObject, schemas: JsonObject): void {
  const { 'x-errors': statuses, parameters, requestBody, responses } = operation
  delete operation['x-errors']
  const isScim = Array.isArray(operation['tags']) && operation['tags'].includes('SCIM 2.0')
  if (isObject(responses)) {
    describeResponses(responses, schemas)
    const errors = Array.isArray(statuses) ? statuses.map(Number) : []
    for (const [status, response] of Object.entries(errorResponses(errors, isScim))) responses[status] ??= response
  }
  if (isObject(requestBody)) addExamples(requestBody, schemas)
  for (const one of Array.isArray(parameters) ? parameters.filter(isObject) : []) describeParameter(one, schemas)
}

function describeResponses(responses: JsonObject, schemas: JsonObject): void {
  for (const [status, response] of Object.entries(responses)) {
    if (!isObject(response)) continue
    if (response['description'] === 'Default Response') response['description'] = STATUS_CODES[status] ?? 'A response.'
    addExamples(response, schemas)
  }
}

function addExamples(message: JsonObject, schemas: JsonObject): void {
  for (const media of Object.values(objectAt(message, 'content'))) {
    if (!isObject(media) || !isObject(media['schema'])) continue
    media['example'] ??= exampleOf(media['schema'], schemas)
    if ('$ref' in media['schema']) resolved(media['schema'], schemas)['examples'] ??= [media['example']]
  }
}

/**
 * Removes the name from the description of a parameter. The description of an input's field starts with it because it
 * is also an error message.
 */
function describeParameter(parameter: JsonObject, schemas: JsonObject): void {
  const { name } = parameter
  if (typeof name !== 'string') return
  const schema = objectAt(parameter, 'schema')
  const [description, example] = meaningOf('', name, schema, schemas)
  parameter['description'] = withoutName(name, parameter['description'] ?? description)
  delete schema['description']
  // Forms are filled in with the example of a parameter: most optional ones exclude each other, or are from an earlier response.
  if (parameter['required'] === true) parameter['example'] ??= example ?? exampleOf(schema, schemas)
  else if (parameter['example'] === undefined) schema['examples'] = [example ?? exampleOf(schema, schemas)]
}

/**
 * Describes the properties of all schemas and gives them and the schemas examples. Properties that may be missing get theirs from the
 * function that is returned: the examples of objects, which are composed before, do not show them.
 */
function completeProperties(schemas: JsonObject): () => void {
  const missing: [schema: JsonObject, example?: Described | undefined][] = []
  for (const [title, schema] of Object.entries(schemas)) {
    const { required, properties } = objectOf(schema)
    for (const [name, part] of Object.entries(objectOf(properties))) {
      const property = objectOf(part)
      const target = resolved(property, schemas)
      const [description, example] = meaningOf(title, name, target, schemas)
      if (property === target || target['description'] === undefined)
        property['description'] = withoutName(name, property['description'] ?? description)
      if (property !== target || property['examples'] !== undefined) continue
      if (example !== undefined && Array.isArray(required) && required.includes(name)) property['examples'] = [example]
      else missing.push([property, example])
    }
  }
  return () => {
    for (const schema of Object.values(schemas).map(objectOf))
      if (schema['examples'] === undefined) missing.push([schema])
    const examples = missing.map(([schema, example]) => example ?? exampleOf(schema, schemas))
    for (const [index, [schema]] of missing.entries()) schema['examples'] = [examples[index] ?? null]
  }
}

/** The description of a property, and the example if its schema admits it. */
function meaningOf(title: string, name: string, schema: JsonObject, schemas: JsonObject) {
  const meaning = meanings[`${title}.${name}`] ?? meanings[name] ?? ''
  const [description, example] = typeof meaning === 'string' ? [meaning] : meaning
  return [description, example !== undefined && admits(schema, example, schemas) ? example : undefined] as const
}

function admits(schema: JsonObject, value: Described, schemas: JsonObject): boolean {
  const { enum: values, const: constant, type, items } = schema
  if (values !== undefined || constant !== undefined) return false
  const alternatives = alternativesOf(schema).map((one) => resolved(one, schemas))
  if (alternatives.length > 0) return alternatives.some((one) => admits(one, value, schemas))
  if (type === undefined || value === null) return type === undefined || type === 'null'
  if (Array.isArray(value))
    return isObject(items) && value.every((one) => admits(resolved(items, schemas), one, schemas))
  return type === (Number.isInteger(value) ? 'integer' : typeof value)
}

function withoutName(name: string, description: Described): string {
  const text = String(description)
  const rest = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text
  return rest.slice(0, 1).toUpperCase() + rest.slice(1)
}
