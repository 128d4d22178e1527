import type { Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Json, JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import { commonAttributes } from '../../scim/schema/common.ts'
import { groupSchema } from '../../scim/schema/group.ts'
import type { Attribute, AttributeTable } from '../../scim/schema/schema.ts'
import { enterpriseUserSchema, userSchema } from '../../scim/schema/user.ts'

/*
 * The `raw` of users and groups: the attributes of RFC 7643. Identity providers add their own attributes and extension schemas,
 * which are kept, so that every object may have further properties.
 */

interface Properties {
  readonly [name: string]: object
}

const value = (text: string, type = 'work') => ({ value: text, display: text, type, primary: true })

/** An example of each attribute. */
const examples: JsonObject = {
  ...{ externalId: '00u1ero7vZFVEIYLWPBN', userName: 'bjensen@acme.example' },
  ...{ nickName: 'Babs', profileUrl: 'https://acme.example/people/bjensen', title: 'Tour Guide', userType: 'Employee' },
  ...{ preferredLanguage: 'en-US', locale: 'en-US', timezone: 'America/Los_Angeles', active: true },
  name: {
    ...{ formatted: 'Ms. Barbara Jane Jensen, III', familyName: 'Jensen', givenName: 'Barbara' },
    ...{ middleName: 'Jane', honorificPrefix: 'Ms.', honorificSuffix: 'III' },
  },
  emails: value('bjensen@acme.example'),
  phoneNumbers: value('+1-555-555-8377'),
  ims: value('bjensen', 'skype'),
  photos: value('https://acme.example/photos/bjensen.jpg', 'photo'),
  entitlements: value('reports', 'license'),
  roles: value('sales-manager', 'application'),
  x509Certificates: value('MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw', 'login'),
  addresses: {
    ...{ formatted: '100 Main Street, Hollywood, CA 91608', streetAddress: '100 Main Street', locality: 'Hollywood' },
    ...{ region: 'CA', postalCode: '91608', country: 'US', type: 'work', primary: true },
  },
  groups: { value: '01980c5e-8f5c-7a10-9d3c-5b1f0a3cb001', display: 'Engineering', type: 'direct' },
  members: { value: '01980c5e-8f5c-7a10-9d3c-5b1f0a3ca001', display: 'Babs Jensen', type: 'User' },
  ...{ employeeNumber: '701984', costCenter: '4130', organization: 'Acme', division: 'Parks', department: 'Tours' },
  manager: { value: '01980c5e-8f5c-7a10-9d3c-5b1f0a3ca002', displayName: 'John Smith' },
}

const open = (properties: Properties) => ({ type: 'object', properties, additionalProperties: true })

/** The properties of attributes. Passwords are never returned; a `$ref` cannot be declared: tools take it for a reference. */
function propertiesOf(attributes: Iterable<Attribute>, example: Json): Properties {
  const shown = [...attributes].filter(({ name, returned }) => !['$ref', 'meta'].includes(name) && returned !== 'never')
  return Object.fromEntries(
    shown.map((one) => [one.name, propertyOf(one, isObject(example) ? example[one.name] : null)]),
  )
}

function propertyOf({ description, type, multiValued, subAttributes }: Attribute, example: Json = null): object {
  const schema =
    type === 'complex'
      ? open(propertiesOf(subAttributes.values(), example))
      : { type: type === 'boolean' ? 'boolean' : 'string', examples: [example] }
  return multiValued ? { type: 'array', items: schema, description } : { ...schema, description }
}

function resource(title: string, description: string, attributes: AttributeTable, example: JsonObject, more = {}) {
  const all = [...commonAttributes.values(), ...attributes.values()]
  const properties = propertiesOf(all, { displayName: 'Babs Jensen', ...example, schemas: userSchema.id, ...examples })
  const keywords = { title, description, required: ['schemas', 'id'], examples: [example] }
  return Type.Unsafe<object>({ ...keywords, ...open({ ...properties, ...more }) })
}

/** The schema of the `raw` of a user. */
export function rawUserSchema(example: JsonObject): Schema<object> {
  const description = 'The whole SCIM resource, with extension schemas and attributes of the identity provider.'
  const { id, attributes } = enterpriseUserSchema
  const extension = { title: 'RawEnterpriseUser', description: 'The enterprise extension (RFC 7643 §4.3).' }
  const more = { [id]: { ...extension, ...open(propertiesOf(attributes.values(), examples)) } }
  return resource('RawUser', description, userSchema.attributes, example, more)
}

/** The schema of the `raw` of a group. */
export function rawGroupSchema(example: JsonObject): Schema<object> {
  const description = 'The whole SCIM resource. Only the group that is read by its id has its members here.'
  return resource('RawGroup', description, groupSchema.attributes, example)
}
