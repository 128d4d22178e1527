import type { Decision } from './decision.ts'
import type { ExplainFacts, FailedAuthenticationFacts } from './facts.ts'
import { isLookup } from './refusal.ts'
import { unsyncedDecision } from './unsynced.ts'
import { assignmentHint, capitalized, counted, dateText, directoryName, nameOf, onDate, times } from './wording.ts'

/** The verdict about a subject that is not stored and never was, and about which no request was refused. */
export function unsentDecision(facts: ExplainFacts): Decision {
  if (facts.sync !== undefined) return unsyncedDecision(facts, facts.sync)
  const lookups = facts.requests.filter(isLookup)
  const [lastLookup] = lookups
  const failed = facts.failedAuthentications
  if (failed !== undefined && isUnauthorized(failed, lastLookup?.at)) return unauthorizedDecision(facts, failed)
  if (lastLookup !== undefined) return lookedUpDecision(facts, lookups.length, lastLookup.at)
  return neverSentDecision(facts)
}

/** This many wrong secrets in a row explain why a user was not sent; a single stray request does not. */
const persistentFailures = 5

/** Returns whether a wrong secret explains why nothing has arrived. */
function isUnauthorized(
  { sinceLastSuccess, lastAt }: FailedAuthenticationFacts,
  lookedUpAt: number | undefined,
): boolean {
  if (lookedUpAt === undefined) return sinceLastSuccess > 0
  return sinceLastSuccess >= persistentFailures && lastAt >= lookedUpAt
}

function unauthorizedDecision(facts: ExplainFacts, failed: FailedAuthenticationFacts): Decision {
  const { sinceLastSuccess, lastAt, problem } = failed
  const since = sinceOf(facts, failed)
  const name = nameOf(facts)
  if (problem !== undefined) return signInDecision(facts, failed, problem)
  const sentence = `${since} the identity provider's requests to ${directoryName(facts)} have been refused because they have the wrong secret or none: ${counted(sinceLastSuccess, 'request')}, the last one ${onDate(lastAt)}. Whether ${name} was among them is not known, as such requests are not recorded.`
  return {
    ...{ verdict: 'unauthorized', at: lastAt, sentence },
    advice: 'Send the administrator the current SCIM secret of the directory, or rotate it and send the new one.',
    action: { kind: 'rotate-secret' },
    forCustomer: `${since} we have been refusing the requests of your identity provider, because the token that it sends is not the token of this connection. Please enter the token that we send you, then provision ${name} again.`,
  }
}

/** The verdict when it is known what is wrong with the sign-in of an OAuth client, or with an access token. */
function signInDecision(facts: ExplainFacts, failed: FailedAuthenticationFacts, problem: string): Decision {
  const { sinceLastSuccess, lastAt } = failed
  const since = sinceOf(facts, failed)
  const name = nameOf(facts)
  const reason = `${problem} (${counted(sinceLastSuccess, 'request')}, the last one ${onDate(lastAt)})`
  return {
    ...{ verdict: 'unauthorized', at: lastAt },
    sentence: `${since} the identity provider has not been able to sign in to ${directoryName(facts)}: ${reason}. Whether ${name} was among its requests is not known, as such requests are not recorded.`,
    advice:
      'Compare the OAuth clients of the directory with what is entered in the identity provider, and correct one of them.',
    action: { kind: 'show-oauth-clients' },
    forCustomer: `${since} your identity provider has not been able to sign in to us: ${reason}. Please correct its connection, then provision ${name} again.`,
  }
}

/** `Since 22 November 2026 …`, or the earliest possible time. */
function sinceOf({ directory }: ExplainFacts, { since }: FailedAuthenticationFacts): string {
  if (since !== undefined) return `Since ${dateText(since)}`
  const { lastRequestAt } = directory
  return lastRequestAt === undefined
    ? 'From the beginning'
    : `After the last accepted request, ${onDate(lastRequestAt)},`
}

function lookedUpDecision(facts: ExplainFacts, count: number, at: number): Decision {
  const name = nameOf(facts)
  const hint = assignmentHint(facts.directory.type, name)
  const sentence = `The identity provider looked for ${name} ${lookups(count, at)}, was told that it does not exist, and did not create it.`
  return {
    ...{ verdict: 'looked-up-only', at, sentence },
    advice: `The identity provider checks whether ${name} exists, but does not create the user. ${hint}`,
    forCustomer: `Your identity provider asked us ${onDate(at)} whether ${name} exists, but has not sent the user. ${hint}`,
  }
}

function lookups(count: number, at: number): string {
  return count === 1 ? onDate(at) : `${times(count)}, the last time ${onDate(at)}`
}

function neverSentDecision(facts: ExplainFacts): Decision {
  const { lastRequestAt, loggedSince, type } = facts.directory
  const name = nameOf(facts)
  const hint = assignmentHint(type, name)
  if (lastRequestAt === undefined) {
    const sentence = `The identity provider of ${directoryName(facts)} has not sent any requests yet, so nothing about ${name} has arrived.`
    return {
      ...{ verdict: 'never-sent', at: undefined, sentence },
      advice:
        'Check with the administrator that provisioning is switched on, and that the address and the secret are those of this directory.',
      forCustomer: `We have not received anything from your identity provider yet. Please switch provisioning on, and test the connection with the address and token that we gave you.`,
    }
  }
  const last = `its last request arrived ${onDate(lastRequestAt)}`
  const stored = `${capitalized(directoryName(facts))} has no user or group ${name}`
  if (loggedSince === undefined) {
    const sentence = `${stored}. The request log is off, so it is not known whether the identity provider has sent ${name}; ${last}.`
    return {
      ...{ verdict: 'unknown', at: undefined, sentence },
      advice: `Set SCIM_REQUEST_LOG_TTL to know what identity providers send. ${hint}`,
      forCustomer: `We do not have ${name}. ${hint}`,
    }
  }
  const sentence = `${stored}, and no request that its identity provider has sent since ${dateText(loggedSince)} names ${name}; ${last}.`
  return {
    ...{ verdict: 'never-sent', at: undefined, sentence },
    advice: `The connection works, but ${name} is not provisioned under this name. ${hint} Requests, and users that were deleted, are found by userName, group name, external id and id.`,
    forCustomer: `Your identity provider is connected, but has not sent us ${name} since ${dateText(loggedSince)}. ${hint}`,
  }
}
