/** A schema as `/Schemas` returns it. */
export interface SchemaAnswer {
  readonly id: string
  readonly attributes: readonly AttributeAnswer[]
}

interface AttributeAnswer {
  readonly name: string
  readonly type: string
  readonly multiValued: boolean
  readonly subAttributes?: readonly AttributeAnswer[]
  readonly canonicalValues?: readonly string[]
}

const coreUrn = /^urn:ietf:params:scim:schemas:core:/

/**
 * The attributes of schemas in lower case, in the forms in which Entra maps them: `title`, `name.givenName`,
 * `emails[type eq "work"].value`, and with the URN those of extensions.
 */
export function attributeNames(schemas: readonly SchemaAnswer[]): string[] {
  const names = schemas.flatMap(({ id, attributes }) =>
    attributes.flatMap((attribute) => formsOf(attribute).map((form) => (coreUrn.test(id) ? form : `${id}:${form}`))),
  )
  return names.map((name) => name.toLowerCase())
}

function formsOf({ name, multiValued, subAttributes = [] }: AttributeAnswer): string[] {
  const types = subAttributes.find((one) => one.name === 'type')?.canonicalValues ?? []
  const places = multiValued ? types.map((type) => `${name}[type eq "${type}"]`) : [name]
  return [name, ...places.flatMap((place) => subAttributes.map((one) => `${place}.${one.name}`))]
}

type Resource = Record<string, unknown>

/** The parts of a path that Entra maps: an extension, an attribute, the type of its value, and a sub-attribute. */
const pathForm = /^(?:(urn:.+):)?(\w+)(?:\[type eq "(\w+)"\])?(?:\.(\w+))?$/

function partsOf(path: string) {
  const [, extension, attribute = '', type, subAttribute] = pathForm.exec(path) ?? []
  return { extension, attribute, type, subAttribute }
}

/** A resource with values at paths that Entra maps. */
export function withValues(resource: Resource, values: Readonly<Record<string, unknown>>): Resource {
  const filled = { ...resource }
  for (const [path, value] of Object.entries(values)) {
    const { extension, attribute, type, subAttribute = 'value' } = partsOf(path)
    const holder = extension === undefined ? filled : childOf(filled, extension)
    if (type !== undefined) elementOf(holder, attribute, type)[subAttribute] = value
    else if (path.endsWith(`${attribute}.${subAttribute}`)) childOf(holder, attribute)[subAttribute] = value
    else holder[attribute] = value
  }
  return filled
}

function childOf(holder: Resource, name: string): Resource {
  holder[name] ??= {}
  return holder[name] as Resource
}

function elementOf(holder: Resource, name: string, type: string): Resource {
  holder[name] ??= []
  const elements = holder[name] as Resource[]
  const found = elements.find((element) => element['type'] === type)
  if (found !== undefined) return found
  const element: Resource = { type, primary: elements.length === 0 }
  elements.push(element)
  return element
}

/** The value at a path that Entra maps; undefined where it is absent, null or empty. */
export function readPath(resource: unknown, path: string): unknown {
  const { extension, attribute, type, subAttribute } = partsOf(path)
  const holder = extension === undefined ? resource : fieldOf(resource, extension)
  const all = fieldOf(holder, attribute)
  const value = type === undefined ? all : (all as Resource[] | undefined)?.find((one) => one['type'] === type)
  const found = subAttribute === undefined ? value : fieldOf(value, subAttribute)
  return found === null || found === '' ? undefined : found
}

function fieldOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Resource)[name] : undefined
}
