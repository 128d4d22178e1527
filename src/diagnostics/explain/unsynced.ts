import type { Decision } from './decision.ts'
import type { ExplainFacts, SyncFacts } from './facts.ts'
import { capitalized, directoryName, nameOf, onDate } from './wording.ts'

const connect = 'Create a link for the consent, and have an administrator of the Google Workspace consent with it.'

/** The verdict about a subject that was not read from Google. */
export function unsyncedDecision(
  facts: ExplainFacts,
  { isConnected, authorizationNeeded, lastRun }: SyncFacts,
): Decision {
  const name = nameOf(facts)
  const at = lastRun?.finishedAt ?? lastRun?.startedAt
  if (authorizationNeeded !== undefined) {
    const sentence = `${name} was not read from Google, because Google rejects our access to ${directoryName(facts)}: ${authorizationNeeded}`
    return {
      ...{ verdict: 'unauthorized', at, sentence },
      advice: connect,
      action: { kind: 'reconnect' },
      forCustomer: `Google no longer lets us read your directory. Please consent again with the link that we send you.`,
    }
  }
  const neverSent = { verdict: 'never-sent', at: undefined } as const
  if (!isConnected) {
    return {
      ...neverSent,
      sentence: `${capitalized(directoryName(facts))} is not connected to Google yet, so nothing about ${name} was read.`,
      advice: connect,
      action: { kind: 'reconnect' },
      forCustomer: 'Your Google Workspace is not connected yet. Please consent with the link that we send you.',
    }
  }
  if (lastRun === undefined || lastRun.state === 'running') {
    return {
      ...neverSent,
      sentence: `${name} was not read from Google: ${lastRun === undefined ? 'no sync has run yet' : `the sync that began ${onDate(lastRun.startedAt)} is still running`}.`,
      advice: lastRun === undefined ? 'Start a sync.' : 'Wait until it ends.',
      action: { kind: lastRun === undefined ? 'start-sync' : 'show-sync-runs' },
      forCustomer: 'We have not finished reading your Google Workspace yet.',
    }
  }
  const when = onDate(lastRun.finishedAt ?? lastRun.startedAt)
  if (lastRun.state === 'failed') {
    return {
      ...neverSent,
      sentence: `${name} was not read from Google: the last sync failed ${when}: ${lastRun.error ?? 'an internal error occurred.'}`,
      advice: 'Fix the reason, then start a sync.',
      action: { kind: 'start-sync' },
      forCustomer: `Reading your Google Workspace failed ${when}: ${lastRun.error ?? 'an internal error occurred.'}`,
    }
  }
  const error = lastRun.error === undefined ? '' : ` The sync reported: ${lastRun.error}`
  return {
    ...neverSent,
    sentence: `${name} was not among the users and groups that Google returned to the last sync, ${when}.${error}`,
    advice: `${name} must exist in Google Workspace, in the domain of the directory and in the groups or organizational units that it is restricted to, if any. A sync can also leave out users whose address is taken: the list of syncs shows how many were skipped.`,
    action: { kind: 'show-sync-runs' },
    forCustomer: `Google did not list ${name} ${when}. Please check that the account exists, is in the connected domain and in the groups or organizational units that you chose, if any, and is spelled like this.`,
  }
}
