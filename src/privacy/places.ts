import type { LoggedRequest } from '../diagnostics/requests/request-log-store.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import type { About } from './about.ts'
import { changed, numberIn, parsed, textIn } from './about.ts'
import type { Mentions } from './mentions.ts'
import { erasedText, withoutPerson } from './mentions.ts'
import type { ErasedPlaces, PersonalPlace, PersonalRow, RowChange } from './privacy-store.ts'
import { eraseEvent, eraseGroup, eraseOtherUser, isAboutUser } from './references.ts'

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
  adoption_accounts: {
    counted: 'holds',
    erase(row, about) {
      const names = ['account_id', 'external_id', 'user_name', 'email'].map((column) => textIn(row, column))
      const isErased = about.ids.has(textIn(row, 'user_id')) || names.some((name) => about.identifying.isIn(name))
      return isErased ? { row, isRemoved: true } : undefined
    },
    show: shownIfErased('account_to_adopt'),
  },
  setup_links: {
    counted: 'holds',
    erase: (row, about) => withoutText(row, 'name', about.identifying),
    show: shownIfErased('setup_link'),
  },
  directory_mappings: {
    counted: 'holds',
    erase: (row, about) =>
      about.identifying.isIn(textIn(row, 'created_by')) ? changed(row, { created_by: null }) : undefined,
    show: shownIfErased('mapping_version'),
  },
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

function differs({ values }: PersonalRow, after: Readonly<Record<string, string | number | null>>): boolean {
  return Object.entries(after).some(([name, value]) => value !== (values[name] ?? null))
}
