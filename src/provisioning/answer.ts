import type { DirectoryAccess } from '../directory/access.ts'
import type { Directory } from '../directory/directory.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import { answerAll } from './answer-all.ts'
import { answerGroups } from './answer-groups.ts'
import { answerUsers } from './answer-users.ts'
import { DirectoryChangedError } from './lifecycle.ts'
import type { AnswerParts, ScimRequest, ScimResponse } from './request.ts'

export interface ScimParts extends AnswerParts {
  readonly access: DirectoryAccess
  readonly clock: () => number
  readonly externalUrl: () => string
  /** Told after a commit that the directory has new events; it is the record that the write was authorized under. */
  readonly onCommit: (directory: Directory) => void
  /** Told of members that were left out because nobody in the directory is them. */
  readonly onSkippedMembers: (skipped: { directoryId: string; requestId: string; count: number }) => void
}

const answers = { users: answerUsers, groups: answerGroups, all: answerAll } as const

/** How often a request is authorized anew because its directory keeps being changed under it. */
const maxAttempts = 10

/**
 * Answers a SCIM request for users or groups: authorize, decide, commit, answer, wake the delivery. `authorized` is the
 * directory that the caller may have been let in to already.
 *
 * @throws ScimError, DirectoryError the refusals of both kinds
 */
export async function answerScim(
  parts: ScimParts,
  directoryId: string,
  secret: string | undefined,
  request: ScimRequest,
  authorized?: Directory,
): Promise<ScimResponse> {
  const cause = { requestId: request.requestId, at: parts.clock() }
  const scimUrl = `${parts.externalUrl()}${scimPath(directoryId)}`
  const answer = answers[request.resourceType]
  let directory = authorized
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    directory ??= await parts.access.authorize(directoryId, secret)
    try {
      const outcome = await answer(parts, directory, scimUrl, request, cause)
      const { events, skippedMembers: count = 0 } = outcome
      if (events.length > 0) parts.onCommit(directory)
      if (count > 0) parts.onSkippedMembers({ directoryId, requestId: request.requestId, count })
      return outcome
    } catch (error) {
      if (!(error instanceof DirectoryChangedError)) throw error
      parts.access.forget(directoryId)
      directory = undefined
    }
  }
  throw new DirectoryError('busy', 'The directory is being changed: send the request again.')
}
