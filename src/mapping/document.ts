import type { Properties, Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'

// The description of a field is also the error message about it.

/** The limits of a mapping. Evaluating it for one user must not block the event loop. */
export const mappingLimits = {
  attributes: 100,
  sources: 5,
  transforms: 20,
  /** Entries of one `map`. */
  mapped: 1000,
  rules: 1000,
  roles: 200,
  /** Conditions in all filters together. */
  conditions: 2000,
  /** Characters of all texts together. */
  length: 262_144,
} as const

/** No control characters and no lone surrogates: both databases store them unchanged. */
const plain = '^[^\\p{Cc}\\p{Cs}]+$'

const text = (field: string, maxLength: number) =>
  Type.String({
    description: `${field}: text of 1 to ${maxLength} characters, without control characters.`,
    minLength: 1,
    maxLength,
    pattern: plain,
  })

/** The name of a role. */
export const role = (field: string) => text(field, 100)

/** A value that `map` and `default` return. */
const mappedValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Integer(), Type.Boolean()])

/** A condition; all its parts must hold. */
export const ConditionInput = Type.Object(
  {
    group: Type.Optional(text('group', 200)),
    group_name: Type.Optional(text('group_name', 1000)),
    filter: Type.Optional(Type.String({ description: 'filter: a SCIM filter on the user.', minLength: 1 })),
  },
  { description: 'when: an object with group (an id), group_name or filter; all that are given must hold.' },
)

export const RuleInput = Type.Named('RoleRule', 'A rule that gives or denies a role.', {
  id: Type.Optional(text('id', 100)),
  role: Type.Optional(role('role')),
  deny: Type.Optional(role('deny')),
  when: ConditionInput,
})

export const RolesInput = Type.Named('RoleRules', 'The rules that give roles.', {
  mode: Type.Optional(
    Type.Enum(['all', 'first'], {
      description: 'mode: all gives every role whose rule holds, first only that of the first such rule.',
      default: 'all',
    }),
  ),
  default: Type.Optional(
    Type.Array(role('default'), {
      description: 'default: an array of the roles of active users who have no other role.',
      maxItems: mappingLimits.roles,
      uniqueItems: true,
    }),
  ),
  keep_at_least: Type.Optional(
    Type.Record(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description:
        'keep_at_least: an object with a whole number from 1 to 1000000 for each role; a change that leaves fewer users with the role is held.',
    }),
  ),
  rules: Type.Optional(
    Type.Array(RuleInput, {
      description: `rules: an array of at most ${mappingLimits.rules} objects with role or deny, and when.`,
      maxItems: mappingLimits.rules,
    }),
  ),
})

const step = <const P extends Properties>(title: string, properties: P) =>
  Type.Object(properties, { title, additionalProperties: false })

export const TransformInput = Type.Union(
  [
    Type.Enum(['lower', 'upper', 'trim']),
    step('AfterStep', { after: Type.String({ minLength: 1, maxLength: 100, examples: ['@'] }) }),
    step('BeforeStep', { before: Type.String({ minLength: 1, maxLength: 100, examples: ['@'] }) }),
    step('MapStep', { map: Type.Record(mappedValue, { examples: [{ Vertrieb: 'Sales' }] }) }),
    step('DefaultStep', { default: mappedValue }),
  ],
  {
    description: 'lower, upper, trim, or an object with one of after, before (a text), map (an object) and default.',
  },
)

export const AttributeInput = Type.Named('AttributeMapping', 'Where an attribute comes from.', {
  from: Type.Array(text('from', 2000), {
    description: `from: an array of 1 to ${mappingLimits.sources} SCIM attribute paths; the first one with a value counts.`,
    minItems: 1,
    maxItems: mappingLimits.sources,
  }),
  transform: Type.Optional(
    Type.Array(TransformInput, {
      description: `transform: an array of at most ${mappingLimits.transforms} steps, each lower, upper, trim, {"after": "…"}, {"before": "…"}, {"map": {…}} or {"default": …}.`,
      maxItems: mappingLimits.transforms,
    }),
  ),
})

/** A mapping as the API receives and returns it. `parseMapping` checks what a schema cannot say. */
export const MappingInput = Type.Named(
  'Mapping',
  'What a product sees of the attributes and groups of its customers.',
  {
    extends: Type.Optional(
      Type.Enum(['product'], {
        description: 'extends: product, in the mapping of a directory: it is put on top of the mapping of its product.',
      }),
    ),
    attributes: Type.Optional(
      Type.Record(AttributeInput, {
        description: `attributes: an object with at most ${mappingLimits.attributes} attributes, each an object with from and transform.`,
      }),
    ),
    roles: Type.Optional(RolesInput),
  },
)

export type MappingDocument = Static<typeof MappingInput>
export type RuleDocument = Static<typeof RuleInput>
export type ConditionDocument = Static<typeof ConditionInput>
export type RolesDocument = Static<typeof RolesInput>
export type AttributeDocument = Static<typeof AttributeInput>
export type TransformDocument = Static<typeof TransformInput>
