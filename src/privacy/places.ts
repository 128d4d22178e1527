import type { LoggedRequest } from '../diagnostics/requests/request-log-store.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import type { MappedAttributes, Sources } from './mapped-attributes.ts'
import { createMappedAttributes } from './mapped-attributes.ts'
import type { Mentions } from './mentions.ts'
import { createMentions, erasedText, withoutPerson } from './mentions.ts'
import { idInEvent } from './person.ts'
import type { ErasedPlaces, ErasurePlan, PersonalPlace, PersonalRow, RowChange } from './privacy-store.ts'

/** The facts about a person while one directory is visited. */
export interface About {
  readonly ids: ReadonlySet<string>
  /** Texts that name the person wherever they occur. */
  readonly identifying: Mentions
  /** These, and all other texts from the person's attributes. */
  readonly all: Mentions
  readonly mapped: MappedAttributes
  /** The sequence numbers of events that concern the person, and of those that are about the person. */
  readonly sequences: Set<number>
  readonly ownSequences: Set<number>
  /** The positions of requests about the person, and of those that are about nobody else. */
  readonly requests: Set<number>
  readonly unassigned: Set<number>
}

/** The beginning of the visit of a directory. */
export function aboutPerson({
  users,
  identifying,
  others,
}: Pick<ErasurePlan, 'users' | 'identifying' | 'others'>): About {
  const naming = createMentions(identifying)
  return {
    ids: new Set(users.map(({ userId }) => userId)),
    identifying: naming,
    mapped: createMappedAttributes(naming),
    all: createMentions([...identifying, ...others]),
    ...{ sequences: new Set(), ownSequences: new Set(), requests: new Set(), unassigned: new Set() },
  }
}

/** The rule for the rows of a place that concern the person. */
export interface PlaceRule {
  /** The count that the rows belong to. */
  readonly counted: keyof ErasedPlaces
  /** The row without the person; undefined when it does not concern the person. */
  erase(row: PersonalRow, about: About): RowChange | undefined
  /** The number of erased rows that a change counts as; one by default. */
  count?(change: RowChange): number
  /** Returns the parts of the row that an export shows; undefined when it does not concern the person. */
  show(row: PersonalRow, about: About): Json[] | undefined
}

/** Every place of a directory that may hold personal data. */
export const placeRules: Readonly<Record<PersonalPlace, PlaceRule>> = {
  users: {
    counted: 'users',
    erase: (row, about) => (about.ids.has(textIn(row, 'id')) ? undefined : eraseOtherUser(row, about)),
    show(row, about) {
      if (about.ids.has(textIn(row, 'id'))) return [{ user: shownValues(row, ['raw', 'mapped'], ['version']) }]
      return eraseOtherUser(row, about) && [{ referenced_by_user: textIn(row, 'id') }]
    },
  },
  groups: {
    counted: 'groups',
    erase: eraseGroup,
    show: (row, about) => eraseGroup(row, about) && [{ referenced_by_group: textIn(row, 'id') }],
  },
  events: {
    counted: 'events',
    erase: eraseEvent,
    show(row, about) {
      const change = eraseEvent(row, about)
      if (isAboutUser(row, about)) return [{ event: shownValues(row, ['data', 'changes'], []) }]
      return change && [{ mentioned_in_event: numberIn(row, 'sequence') }]
    },
  },
  dead_events: {
    counted: 'dead_events',
    erase(row, about) {
      const reason = textIn(row, 'reason')
      const isErased = about.sequences.has(numberIn(row, 'sequence')) || about.all.isIn(reason)
      return isErased && reason !== erasedText ? changed(row, { reason: erasedText }) : undefined
    },
    show: shownIfErased('dead_event'),
  },
  delivery_streams: {
    counted: 'deliveries',
    erase: (row, about) => withoutText(row, 'last_error', about.all),
    show: shownIfErased('delivery'),
  },
  deliveries: {
    counted: 'deliveries',
    erase: eraseDelivery,
    show: shownAlone('delivery', 'sequence', (row) => row.values['event_count'] === 1),
  },
  delivery_attempts: {
    counted: 'deliveries',
    erase: eraseAttempt,
    show: shownAlone(
      'delivery_attempt',
      'last_sequence',
      (row) => row.values['first_sequence'] === row.values['last_sequence'],
    ),
  },
  request_bodies: {
    counted: 'requests',
    erase(row, about) {
      const position = numberIn(row, 'position')
      const mentions = about.unassigned.has(position) ? about.all : about.identifying
      const isErased = about.requests.has(position) || mentions.isInJson(textIn(row, 'body'))
      return isErased ? { row, isRemoved: true } : undefined
    },
    // The body is a part of its request.
    count: () => 0,
    show(row, about) {
      if (about.requests.has(numberIn(row, 'position'))) return [{ request_body: shownValues(row, ['body'], []) }]
      return placeRules.request_bodies.erase(row, about) && [{ mentioned_in_request: textIn(row, 'id') }]
    },
  },
  request_batches: {
    counted: 'requests',
    erase(row, about) {
      const requests = row.requests.map((request) => withoutSubject(request, about))
      return requests.some((request, index) => request !== row.requests[index]) ? { row, requests } : undefined
    },
    count: (change) => ('requests' in change ? differing(change.requests, change.row.requests) : 0),
    show(row, about) {
      const found = row.requests.filter((request) => withoutSubject(request, about) !== request)
      if (found.length === 0) return undefined
      return found.map((request) =>
        isAboutPerson(request, about) ? { request: { ...request } } : { mentioned_in_request: request.id },
      )
    },
  },
  sync_runs: {
    counted: 'sync_runs',
    erase: (row, about) => withoutText(row, 'error', about.all),
    show: shownIfErased('sync_run'),
  },
  operator_notices: {
    counted: 'holds',
    erase(row, about) {
      const payload = textIn(row, 'payload')
      if (!about.all.isInJson(payload)) return undefined
      return changed(row, { payload: JSON.stringify(withoutPerson(parsed(payload), about.all, new Set())) })
    },
    show: shownIfErased('operator_notice'),
  },
  deprovisionings: {
    counted: 'holds',
    erase: (row, about) => (about.ids.has(textIn(row, 'user_id')) ? { row, isRemoved: true } : undefined),
    show: shownIfErased('deprovisioning'),
  },
  removed_users: {
    counted: 'holds',
    erase(row, about) {
      const isErased = about.ids.has(textIn(row, 'user_id')) && textIn(row, 'email') !== ''
      return isErased ? changed(row, { user_name_folded: '', email: '' }) : undefined
    },
    show: shownIfErased('removal'),
  },
  deleted_users: {
    counted: 'users',
    erase: (row, about) => (about.ids.has(textIn(row, 'user_id')) ? { row, isRemoved: true } : undefined),
    // A part of the user, who is counted when it is deleted.
    count: () => 0,
    show: shownIfErased('deleted_user'),
  },
  setup_links: {
    counted: 'holds',
    erase: (row, about) => withoutText(row, 'name', about.identifying),
    show: shownIfErased('setup_link'),
  },
}

/** The attributes that are a resource's own: another one may have the same value, which is then not about the person. */
const ownAttributes = {
  user: new Set([
    ...['schemas', 'id', 'userName', 'externalId', 'displayName', 'name', 'nickName', 'emails', 'phoneNumbers', 'ims'],
    ...['profileUrl', 'photos', 'x509Certificates', 'addresses', 'active'],
  ]),
  group: new Set(['schemas', 'id', 'displayName', 'externalId']),
} as const

type Kind = keyof typeof ownAttributes

/** A group without references to the person, such as the display name of a member. */
function eraseGroup(row: PersonalRow, about: About): RowChange | undefined {
  const raw = textIn(row, 'raw')
  const group = mayMention(raw, about) ? objectIn(raw) : {}
  const without = JSON.stringify(attributesWithoutPerson(group, about, 'group'))
  return without === JSON.stringify(group) ? undefined : changed(row, { raw: without })
}

/** Another user without references to the person, such as `manager`, and without what a mapping has made of them. */
function eraseOtherUser(row: PersonalRow, about: About): RowChange | undefined {
  const [raw, mapped] = [textIn(row, 'raw'), row.values['mapped'] ?? null]
  if (!mayMention(raw, about) && !(typeof mapped === 'string' && mayMention(mapped, about))) return undefined
  const before = objectIn(raw)
  const after = attributesWithoutPerson(before, about, 'user')
  const fields = typeof mapped === 'string' ? objectIn(mapped) : {}
  const fieldsAfter = mappedWithoutPerson(textIn(row, 'id'), fields, about, { before, after })
  const values = {
    ...(JSON.stringify(after) === JSON.stringify(before) ? {} : { raw: JSON.stringify(after) }),
    ...(fieldsAfter === fields ? {} : { mapped: JSON.stringify(fieldsAfter) }),
  }
  return Object.keys(values).length === 0 ? undefined : changed(row, values)
}

/** The roles and attributes of another user; the same object when none is about the person. */
function mappedWithoutPerson(userId: string, fields: JsonObject, { mapped }: About, sources: Sources): JsonObject {
  const attributes = own(fields, 'attributes')
  if (!isObject(attributes)) return fields
  const after = Object.entries(attributes).map(
    ([name, value]) => [name, mapped.without(userId, name, value, sources)] as const,
  )
  const isSame = after.every(([name, value]) => attributes[name] === value)
  return isSame ? fields : { ...fields, attributes: Object.fromEntries(after) }
}

function mayMention(text: string, { identifying, ids }: About): boolean {
  return identifying.isIn(text) || [...ids].some((id) => text.includes(id))
}

function attributesWithoutPerson(resource: JsonObject, { identifying, ids }: About, kind: Kind): JsonObject {
  const isOwn = (name: string) => (ownAttributes[kind] as ReadonlySet<string>).has(name)
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [
      name,
      isOwn(name) ? value : withoutPerson(value, identifying, ids),
    ]),
  )
}

/** Whether an event is about a user who is the person: its data begins with the id. */
function isAboutUser({ values }: PersonalRow, { ids }: About): boolean {
  return ids.has(idInEvent(values['data']))
}

function eraseEvent(row: PersonalRow, about: About): RowChange | undefined {
  const isOwn = isAboutUser(row, about)
  const change = isOwn ? eraseOwnEvent(row, about) : withoutMention(row, about)
  if (change !== undefined || isOwn) about.sequences.add(numberIn(row, 'sequence'))
  if (isOwn) about.ownSequences.add(numberIn(row, 'sequence'))
  return change
}

function eraseOwnEvent(row: PersonalRow, about: About): RowChange | undefined {
  const [data, changes] = [textIn(row, 'data'), row.values['changes'] ?? null]
  const without = erasedData(data, about)
  return without === data && changes === null ? undefined : changed(row, { data: without, changes: null })
}

/** The data of an event about the person: the id that Rollcall gave, and the group and resync that it belongs to. */
function erasedData(text: string, about: About): string {
  const data = parsed(text)
  if (!isObject(data)) return text
  const [group, syncId] = [own(data, 'group'), own(data, 'sync_id')]
  return JSON.stringify({
    id: own(data, 'id') ?? null,
    erased: true,
    ...(isObject(group) ? { group: viewWithoutPerson(group, about, 'group') } : {}),
    ...(syncId === undefined ? {} : { sync_id: syncId }),
  })
}

/** An event about somebody else, or a group, without references to the person. */
function withoutMention(row: PersonalRow, about: About): RowChange | undefined {
  const [data, changes] = [textIn(row, 'data'), row.values['changes'] ?? null]
  const userId = idInEvent(data)
  const isMentioned = (text: string) => mayMention(text, about) || about.mapped.isIn(text, userId)
  if (!isMentioned(data) && !(typeof changes === 'string' && isMentioned(changes))) return undefined
  const parsedData = parsed(data)
  if (!isObject(parsedData)) return undefined
  const kind: Kind =
    textIn(row, 'event_type').startsWith('group.') && row.values['group_id'] === null ? 'group' : 'user'
  const before = { view: parsedData, changes: typeof changes === 'string' ? objectIn(changes) : {} }
  const without = {
    view: viewWithoutPerson(parsedData, about, kind),
    changes: attributesWithoutPerson(before.changes, about, kind),
  }
  const sources = { before: sourcesIn(before), after: sourcesIn(without) }
  const mappedChanges = Object.entries(before.changes).flatMap(([name, change]) => {
    if (!name.startsWith(mappedChange) || !isObject(change)) return []
    const attribute = name.slice(mappedChange.length)
    const sides = Object.entries(change).map(
      ([side, value]) => [side, about.mapped.without(userId, attribute, value, sources)] as const,
    )
    return [[name, Object.fromEntries(sides)] as const]
  })
  const after = {
    data: JSON.stringify(mappedWithoutPerson(userId, without.view, about, sources)),
    changes:
      typeof changes === 'string'
        ? JSON.stringify({ ...without.changes, ...Object.fromEntries(mappedChanges) })
        : changes,
  }
  return after.data === data && after.changes === changes ? undefined : changed(row, after)
}

/** The beginning of the names of changed attributes that a mapping has made. */
const mappedChange = 'attributes.'

/** All that an event has, except what a mapping has made of it. */
function sourcesIn({ view, changes }: { readonly view: JsonObject; readonly changes: JsonObject }): JsonObject {
  const { attributes: _attributes, group: _group, ...fields } = view
  const unmapped = Object.entries(changes).filter(([name]) => !name.startsWith(mappedChange))
  return { fields, changes: Object.fromEntries(unmapped) }
}

/** A user or group as events show it, without references to the person. */
function viewWithoutPerson(view: JsonObject, about: About, kind: Kind): JsonObject {
  const [raw, group] = [own(view, 'raw'), own(view, 'group')]
  return {
    ...view,
    ...(isObject(raw) ? { raw: attributesWithoutPerson(raw, about, kind) } : {}),
    ...(isObject(group) ? { group: viewWithoutPerson(group, about, 'group') } : {}),
  }
}

/** The body of a delivery that has no other one any more. */
const erasedPayload = '{"erased":true}'

/** An attempt may have sent several events: all of its payload goes. */
function eraseDelivery(row: PersonalRow, about: About): RowChange | undefined {
  const first = numberIn(row, 'sequence')
  const { payload, error } = row.values
  const isAbout = hasSequence(about, first, first + numberIn(row, 'event_count') - 1)
  const isErased = isAbout || (typeof payload === 'string' && about.identifying.isInJson(payload))
  const response = textIn(row, 'response_body')
  const after = {
    payload: isErased && payload !== null ? erasedPayload : (payload ?? null),
    response_body: isErased || about.all.isIn(response) ? '' : response,
    error: errorWithoutPerson(error, about, isErased),
  }
  return differs(row, after) ? changed(row, after) : undefined
}

function eraseAttempt(row: PersonalRow, about: About): RowChange | undefined {
  const { response_body: body, error } = row.values
  const isAbout = hasSequence(about, numberIn(row, 'first_sequence'), numberIn(row, 'last_sequence'))
  const isBodyErased = isAbout || (typeof body === 'string' && about.all.isIn(body))
  const after = {
    error: errorWithoutPerson(error, about, isAbout),
    response_id: isBodyErased ? null : (row.values['response_id'] ?? null),
    response_body: isBodyErased ? null : (body ?? null),
  }
  return differs(row, after) ? changed(row, after) : undefined
}

function errorWithoutPerson(error: unknown, about: About, isAbout: boolean): string | null {
  if (typeof error !== 'string') return null
  return isAbout || about.all.isIn(error) ? erasedText : error
}

function hasSequence({ sequences }: About, first: number, last: number): boolean {
  for (let sequence = first; sequence <= last; sequence += 1) if (sequences.has(sequence)) return true
  return false
}

/** Notes which requests of a batch are about the person, and which are about nobody in particular. */
export function noteRequests({ requests }: PersonalRow, about: About): void {
  for (const request of requests) {
    if (isAboutPerson(request, about)) about.requests.add(request.position)
    else if (request.resourceId === null && request.subject === null) about.unassigned.add(request.position)
  }
}

function isAboutPerson({ resourceId, subject }: LoggedRequest, { ids, identifying }: About): boolean {
  const isOwn = resourceId !== null && (ids.has(resourceId) || identifying.isIn(resourceId))
  return isOwn || (subject !== null && identifying.isIn(subject))
}

/** The request without what names the person: the same object when nothing does. */
function withoutSubject(request: LoggedRequest, about: About): LoggedRequest {
  const isAbout = isAboutPerson(request, about)
  const mentions = isAbout || (request.resourceId === null && request.subject === null) ? about.all : about.identifying
  const hasQuery = isAbout && request.path.includes('?')
  const after = {
    path: hasQuery || mentions.isIn(request.path) ? erasedPath(request, about) : request.path,
    subject: isAbout ? null : request.subject,
    // An identity provider may have taken another id for that of the user.
    resourceId: request.resourceId !== null && mentions.isIn(request.resourceId) ? null : request.resourceId,
    userAgent: request.userAgent !== null && mentions.isIn(request.userAgent) ? null : request.userAgent,
    detail: request.detail !== null && (isAbout || mentions.isIn(request.detail)) ? erasedText : request.detail,
  }
  const isSame = (Object.keys(after) as (keyof typeof after)[]).every((name) => after[name] === request[name])
  return isSame ? request : { ...request, ...after }
}

/** The path of a request without its query, and without an id that the identity provider made up. */
function erasedPath({ resourceType, resourceId }: LoggedRequest, { all }: About): string {
  const collection = resourceType === 'Group' ? '/Groups' : '/Users'
  return resourceId === null || all.isIn(resourceId) ? collection : `${collection}/${resourceId}`
}

function differing(after: readonly LoggedRequest[], before: readonly LoggedRequest[]): number {
  return after.filter((request, index) => request !== before[index]).length
}

function withoutText(row: PersonalRow, column: string, mentions: Mentions): RowChange | undefined {
  const value = row.values[column]
  const isErased = typeof value === 'string' && mentions.isIn(value)
  return isErased ? changed(row, { [column]: erasedText }) : undefined
}

/** Shows the values of a row that an erasure would change. */
function shownIfErased(name: string): PlaceRule['show'] {
  return function show(this: PlaceRule, row, about) {
    return this.erase(row, about) === undefined ? undefined : [{ [name]: { ...row.values } }]
  }
}

/** Shows an attempt; of one that sent events about others, too, only the numbers. */
function shownAlone(name: string, sequence: string, isSingle: (row: PersonalRow) => boolean): PlaceRule['show'] {
  return function show(this: PlaceRule, row, about) {
    if (this.erase(row, about) === undefined) return undefined
    const isAlone = isSingle(row) && about.ownSequences.has(numberIn(row, sequence))
    if (isAlone) return [{ [name]: shownValues(row, ['payload'], ['response_id']) }]
    const numbers = Object.entries(row.values).filter(([, value]) => typeof value === 'number')
    return [{ [name]: Object.fromEntries(numbers) }]
  }
}

/** The values of a row, of which some are JSON, and some are left out. */
function shownValues({ values }: PersonalRow, json: readonly string[], leftOut: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (leftOut.includes(name)) return []
      return [[name, json.includes(name) && typeof value === 'string' ? parsed(value) : value]]
    }),
  )
}

function changed(row: PersonalRow, values: Record<string, string | number | null>): RowChange {
  return { row, values }
}

function differs({ values }: PersonalRow, after: Readonly<Record<string, string | number | null>>): boolean {
  return Object.entries(after).some(([name, value]) => value !== (values[name] ?? null))
}

function objectIn(text: string): JsonObject {
  const value = parsed(text)
  return isObject(value) ? value : {}
}

function parsed(text: string): Json {
  return JSON.parse(text) as Json
}

function textIn({ values }: PersonalRow, column: string): string {
  return String(values[column] ?? '')
}

function numberIn({ values }: PersonalRow, column: string): number {
  return Number(values[column])
}
