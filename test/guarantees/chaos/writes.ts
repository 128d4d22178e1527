import { setTimeout as pause } from 'node:timers/promises'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer, Client } from '../../support/client.ts'
import type { Operation } from '../support/idp.ts'
import { addMember, patchBody, replaceAttribute } from '../support/idp.ts'
import { wholeBetween } from '../support/random.ts'
import { changes } from './changes.ts'
import type { PatientClient } from './patient-client.ts'
import { GaveUp } from './patient-client.ts'

/** The knowledge of an identity provider about its writes. */
export interface WriteLog {
  /** The changes acknowledged by the service, which events must report. */
  readonly acknowledged: string[]
  /** Tries without a response, which may have been executed. */
  uncertain: number
  /** Requests that were abandoned after two minutes, which may have been executed. */
  givenUp: number
  /** Duration of each request, with all its tries. */
  readonly durationsMs: number[]
}

export interface WriterParts {
  readonly directory: DirectoryView
  readonly client: PatientClient
  readonly random: () => number
  readonly log: WriteLog
  readonly isOver: () => boolean
  /** The mean pause between two writes of the directory. */
  readonly pauseMs: number
}

/**
 * Provisions users of one directory, one write after the other, until it is over: creates them, changes their titles, adds
 * them to a group, and deletes some. Requests without a response are sent again, to another process.
 *
 * @throws Error when a write is rejected
 */
export async function provision({ directory, client, random, log, isOver, pauseMs }: WriterParts): Promise<void> {
  const users: string[] = []
  const outsiders = new Set<string>()
  let [names, titles] = [0, 0]
  let groupId = ''

  async function send(
    method: string,
    path: string,
    body: unknown,
    isDone: (answer: Answer, repeated: boolean) => boolean,
  ) {
    const request = (to: Client) => to.scim(directory, method, path, body)
    const { answer: response, uncertain, durationMs } = await client.send(request)
    log.uncertain += uncertain
    log.durationsMs.push(durationMs)
    if (!isDone(response, uncertain > 0)) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response
  }
  const patch = (path: string, operation: Operation) =>
    send('PATCH', path, patchBody([operation]), ({ status }) => status === 200 || status === 204)

  async function createGroup(): Promise<string> {
    const displayName = 'Everyone'
    const response = await send('POST', '/Groups', { displayName }, ({ status }) => status === 201)
    return response.body.id
  }

  async function createUser(): Promise<void> {
    names += 1
    const userName = `user-${names}`
    const isDone = ({ status }: Answer, repeated: boolean) => status === 201 || (status === 409 && repeated)
    const response = await send('POST', '/Users', { userName }, isDone)
    const id = response.status === 201 ? response.body.id : await idOf(userName)
    users.push(id)
    outsiders.add(id)
    log.acknowledged.push(changes.userCreated(id))
  }

  /** The id of a user whose creation got no response. */
  async function idOf(userName: string): Promise<string> {
    const path = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`
    const { body } = await send('GET', path, undefined, ({ status }) => status === 200)
    return body.Resources[0]?.id ?? ''
  }

  async function changeTitle(id: string): Promise<void> {
    titles += 1
    const title = `title-${titles}`
    await patch(`/Users/${id}`, replaceAttribute('title', title))
    log.acknowledged.push(changes.titleChanged(id, title))
  }

  async function join(id: string): Promise<void> {
    outsiders.delete(id)
    await patch(`/Groups/${groupId}`, addMember(id))
    log.acknowledged.push(changes.memberAdded(groupId, id))
  }

  async function remove(id: string): Promise<void> {
    users.splice(users.indexOf(id), 1)
    outsiders.delete(id)
    const isDone = ({ status }: Answer, repeated: boolean) => status === 204 || (status === 404 && repeated)
    await send('DELETE', `/Users/${id}`, undefined, isDone)
    log.acknowledged.push(changes.userDeleted(id))
  }

  async function writeOnce(): Promise<void> {
    const id = users[wholeBetween(random, 0, users.length - 1)]
    const [outsider] = outsiders
    const choice = random()
    if (groupId === '') groupId = await createGroup()
    else if (id === undefined || choice < 0.5) await createUser()
    else if (choice < 0.7 && outsider !== undefined) await join(outsider)
    else if (choice < 0.9) await changeTitle(id)
    else await remove(id)
  }

  while (!isOver()) {
    await pause(wholeBetween(random, 0, 2 * pauseMs))
    await writeOnce().catch((error: unknown) => {
      if (!(error instanceof GaveUp)) throw error
      log.givenUp += 1
    })
  }
}
