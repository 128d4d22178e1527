import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer, Client } from '../../support/client.ts'

/** An operation of a SCIM PATCH. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path?: string
  readonly value?: unknown
}

/** An identity provider that provisions one directory. */
export interface Idp {
  /** Calls a path below the directory's SCIM address. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The same; any other status fails the test. */
  expect(status: number, method: string, path: string, body?: unknown): Promise<Answer>
  patch(path: string, ...operations: readonly Operation[]): Promise<Answer>
  /** Returns the id of the new user. */
  createUser(userName: string): Promise<string>
  createUsers(userNames: readonly string[]): Promise<string[]>
  /** Returns the id of the new group. */
  createGroup(displayName: string, memberIds?: readonly string[]): Promise<string>
  /** The ids of a group's members, users and nested groups. */
  membersOf(groupId: string): Promise<string[]>
}

/** The value of `members`. */
export const memberList = (ids: readonly string[]) => ids.map((value) => ({ value }))

export const addMember = (id: string): Operation => ({ op: 'add', path: 'members', value: memberList([id]) })
export const removeMember = (id: string): Operation => ({ op: 'remove', path: `members[value eq "${id}"]` })
export const replaceAttribute = (path: string, value: unknown): Operation => ({ op: 'replace', path, value })

export function patchBody(operations: readonly Operation[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

/** The names `<prefix>-1` … `<prefix>-<count>`. */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)
}

/** The identity provider of a directory, which uses the client's service. */
export function idpOf(client: Client, directory: Pick<DirectoryView, 'scim'>): Idp {
  const send: Idp['send'] = (method, path, body, headers) => client.scim(directory, method, path, body, headers)

  async function expect(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await send(method, path, body)
    assert.equal(response.status, status, `${method} ${path}: ${response.text}`)
    return response
  }

  async function createUser(userName: string): Promise<string> {
    const { body } = await expect(201, 'POST', '/Users', { userName })
    return body.id
  }

  return {
    send,
    expect,
    patch: (path, ...operations) => send('PATCH', path, patchBody(operations)),
    createUser,
    createUsers: (userNames) => Promise.all(userNames.map(createUser)),
    async createGroup(displayName, memberIds = []) {
      const { body } = await expect(201, 'POST', '/Groups', { displayName, members: memberList(memberIds) })
      return body.id
    },
    async membersOf(groupId) {
      const { body } = await expect(200, 'GET', `/Groups/${groupId}`)
      return (body.members ?? []).map(({ value }) => value)
    },
  }
}
