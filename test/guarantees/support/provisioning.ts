import assert from 'node:assert/strict'
import type { Answer } from '../../support/client.ts'
import type { Replica } from '../../support/replica.ts'
import type { Idp } from './idp.ts'
import { addMember, patchBody, removeMember, replaceAttribute } from './idp.ts'

/** The state of a user in the identity provider; undefined if it does not exist. */
export type UserState = { readonly title: string; readonly groups: readonly string[] } | undefined

/** A user that an identity provider has provisioned, or has started to. */
interface Provisioned {
  /** The acknowledged state, and the state if the request without a response was executed. */
  possible: readonly UserState[]
}

/** The writes that were acknowledged to an identity provider, and those without a response. */
export interface Journal {
  readonly users: Map<string, Provisioned>
  acknowledged: number
}

export function openJournal(): Journal {
  return { users: new Map(), acknowledged: 0 }
}

interface Step {
  readonly send: (idp: Idp, id: string) => Promise<Answer>
  readonly becomes: (state: UserState) => UserState
}

const create = (userName: string): Step => ({
  send: (idp) => idp.send('POST', '/Users', { userName, title: 'new' }),
  becomes: () => ({ title: 'new', groups: [] }),
})

const promote: Step = {
  send: (idp, id) => idp.patch(`/Users/${id}`, replaceAttribute('title', 'promoted')),
  becomes: (state) => state && { ...state, title: 'promoted' },
}

const remove: Step = {
  send: (idp, id) => idp.send('DELETE', `/Users/${id}`),
  becomes: () => undefined,
}

const join = (group: string): Step => ({
  send: (idp, id) => idp.send('PATCH', `/Groups/${group}`, patchBody([addMember(id)])),
  becomes: (state) => state && { ...state, groups: [...state.groups, group].sort() },
})

const leave = (group: string): Step => ({
  send: (idp, id) => idp.send('PATCH', `/Groups/${group}`, patchBody([removeMember(id)])),
  becomes: (state) => state && { ...state, groups: state.groups.filter((one) => one !== group) },
})

/** The steps of the n-th user: all are created, some are changed, some join groups, few leave them or are deleted. */
function lifeOf(n: number, userName: string, groups: readonly string[]): Step[] {
  const [first = '', second = ''] = [groups[n % groups.length], groups[(n + 1) % groups.length]]
  return [
    create(userName),
    ...(n % 3 === 0 ? [promote] : []),
    ...(n % 2 === 0 ? [join(first), join(second)] : []),
    ...(n % 8 === 0 ? [leave(first)] : []),
    ...(n % 10 === 0 ? [remove] : []),
  ]
}

export interface Provisioning {
  readonly idp: Idp
  /** The prefix of user names. */
  readonly prefix: string
  /** Ids of groups. */
  readonly groups: readonly string[]
  readonly journal: Journal
  /** Called with the number of responses so far. */
  readonly onAcknowledged: (count: number) => void
}

const workers = 64

/** Provisions users, 64 requests at a time, until the service is gone, and keeps a journal. */
export async function provisionUntilGone(provisioning: Provisioning): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, worker) => provisionOnes(provisioning, worker)))
}

async function provisionOnes(provisioning: Provisioning, worker: number): Promise<void> {
  let isThere = true
  for (let n = worker; isThere; n += workers) isThere = await provisionOne(provisioning, n)
}

/** Returns whether the service responded to every step. */
async function provisionOne(provisioning: Provisioning, n: number): Promise<boolean> {
  const { idp, prefix, groups, journal, onAcknowledged } = provisioning
  const userName = `${prefix}-${n}`
  const user: Provisioned = { possible: [undefined] }
  journal.users.set(userName, user)
  let id = ''
  for (const { send, becomes } of lifeOf(n, userName, groups)) {
    const [state] = user.possible
    const next = becomes(state)
    user.possible = [state, next]
    const response = await send(idp, id).catch(() => undefined)
    if (response === undefined) return false
    assert(response.status < 300, `${userName}: ${response.status} ${response.text}`)
    if (response.status === 201) id = response.body.id
    user.possible = [next]
    journal.acknowledged += 1
    onAcknowledged(journal.acknowledged)
  }
  return true
}

/** Fails unless the service has every acknowledged user in the acknowledged state, and no others. */
export function assertKept({ users }: Journal, { users: read, members }: Replica): void {
  const there = new Map<string, UserState>()
  for (const { id, raw } of read as { id: string; raw: { userName: string; title: string } }[]) {
    const groups = Object.keys(members).filter((group) => members[group]?.includes(id))
    there.set(raw.userName, { title: raw.title, groups: groups.sort() })
  }
  const wrong = [...users].filter(([userName, { possible }]) => {
    const found = JSON.stringify(there.get(userName))
    return !possible.some((state) => JSON.stringify(state) === found)
  })
  assert.deepEqual(
    wrong.map(([userName, { possible }]) => ({ userName, acknowledged: possible[0], found: there.get(userName) })),
    [],
  )
  assert.deepEqual(
    [...there.keys()].filter((userName) => !users.has(userName)),
    [],
  )
}
