// What a generator of clients needs from an OpenAPI document: classes have names, fields have a meaning, errors have one form.

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Message {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly description?: string
  readonly example?: unknown
  readonly schema?: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** The parts of an OpenAPI document that are checked. */
export interface ApiDocument {
  readonly paths: Paths
  readonly webhooks?: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Message>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

/** The example of a text for which nobody has written one. */
const placeholder = 'text'

/**
 * The objects without a name, the properties and parameters without a description or an example, and the error responses of another
 * form than they should have.
 *
 * @param errorSchema the name of the schema of the error responses of an operation; undefined where they are no JSON
 */
export function descriptionGaps(
  document: ApiDocument,
  errorSchema: (path: string, status: string) => string | undefined,
): string[] {
  const { paths, webhooks = {}, components } = document
  const places = Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  )
  return [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => schemaGaps(name, schema, components.schemas)),
    ...places.flatMap(({ operation }) => operationGaps(operation, document)),
    ...places.flatMap(({ path, operation }) => errorGaps(operation, document, (status) => errorSchema(path, status))),
  ]
}

function schemaGaps(name: string, schema: Schema, schemas: ApiDocument['components']['schemas']): string[] {
  const properties = Object.entries(schema.properties ?? {})
  return [
    ...(/^[A-Z][A-Za-z0-9]*$/.test(name) ? [] : [`${name} is not in PascalCase`]),
    ...properties.flatMap(([property, part]) => propertyGaps(`${name}.${property}`, part, schemas)),
    ...[...partsOf(schema), ...properties.map(([, part]) => part)].flatMap((part) => anonymousObjects(name, part)),
  ]
}

function propertyGaps(place: string, property: Schema, schemas: ApiDocument['components']['schemas']): string[] {
  const target = property.$ref === undefined ? property : (schemas[nameOf(property.$ref)] ?? {})
  const example = property.examples ?? target.examples ?? []
  const hasExample = example.length > 0 && !JSON.stringify(example).includes(`"${placeholder}"`)
  return [
    ...((property.description ?? target.description ?? '') === '' ? [`${place} has no description`] : []),
    ...(hasExample ? [] : [`${place} has no example`]),
  ]
}

function operationGaps({ operationId, parameters = [], requestBody, responses }: Operation, document: ApiDocument) {
  const { components } = document
  const bodies = [requestBody ?? {}, ...Object.values(responses)].map((message) => resolved(message, document))
  const schemas = bodies.flatMap(({ content = {} }) => Object.values(content).flatMap(({ schema }) => schema ?? []))
  const known = parameters.map((one) =>
    one.$ref === undefined ? one : (components.parameters?.[nameOf(one.$ref)] ?? {}),
  )
  return [
    ...schemas.flatMap((schema) => anonymousObjects(operationId, schema)),
    ...known.flatMap(({ name = '', description = '', schema, example = schema?.examples?.[0] ?? placeholder }) => [
      ...(description === '' ? [`${operationId} ?${name} has no description`] : []),
      ...(example === placeholder ? [`${operationId} ?${name} has no example`] : []),
    ]),
  ]
}

/** Every error response of an operation has the schema that all have. */
function errorGaps(
  { operationId, responses }: Operation,
  document: ApiDocument,
  expected: (status: string) => string | undefined,
): string[] {
  const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status))
  return errors.flatMap(([status, response]) => {
    const { content = {} } = resolved(response, document)
    const name = expected(status)
    const json = Object.entries(content).filter(([type]) => type.endsWith('json'))
    const isRight =
      name === undefined ? json.length === 0 : json.length === 1 && nameOf(json[0]?.[1].schema?.$ref ?? '') === name
    return isRight ? [] : [`${operationId} ${status} is not ${name ?? 'a page'}`]
  })
}

function resolved(message: Message, { components }: ApiDocument): Message {
  return message.$ref === undefined ? message : (components.responses?.[nameOf(message.$ref)] ?? {})
}

function anonymousObjects(place: string, schema: Schema): string[] {
  if (schema.$ref !== undefined) return []
  const isObject = schema.type === 'object' || schema.properties !== undefined
  return isObject
    ? [`${place} has an object without a name`]
    : partsOf(schema).flatMap((part) => anonymousObjects(place, part))
}

function partsOf({ items, additionalProperties, anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] {
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...(items === undefined ? [] : [items]), ...values, ...anyOf, ...oneOf, ...allOf]
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
