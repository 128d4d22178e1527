import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forEachEngine } from '../support/database.ts'
import { replicaFrom, replicaRead } from '../support/replica.ts'
import type { Idp, Operation } from './support/idp.ts'
import { addMember, memberList, patchBody, removeMember, replaceAttribute } from './support/idp.ts'
import { nestedFrom, nestedRead } from './support/nested-groups.ts'
import { openWorld } from './support/world.ts'

/** A user or a group of a directory, whose ids are not known before it is made: the n-th of all that were made. */
type Pick = number

type UserFields = { readonly userName: string; readonly title?: string | null; readonly active?: boolean }

/** One request of an identity provider; members are users and groups. */
type Request =
  | { readonly kind: 'create user'; readonly fields: UserFields }
  | { readonly kind: 'put user'; readonly user: Pick; readonly fields: UserFields }
  | { readonly kind: 'patch user'; readonly user: Pick; readonly title: string | null; readonly active: boolean }
  | { readonly kind: 'delete user'; readonly user: Pick }
  | { readonly kind: 'create group'; readonly name: string; readonly members: readonly Pick[] }
  | { readonly kind: 'put group'; readonly group: Pick; readonly name: string; readonly members?: readonly Pick[] }
  | { readonly kind: 'patch group'; readonly group: Pick; readonly changes: readonly GroupChange[] }
  | { readonly kind: 'delete group'; readonly group: Pick }

type GroupChange =
  | { readonly op: 'rename'; readonly name: string }
  | { readonly op: 'add' | 'remove'; readonly member: Pick }
  | { readonly op: 'replace'; readonly members: readonly Pick[] }

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

const request: fc.Arbitrary<Request> = fc.oneof(
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

/** What there is before a history begins. */
const beginning: readonly Request[] = [
  { kind: 'create user', fields: { userName: 'Ada' } },
  { kind: 'create user', fields: { userName: 'Ben', title: 'Cook' } },
  { kind: 'create group', name: 'Everyone', members: [0, 1] },
]
const history = fc.array(request, { minLength: 5, maxLength: 25 })

/** Sends requests of a history in the name of an identity provider that remembers the ids of what it made. */
function createSender(idp: Idp) {
  const [users, groups]: [string[], string[]] = [[], []]
  const one = (ids: readonly string[], n: Pick) => ids[n % Math.max(1, ids.length)] ?? 'nobody'
  const member = (n: Pick) => one([...users, ...groups], n)
  const members = (list: readonly Pick[]) => memberList(list.map(member))

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
    const answer = await idp.send('POST', path, body)
    if (answer.status === 201) ids.push(answer.body.id)
    return answer.status
  }

  async function change(method: string, path: string, body?: unknown): Promise<number> {
    return (await idp.send(method, path, body)).status
  }

  /** Sends one; answers the status. */
  return (asked: Request): Promise<number> => {
    switch (asked.kind) {
      case 'create user':
        return create('/Users', users, asked.fields)
      case 'put user':
        return change('PUT', `/Users/${one(users, asked.user)}`, asked.fields)
      case 'patch user': {
        const values = [replaceAttribute('title', asked.title), replaceAttribute('active', asked.active)]
        return change('PATCH', `/Users/${one(users, asked.user)}`, patchBody(values))
      }
      case 'delete user':
        return change('DELETE', `/Users/${one(users, asked.user)}`)
      case 'create group':
        return create('/Groups', groups, { displayName: asked.name, members: members(asked.members) })
      case 'put group': {
        const list = asked.members === undefined ? {} : { members: members(asked.members) }
        return change('PUT', `/Groups/${one(groups, asked.group)}`, { displayName: asked.name, ...list })
      }
      case 'patch group':
        return change('PATCH', `/Groups/${one(groups, asked.group)}`, patchBody(asked.changes.map(operation)))
      case 'delete group':
        return change('DELETE', `/Groups/${one(groups, asked.group)}`)
    }
  }
}

const ordinary = new Set([200, 201, 204, 404, 409])

forEachEngine((engine) => {
  for (const { how, atOnce } of [
    { how: 'one after the other', atOnce: 1 },
    { how: 'eight at once', atOnce: 8 },
  ]) {
    test(`whoever follows the events knows what the API shows, after requests that come ${how}`, async () => {
      await using world = await openWorld(engine)
      const property = fc.asyncProperty(history, async (requests) => {
        const { directory, idp, events } = await world.connect()
        const send = createSender(idp)
        for (const asked of beginning) await send(asked)
        for (let first = 0; first < requests.length; first += atOnce) {
          const statuses = await Promise.all(requests.slice(first, first + atOnce).map(send))
          assert.deepEqual(
            statuses.filter((status) => !ordinary.has(status)),
            [],
          )
        }
        const read = await replicaRead(world.client, directory)
        const groupIds = (read.groups as { id: string }[]).map(({ id }) => id)
        const nested = await nestedRead(idp, groupIds)
        const told = await events()
        assert.deepEqual(replicaFrom(told), read)
        assert.deepEqual(nestedFrom(told), nested)
      })
      await fc.assert(property, { numRuns: 15 })
    })
  }
})
