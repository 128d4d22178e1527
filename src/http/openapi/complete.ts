import { STATUS_CODES } from '../../node-http.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import type { Described } from './components.ts'
import { hoistTitled } from './components.ts'
import { errorComponents, errorResponses, errorSchemas } from './error-responses.ts'
import { exampleOf } from './examples.ts'
import { NoticeSchema, noticeWebhooks } from './notices.ts'
import { webhookParameters, webhooks } from './webhooks.ts'

/**
 * Completes the description of the routes: named schemas, error responses, examples and webhooks.
 *
 * @param routes an OpenAPI document without these
 * @param serverUrl the address of this service
 */
export function completeDescription(routes: JsonObject, serverUrl: string): JsonObject {
  const schemas: JsonObject = {}
  const paths = sorted(hoistTitled(objectAt(routes, 'paths'), schemas))
  const hooks = { ...webhooks(), ...noticeWebhooks() }
  hoistTitled(JSON.parse(JSON.stringify([...errorSchemas, NoticeSchema])), schemas)
  const components = objectAt(routes, 'components')
  for (const operation of [...operationsOf(paths), ...operationsOf(hooks)]) completeOperation(operation, schemas)
  const errorNames = referencesOf(paths, '#/components/responses/')
  for (const schema of Object.values(schemas)) if (isObject(schema)) describeProperties(schema)
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
  const found = parent[name]
  return isObject(found) ? found : {}
}

function sorted(value: Described): JsonObject {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function operationsOf(paths: Described): JsonObject[] {
  const items = isObject(paths) ? Object.values(paths) : []
  return items.flatMap((item) => (isObject(item) ? Object.values(item).filter(isObject) : []))
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
  if (Array.isArray(parameters)) for (const one of parameters.filter(isObject)) describeParameter(one)
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
    describeProperties(media['schema'])
    media['example'] ??= exampleOf(media['schema'], schemas)
  }
}

/**
 * Removes the name from the description of a parameter. The description of an input's field starts with it because it
 * is also an error message.
 */
function describeParameter(parameter: JsonObject): void {
  const { name, description } = parameter
  if (typeof name === 'string') parameter['description'] = withoutName(name, description ?? '')
  if (isObject(parameter['schema'])) delete parameter['schema']['description']
}

function describeProperties(schema: JsonObject): void {
  for (const [name, property] of Object.entries(objectAt(schema, 'properties'))) {
    if (!isObject(property)) continue
    const { description } = property
    if (description !== undefined) property['description'] = withoutName(name, description)
    describeProperties(property)
  }
}

function withoutName(name: string, description: Described): string {
  const text = String(description)
  const rest = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text
  return rest.slice(0, 1).toUpperCase() + rest.slice(1)
}
