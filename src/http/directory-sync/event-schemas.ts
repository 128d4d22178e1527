import type { EventType } from '../../directory/event.ts'
import type { Properties, Schema } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { DirectorySchema, EventGroupSchema, EventUserSchema, exampleId, ReasonSchema } from './schemas.ts'

const syncId = { sync_id: Type.String({ description: 'The id of the resync.', examples: [exampleId('5e01')] }) }
const counts = { users: Type.Integer(), groups: Type.Integer(), members: Type.Integer() }

/** A `raw` that a membership event may leave out. */
const rawUnlessOmitted = (raw: Schema) => ({
  raw: Type.Optional(raw),
  raw_omitted: Type.Optional(
    Type.Literal(true, { description: 'There is no `raw`, as the event would have more than 16 KB.' }),
  ),
})
const GroupOfMemberSchema = Type.Named('GroupOfMember', 'The group of a membership.', {
  ...EventGroupSchema.properties,
  ...rawUnlessOmitted(EventGroupSchema.properties.raw),
})
const membership = {
  ...EventUserSchema.properties,
  ...rawUnlessOmitted(EventUserSchema.properties.raw),
  group: GroupOfMemberSchema,
}

const UserInGroupSchema = Type.Object(membership, {
  title: 'UserInGroup',
  description: 'A user with one of its groups.',
})

/** The data of an event about a person who was erased. */
const erased = {
  id: EventUserSchema.properties.id,
  erased: Type.Literal(true, { description: 'The person was erased: nothing else is known.' }),
}
const ErasedUserSchema = Type.Object(erased, { title: 'ErasedUser', description: 'A person who was erased.' })

const { id, name, tenant, product, type } = DirectorySchema.properties
const DirectoryOfEventSchema = Type.Object(
  { id, name, tenant, product, type },
  { title: 'DirectoryOfEvent', description: 'The directory that an event is about.' },
)

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
  'user.created': ['A user was created.', EventUserSchema],
  'user.updated': ['A user changed, including deactivation.', EventUserSchema, changes],
  'user.deleted': ['A user was deleted, which also removed it from its groups.', EventUserSchema],
  'user.erased': ['A person was erased: erase it, too. No further event is about the person.', ErasedUserSchema],
  'group.created': ['A group was created.', EventGroupSchema],
  'group.updated': ['A group was renamed or otherwise changed.', EventGroupSchema, changes],
  'group.deleted': ['A group was deleted, which also removed its members.', EventGroupSchema],
  'group.user_added': ['A user became a member of a group.', UserInGroupSchema],
  'group.user_removed': ['A user is no longer a member of a group.', UserInGroupSchema],
  'directory.created': ['A setup link created the directory.', DirectoryOfEventSchema],
  'directory.deactivated': [
    'The directory was deactivated: nothing changes in it, and no further event is sent to the endpoint, until it is active again.',
    DirectoryOfEventSchema,
  ],
  'directory.activated': ['The directory is active again.', DirectoryOfEventSchema],
  'directory.deleted': [
    'The directory was deleted with all of its users and groups, which have no events of their own. It is the last event.',
    DirectoryOfEventSchema,
  ],
  'endpoint.test': [
    'An operator tests the endpoint. It is not part of the sequence: `sequence` is 0.',
    Type.Named('TestMessage', 'A message.', { message: Type.String() }),
  ],
  'sync.started': [
    'A resync starts; the numbers of what is to come are approximate.',
    Type.Named('SyncStarted', 'What is to come.', { ...syncId, ...counts }),
  ],
  'user.snapshot': [
    'A resync reports a user.',
    Type.Named('UserSnapshot', 'A user.', { ...EventUserSchema.properties, ...syncId }),
  ],
  'group.snapshot': [
    'A resync reports a group.',
    Type.Named('GroupSnapshot', 'A group.', { ...EventGroupSchema.properties, ...syncId }),
  ],
  'member.snapshot': [
    'A resync reports a member of a group.',
    Type.Named('MemberSnapshot', 'A member.', { ...membership, ...syncId }),
  ],
  'sync.completed': [
    'A resync is complete: what it has not reported no longer exists.',
    Type.Named('SyncCompleted', 'What was reported.', { ...syncId, ...counts }),
  ],
}

function eventSchema(type: EventType): Schema {
  const [description, data, further = {}] = eventParts[type]
  return Type.Object(eventProperties(Type.Literal(type), data, further), { title: eventTitle(type), description })
}

function eventProperties(event: Schema, data: Schema, further: Properties): Properties {
  return {
    id: Type.String({ description: 'The same in every delivery.', examples: [exampleId('e701')] }),
    sequence: Type.Integer({ description: '1, 2, 3 … per directory, without gaps.', examples: [7] }),
    event,
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
}

/** The types of the events about a user. */
export const personTypes = [
  ...(['user.created', 'user.updated', 'user.deleted', 'user.snapshot'] as const),
  ...(['group.user_added', 'group.user_removed', 'member.snapshot'] as const),
]

const ErasedEventSchema = Type.Object(
  eventProperties(
    Type.Enum(personTypes),
    Type.Named('ErasedData', 'What is left.', {
      ...erased,
      group: Type.Optional(GroupOfMemberSchema),
      sync_id: Type.Optional(syncId.sync_id),
    }),
    {},
  ),
  { title: 'ErasedEvent', description: 'An earlier event about a person who was erased.' },
)

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

/** An event, which is about a person who was erased or not. */
export const StoredEventSchema = Type.Union([EventSchema, ErasedEventSchema], {
  ...{ title: 'StoredEvent', description: 'An event, which may be about a person who was erased.' },
})
