import assert from 'node:assert/strict'
import type { DirectoryAnswer } from '../../../src/directory/directory-answer.ts'
import type { Call, Reply } from './http.ts'
import { call } from './http.ts'

/** What an identity provider knows of the directory that it provisions. */
export type Target = Pick<DirectoryAnswer, 'id' | 'scim'>

/** An identity provider that provisions one directory. */
export interface Idp {
  /** Calls a path below the directory's SCIM address. */
  send(path: string, options?: Call): Promise<Reply>
  /** The same, where any other status is a failure; answers the body. */
  expect(status: number, path: string, options?: Call): Promise<Record<string, unknown>>
  createUser(user: string | Record<string, unknown>): Promise<string>
  createGroup(displayName: string, memberIds?: readonly string[]): Promise<string>
  patch(path: string, ...operations: readonly Operation[]): Promise<Reply>
}

export interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path?: string
  readonly value?: unknown
}

/** `members` as SCIM writes them. */
export const memberList = (ids: readonly string[]) => ids.map((value) => ({ value }))

/** The operation that adds members. */
export const addMembers = (...ids: readonly string[]): Operation => ({
  op: 'add',
  path: 'members',
  value: memberList(ids),
})

/** The operation that removes one member. */
export const removeMember = (id: string): Operation => ({ op: 'remove', path: `members[value eq "${id}"]` })

/** An identity provider of a directory, at wherever the service is now. */
export function idpOf(baseUrl: string, { scim }: Target): Idp {
  const authorization = `Bearer ${scim.secret}`
  const send = (path: string, options: Call = {}) =>
    call(`${baseUrl}${scim.path}${path}`, { ...options, headers: { authorization, ...options.headers } })

  async function expect(status: number, path: string, options: Call = {}) {
    const reply = await send(path, options)
    assert.equal(reply.status, status, `${options.method ?? 'GET'} ${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  return {
    send,
    expect,
    async createUser(user) {
      const body = typeof user === 'string' ? { userName: user } : user
      return String((await expect(201, '/Users', { method: 'POST', body }))['id'])
    },
    async createGroup(displayName, memberIds = []) {
      const body = { displayName, members: memberList(memberIds) }
      return String((await expect(201, '/Groups', { method: 'POST', body }))['id'])
    },
    patch: (path, ...operations) => send(path, { method: 'PATCH', body: patchBody(operations) }),
  }
}

/** The body of a PATCH. */
export function patchBody(operations: readonly Operation[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}
