import fc from 'fast-check'
import type { Idp, Operation } from './idp.ts'
import { addMember, memberList, patchBody, removeMember, replaceAttribute } from './idp.ts'

/** A user or group by the order of creation, because its id is not known in advance. */
type Nth = number

type UserFields = { readonly userName: string; readonly title?: string | null; readonly active?: boolean }

/** One request of an identity provider; members are users and groups. */
export type Request =
  | { readonly kind: 'create user'; readonly fields: UserFields }
  | { readonly kind: 'put user'; readonly user: Nth; readonly fields: UserFields }
  | { readonly kind: 'patch user'; readonly user: Nth; readonly title: string | null; readonly active: boolean }
  | { readonly kind: 'delete user'; readonly user: Nth }
  | { readonly kind: 'create group'; readonly name: string; readonly members: readonly Nth[] }
  | { readonly kind: 'put group'; readonly group: Nth; readonly name: string; readonly members?: readonly Nth[] }
  | { readonly kind: 'patch group'; readonly group: Nth; readonly changes: readonly GroupChange[] }
  | { readonly kind: 'delete group'; readonly group: Nth }

type GroupChange =
  | { readonly op: 'rename'; readonly name: string }
  | { readonly op: 'add' | 'remove'; readonly member: Nth }
  | { readonly op: 'replace'; readonly members: readonly Nth[] }

const pick = fc.nat(11)
const picks = fc.uniqueArray(pick, { maxLength: 5 })
const name = fc.constantFrom('Ada', 'ADA', 'Ben', 'Cleo', 'Dora', 'Eve')
const title = fc.constantFrom('Guide', 'Cook', null)
const exactly = <T extends string>(value: T) => fc.constant(value)
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true })
const fields = fc.record(
  { userName: name, title, active: fc.boolean() },
  { requiredKeys: ['userName'], noNullPrototype: true },
)

const groupChange: fc.Arbitrary<GroupChange> = fc.oneof(
  record({ op: exactly('rename'), name }),
  record({ op: fc.constantFrom('add', 'add', 'remove'), member: pick }),
  record({ op: exactly('replace'), members: picks }),
)

/** Any request. */
export const anyRequest: fc.Arbitrary<Request> = fc.oneof(
  { weight: 4, arbitrary: record({ kind: exactly('create user'), fields }) },
  { weight: 2, arbitrary: record({ kind: exactly('put user'), user: pick, fields }) },
  { weight: 2, arbitrary: record({ kind: exactly('patch user'), user: pick, title, active: fc.boolean() }) },
  { weight: 1, arbitrary: record({ kind: exactly('delete user'), user: pick }) },
  { weight: 3, arbitrary: record({ kind: exactly('create group'), name, members: picks }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { kind: exactly('put group'), group: pick, name, members: picks },
      { requiredKeys: ['kind', 'group', 'name'], noNullPrototype: true },
    ),
  },
  {
    weight: 6,
    arbitrary: record({
      kind: exactly('patch group'),
      group: pick,
      changes: fc.array(groupChange, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: record({ kind: exactly('delete group'), group: pick }) },
)

/** The requests before every history. */
export const beginning: readonly Request[] = [
  { kind: 'create user', fields: { userName: 'Ada' } },
  { kind: 'create user', fields: { userName: 'Ben', title: 'Cook' } },
  { kind: 'create group', name: 'Everyone', members: [0, 1] },
]
/** A sequence of requests. */
export const history = fc.array(anyRequest, { minLength: 5, maxLength: 25 })

/** Sends the requests of a history as an identity provider that remembers the ids of its resources. */
export function createSender(idp: Pick<Idp, 'send'>) {
  const [users, groups]: [string[], string[]] = [[], []]
  const one = (ids: readonly string[], n: Nth) => ids[n % Math.max(1, ids.length)] ?? 'nobody'
  const member = (n: Nth) => one([...users, ...groups], n)
  const members = (list: readonly Nth[]) => memberList(list.map(member))

  function operation(change: GroupChange): Operation {
    switch (change.op) {
      case 'rename':
        return replaceAttribute('displayName', change.name)
      case 'add':
        return addMember(member(change.member))
      case 'remove':
        return removeMember(member(change.member))
      case 'replace':
        return replaceAttribute('members', members(change.members))
    }
  }

  async function create(path: string, ids: string[], body: unknown): Promise<number> {
    const response = await idp.send('POST', path, body)
    if (response.status === 201) ids.push(response.body.id)
    return response.status
  }

  async function change(method: string, path: string, body?: unknown): Promise<number> {
    return (await idp.send(method, path, body)).status
  }

  /** Sends one request and returns the status. */
  return (request: Request): Promise<number> => {
    switch (request.kind) {
      case 'create user':
        return create('/Users', users, request.fields)
      case 'put user':
        return change('PUT', `/Users/${one(users, request.user)}`, request.fields)
      case 'patch user': {
        const values = [replaceAttribute('title', request.title), replaceAttribute('active', request.active)]
        return change('PATCH', `/Users/${one(users, request.user)}`, patchBody(values))
      }
      case 'delete user':
        return change('DELETE', `/Users/${one(users, request.user)}`)
      case 'create group':
        return create('/Groups', groups, { displayName: request.name, members: members(request.members) })
      case 'put group': {
        const list = request.members === undefined ? {} : { members: members(request.members) }
        return change('PUT', `/Groups/${one(groups, request.group)}`, { displayName: request.name, ...list })
      }
      case 'patch group':
        return change('PATCH', `/Groups/${one(groups, request.group)}`, patchBody(request.changes.map(operation)))
      case 'delete group':
        return change('DELETE', `/Groups/${one(groups, request.group)}`)
    }
  }
}

/** The expected statuses: a resource may have been deleted, or a name may be taken. */
export const ordinaryStatuses: ReadonlySet<number> = new Set([200, 201, 204, 404, 409])
