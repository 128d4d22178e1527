import type { Answer } from '../load/answer.ts'
import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { groupBody, patchBody, userBody, userNameOf } from './user-body.ts'

/** The SCIM address and secret of a directory. */
export interface ScimDirectory {
  readonly id: string
  readonly path: string
  readonly secret: string
  /** Statuses of another server, where they differ from the service's. */
  readonly statuses?: Partial<ScimStatuses>
}

/** The statuses of responses that have a body in other servers. */
export interface ScimStatuses {
  readonly deleted: number
  readonly groupChanged: number
}

/** The measured SCIM requests. `prefix` distinguishes the names of one batch of users from others. */
export type ScimCalls = ReturnType<typeof scimCalls>

export function scimCalls({ path, secret, statuses }: ScimDirectory) {
  const { deleted = 204, groupChanged = 204 } = statuses ?? {}
  const authorization = `Bearer ${secret}`
  const patch = (below: string, status: number, operation: object): Call =>
    makeCall({ method: 'PATCH', path: path + below, authorization, body: patchBody(operation), status })
  const get = (below: string, includes: string): Call =>
    makeCall({ method: 'GET', path: path + below, authorization, status: 200, includes })

  return {
    createUser: (prefix: string, number: number): Call =>
      makeCall({ method: 'POST', path: `${path}/Users`, authorization, body: userBody(prefix, number), status: 201 }),
    deleteUser: (id: string): Call =>
      makeCall({ method: 'DELETE', path: `${path}/Users/${id}`, authorization, status: deleted }),
    patchUser: (id: string, title: string): Call =>
      patch(`/Users/${id}`, 200, { op: 'replace', path: 'title', value: title }),
    putUser: (id: string, prefix: string, number: number, title: string): Call => {
      const body = { ...userBody(prefix, number), title }
      return makeCall({ method: 'PUT', path: `${path}/Users/${id}`, authorization, body, status: 200 })
    },
    lookUpUser: (prefix: string, number: number): Call => {
      const filter = encodeURIComponent(`userName eq "${userNameOf(prefix, number)}"`)
      return get(`/Users?filter=${filter}`, '"totalResults":1')
    },
    getUser: (id: string): Call => get(`/Users/${id}`, id),
    listUsers: (startIndex: number, lastId: string): Call =>
      get(`/Users?startIndex=${startIndex}&count=100`, `"id":"${lastId}"`),
    createGroup: (displayName: string): Call =>
      makeCall({ method: 'POST', path: `${path}/Groups`, authorization, body: groupBody(displayName), status: 201 }),
    addMember: (groupId: string, userId: string): Call =>
      patch(`/Groups/${groupId}`, groupChanged, { op: 'add', path: 'members', value: [{ value: userId }] }),
    removeMember: (groupId: string, userId: string): Call =>
      patch(`/Groups/${groupId}`, groupChanged, { op: 'remove', path: `members[value eq "${userId}"]` }),
  }
}

/** The id in the response to a POST, without parsing the response. */
export function idOf({ body }: Answer): string {
  const start = body.indexOf('"id":"') + 6
  return body.toString('latin1', start, body.indexOf(0x22, start))
}
