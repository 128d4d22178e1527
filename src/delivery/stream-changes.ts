import type { StreamChange, StreamState } from './store.ts'

/** An operator's pause. It takes the place of one that came of the endpoint: that would end with another endpoint. */
export function paused(at: number): StreamChange {
  return {
    endsLease: true,
    apply: (state) => (state.pause?.reason === 'operator' ? state : { ...state, pause: { reason: 'operator', at } }),
  }
}

/** The end of a pause, whatever it came of: the next attempt is made at once. */
export const resumed: StreamChange = {
  endsLease: true,
  apply: (state) => ({ ...restarted(state), pause: undefined }),
}

/** Everything behind a sequence number is sent again. */
export function rewound(toSequence: number): StreamChange {
  return {
    endsLease: true,
    apply(state) {
      const deliveredSequence = Math.min(state.deliveredSequence, toSequence)
      return { ...restarted(state), deliveredSequence, refusals: 0, batchEnd: undefined }
    },
  }
}

/**
 * The directory was changed: the next attempt need not wait.
 *
 * @param hasNewEndpoint then a pause that came of the endpoint is over, and what is under way to the old one counts no more
 */
export function directoryUpdated(hasNewEndpoint: boolean): StreamChange {
  return {
    endsLease: hasNewEndpoint,
    apply(state) {
      const isOver = hasNewEndpoint && state.pause?.reason !== 'operator'
      return isOver ? { ...restarted(state), pause: undefined } : { ...state, nextAttemptAt: undefined }
    },
  }
}

/** What was in vain is forgotten. */
function restarted(state: StreamState): StreamState {
  return { ...state, failures: 0, failingSince: undefined, nextAttemptAt: undefined }
}
