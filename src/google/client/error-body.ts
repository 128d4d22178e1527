import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'

/** What an error of a Google API says, as far as it decides anything. Words only: texts may hold addresses. */
export interface ErrorBody {
  /** Of `errors[0]`, else of the newer `details`, else the `status`; empty when none is given. */
  readonly reason: string
  /** All of them: newer fronts say in the details what the first reason does not. */
  readonly reasons: ReadonlySet<string>
  /** Whether it is the domain that is not there (`Resource Not Found: domain`). */
  readonly isAboutDomain: boolean
}

/** Reads the error in a body; undefined when it is not one of Google's: a proxy has answered. */
export function readErrorBody(body: unknown): ErrorBody | undefined {
  const error = isObject(body) ? own(body, 'error') : undefined
  if (!isObject(error)) return undefined
  const reasons = [...reasonsIn(error, 'errors'), ...reasonsIn(error, 'details'), ...wordOf(own(error, 'status'))]
  const message = own(error, 'message')
  const isAboutDomain = typeof message === 'string' && /^(Resource Not Found: domain|Domain not found)\b/i.test(message)
  return { reason: reasons[0] ?? '', reasons: new Set(reasons), isAboutDomain }
}

function reasonsIn(error: JsonObject, name: string): string[] {
  const list = own(error, name)
  if (!Array.isArray(list)) return []
  return list.slice(0, 20).flatMap((item) => (isObject(item) ? wordOf(own(item, 'reason')) : []))
}

function wordOf(value: unknown): string[] {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? [value] : []
}
