import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'

/*
 * The `raw` of users and groups: the attributes of RFC 7643. Identity providers add their own attributes and extension schemas,
 * which are kept, so that every object may have further properties.
 */

interface Properties {
  readonly [name: string]: object
}

const open = (properties: Properties) => ({ type: 'object', properties, additionalProperties: true })
const list = (items: object) => ({ type: 'array', items })
const [text, flag] = [{ type: 'string' }, { type: 'boolean' }]
const texts = (...names: readonly string[]): Properties => Object.fromEntries(names.map((name) => [name, text]))

/** An element of a multi-valued attribute (RFC 7643 §2.4). Its `$ref` cannot be declared: tools take it for a reference. */
const element = open({ ...texts('value', 'display', 'type'), primary: flag })
const elements = (...names: readonly string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, list(element)]))

const shared = { schemas: list(text), ...texts('id', 'externalId') }

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const userAttributes: Properties = {
  ...shared,
  ...texts('userName', 'displayName', 'nickName', 'profileUrl', 'title', 'userType'),
  ...texts('preferredLanguage', 'locale', 'timezone'),
  name: open(texts('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix')),
  active: flag,
  ...elements('emails', 'phoneNumbers', 'ims', 'photos', 'entitlements', 'roles', 'x509Certificates'),
  addresses: list(
    open({
      ...texts('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'),
      primary: flag,
    }),
  ),
  groups: list(element),
  [enterprise]: open({
    ...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
    manager: open(texts('value', 'displayName')),
  }),
}

const groupAttributes: Properties = { ...shared, ...texts('displayName'), members: list(element) }

const resource = (title: string, description: string, properties: Properties, example: object): Schema<object> =>
  Type.Unsafe({ title, description, ...open(properties), required: ['schemas', 'id'], examples: [example] })

/** The schema of the `raw` of a user. */
export function rawUserSchema(example: object): Schema<object> {
  const description = 'The whole SCIM resource, with extension schemas and attributes of the identity provider.'
  return resource('RawUser', description, userAttributes, example)
}

/** The schema of the `raw` of a group. */
export function rawGroupSchema(example: object): Schema<object> {
  const description = 'The whole SCIM resource. Only the group that is read by its id has its members here.'
  return resource('RawGroup', description, groupAttributes, example)
}
