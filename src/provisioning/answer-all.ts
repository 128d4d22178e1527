import type { Directory } from '../directory/directory.ts'
import type { Cause } from '../directory/event.ts'
import { parseListQuery, parseSearchRequest } from '../scim/list-query.ts'
import { groupSource } from './group-source.ts'
import type { AnswerParts, ScimRequest, ScimResponse } from './request.ts'
import { searchAll } from './search/search.ts'
import { userSource } from './user-source.ts'

/** Answers the queries of a directory's users and groups together (RFC 7644 §3.4.2.1, §3.4.3). */
export function answerAll(
  { provisioning: { store }, slices }: AnswerParts,
  directory: Directory,
  scimUrl: string,
  { method, query, body, isAbandoned }: ScimRequest,
  cause: Cause,
): Promise<ScimResponse> {
  const context = { store, directoryId: directory.id, scimUrl }
  const sources = [userSource(context), groupSource(context)]
  const listQuery = method === 'GET' ? parseListQuery(query) : parseSearchRequest(body)
  return searchAll({ directory, slices, now: cause.at, isAbandoned }, sources, listQuery)
}
