import type { DirectoryScope } from '../../directory/directory.ts'
import type { Decision } from './decision.ts'
import { counted, dateText, printable } from './wording.ts'

/** The facts about a name that nothing in several directories matches. */
export interface AbsenceFacts {
  /** The name or id in the query. */
  readonly asked: string
  readonly scope: DirectoryScope
  readonly directories: number
  /** Whether every directory was searched for what is stored, and for refused requests. */
  readonly isComplete: boolean
  /** The time since when requests are kept, in Unix milliseconds; undefined while the request log is off. */
  readonly loggedSince: number | undefined
  /** The number of the newest requests of each directory that were searched; 0 if there are too many directories. */
  readonly searchedRequests: number
  /** The names of directories whose identity provider sends a wrong secret or token, if there are few directories. */
  readonly rejecting: readonly string[]
}

/** The verdict when no directory of a scope knows the subject: only what was searched can be said. */
export function absenceDecision(facts: AbsenceFacts): Decision {
  const name = printable(facts.asked)
  const isSearched = facts.isComplete && facts.searchedRequests > 0
  const isKnown = facts.loggedSince !== undefined && isSearched
  return {
    verdict: isKnown ? 'never-sent' : 'unknown',
    at: undefined,
    sentence: [storedText(name, facts), requestsText(facts), rejectingText(facts)]
      .filter((text) => text !== '')
      .join(' '),
    advice: isSearched
      ? `Check the spelling, and ask by userName as well: requests and deleted users are found by userName, group name, external id and id. If ${name} should be in a certain directory, ask again in that directory only: the answer then says what its identity provider did.`
      : 'Ask in one directory only, or in those of one tenant and product.',
    forCustomer: `We have no user or group ${name}. Please check the spelling, and whether ${name} is assigned to the application in your identity provider.`,
  }
}

function storedText(name: string, facts: AbsenceFacts): string {
  const { isComplete, directories } = facts
  const among = `${counted(directories, 'directory')}${scopeText(facts.scope)}`
  if (!isComplete) return `No user or group ${name} was found, but not everything in ${among} could be searched.`
  return `No user or group in ${among} has ${name} as its name, userName, email address, external id or id.`
}

function requestsText({ loggedSince, searchedRequests, isComplete }: AbsenceFacts): string {
  if (loggedSince === undefined) return 'The request log is off, so it is not known whether it was sent.'
  if (!isComplete) return ''
  const names = `since ${dateText(loggedSince)} names it as a userName, group name or external id`
  if (searchedRequests === 0)
    return `No refused request ${names}; other requests are only searched in a few directories.`
  return `No request ${names}; the newest ${searchedRequests.toLocaleString('en')} requests of each directory were searched, and all refused ones.`
}

function rejectingText({ rejecting }: AbsenceFacts): string {
  const [first, ...others] = rejecting
  if (first === undefined) return ''
  const which =
    others.length === 0
      ? `One directory, “${printable(first)}”, rejects the requests of its identity provider`
      : `${rejecting.length} directories, such as “${printable(first)}”, reject the requests of their identity providers`
  return `${which} because of a wrong secret or token; what those requests contained is not known.`
}

/** ` of tenant “acme” for product “crm”`; empty for everything. */
function scopeText({ tenant, product }: DirectoryScope): string {
  const ofTenant = tenant === undefined ? '' : ` of tenant “${printable(tenant)}”`
  const forProduct = product === undefined ? '' : ` for product “${printable(product)}”`
  return `${ofTenant}${forProduct}`
}
