import type { EventType } from '../../directory/event.ts'
import type { Properties, Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { exampleId, GroupSchema, ReasonSchema, UserSchema } from './schemas.ts'

const syncId = { sync_id: Type.String({ description: 'The id of the resync.', examples: [exampleId('5e01')] }) }
const counts = { users: Type.Integer(), groups: Type.Integer(), members: Type.Integer() }

/** A `raw` that a membership event may leave out. */
const rawUnlessOmitted = (raw: Schema) => ({
  raw: Type.Optional(raw),
  raw_omitted: Type.Optional(
    Type.Literal(true, { description: 'There is no `raw`, as the event would have more than 16 KB.' }),
  ),
})
const GroupOfMemberSchema = Type.Object(
  { ...GroupSchema.properties, ...rawUnlessOmitted(GroupSchema.properties.raw) },
  { title: 'GroupOfMember', description: 'The group of a membership.' },
)
const membership = {
  ...UserSchema.properties,
  ...rawUnlessOmitted(UserSchema.properties.raw),
  group: GroupOfMemberSchema,
}

const UserInGroupSchema = Type.Object(membership, {
  title: 'UserInGroup',
  description: 'A user with one of its groups.',
})
const because = Type.Array(ReasonSchema, {
  description: 'Only of roles: the rules that give or deny the roles that changed.',
})
const ChangesSchema = Type.Record(
  Type.Object({ from: Type.Unknown(), to: Type.Unknown(), because: Type.Optional(because) }),
  {
    title: 'Changes',
    description:
      'The top-level attributes that an update changed, and of a mapping `roles` and `attributes.<name>`; null means an absent attribute.',
    examples: [{ active: { from: true, to: false } }],
  },
)
const changes = { changes: ChangesSchema }

/** The meaning of every event type, its data, and further fields next to the data. */
const eventParts: Readonly<Record<EventType, readonly [meaning: string, data: Schema, further?: Properties]>> = {
  'user.created': ['A user was created.', UserSchema],
  'user.updated': ['A user changed, including deactivation.', UserSchema, changes],
  'user.deleted': ['A user was deleted, which also removed it from its groups.', UserSchema],
  'group.created': ['A group was created.', GroupSchema],
  'group.updated': ['A group was renamed or otherwise changed.', GroupSchema, changes],
  'group.deleted': ['A group was deleted, which also removed its members.', GroupSchema],
  'group.user_added': ['A user became a member of a group.', UserInGroupSchema],
  'group.user_removed': ['A user is no longer a member of a group.', UserInGroupSchema],
  'endpoint.test': [
    'An operator tests the endpoint. It is not part of the sequence: `sequence` is 0.',
    Type.Object({ message: Type.String() }, { title: 'TestMessage' }),
  ],
  'sync.started': [
    'A resync starts; the numbers of what is to come are approximate.',
    Type.Object({ ...syncId, ...counts }, { title: 'SyncStarted' }),
  ],
  'user.snapshot': [
    'A resync reports a user.',
    Type.Object({ ...UserSchema.properties, ...syncId }, { title: 'UserSnapshot' }),
  ],
  'group.snapshot': [
    'A resync reports a group.',
    Type.Object({ ...GroupSchema.properties, ...syncId }, { title: 'GroupSnapshot' }),
  ],
  'member.snapshot': [
    'A resync reports a member of a group.',
    Type.Object({ ...membership, ...syncId }, { title: 'MemberSnapshot' }),
  ],
  'sync.completed': [
    'A resync is complete: what it has not reported no longer exists.',
    Type.Object({ ...syncId, ...counts }, { title: 'SyncCompleted' }),
  ],
}

function eventSchema(type: EventType): Schema {
  const [description, data, further = {}] = eventParts[type]
  const properties = {
    id: Type.String({ description: 'The same in every delivery.', examples: [exampleId('e701')] }),
    sequence: Type.Integer({ description: '1, 2, 3 … per directory, without gaps.', examples: [7] }),
    event: Type.Literal(type),
    tenant: Type.String({ examples: ['acme'] }),
    product: Type.String({ examples: ['crm'] }),
    directory_id: Type.String({ examples: [exampleId('d101')] }),
    request_id: Type.String({
      description: 'The x-request-id of the request, or the id of the sync run, that caused the event.',
      examples: [exampleId('f001')],
    }),
    created_at: Type.String({ format: 'date-time' }),
    data,
    ...further,
  }
  return Type.Object(properties, { title: eventTitle(type), description })
}

/** `group.user_added` becomes `GroupUserAddedEvent`. */
export function eventTitle(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const types = Object.keys(eventParts) as EventType[]

/** The schema of each event type. */
export const eventSchemas = Object.fromEntries(types.map((type) => [type, eventSchema(type)])) as Readonly<
  Record<EventType, Schema>
>

/** An event as consumers receive it. */
export const EventSchema = Type.Unsafe<object>({
  title: 'Event',
  description: 'A change of a directory, in one of the forms that `event` names.',
  oneOf: Object.values(eventSchemas),
  discriminator: {
    propertyName: 'event',
    mapping: Object.fromEntries(types.map((type) => [type, `#/components/schemas/${eventTitle(type)}`])),
  },
})
