import type { Exchange } from './exchange.ts'
import { withoutPasswords } from './passwords.ts'
import { recordedPath } from './path.ts'
import type { RequestRecord } from './request-log-store.ts'
import { firstRefusal } from './request-log-store.ts'
import { sequenceRanges } from './sequences.ts'
import { aboutOf } from './subject.ts'

const maxDetailLength = 1_000
const maxAgentLength = 300

/** The record of a request for the log. */
export function requestRecord(exchange: Exchange): RequestRecord {
  const { id, at, method, status, error, durationMs, userAgent, address } = exchange
  const about = aboutOf(exchange)
  const path = recordedPath(exchange.path)
  const { body, bodyOmitted, hadPasswords } = keptBody(exchange)
  const isSecret = hadPasswords || path !== exchange.path
  return {
    id,
    at,
    method,
    path,
    status,
    scimType: error?.scimType ?? null,
    detail: error === undefined ? null : recordedDetail(error.message, isSecret),
    durationMs: Math.max(0, Math.round(durationMs)),
    userAgent: userAgent?.slice(0, maxAgentLength) ?? null,
    address: address ?? null,
    resourceType: about.resourceType,
    resourceId: about.resourceId,
    subject: about.subject,
    eventSequences: sequenceRanges(exchange.response),
    body,
    bodyOmitted,
  }
}

interface KeptBody extends Pick<RequestRecord, 'body' | 'bodyOmitted'> {
  readonly hadPasswords: boolean
}

/** Messages quote filters and paths: quotations are removed from those of requests with secrets. */
function recordedDetail(message: string, isSecret: boolean): string {
  const detail = message.slice(0, maxDetailLength).toWellFormed()
  return isSecret ? detail.replace(/"(?:[^"\\]|\\.)*"?/gs, '"…"') : detail
}

function keptBody({ directory, status, body, isUnparseable }: Exchange): KeptBody {
  const isKept = status >= firstRefusal || directory.logScimRequests
  if (isUnparseable) return { body: null, bodyOmitted: 'unparseable', hadPasswords: true }
  if (body === undefined || !isKept) return { body: null, bodyOmitted: null, hadPasswords: false }
  const { text, hadPasswords } = withoutPasswords(body)
  return text === undefined
    ? { body: null, bodyOmitted: 'too-large', hadPasswords }
    : { body: text, bodyOmitted: null, hadPasswords }
}
