import type { ServerResponse } from 'node:http'
import { DirectoryError } from '../directory/errors.ts'

/** A request that waits before it is processed. */
export interface WaitingRequest {
  /** Aborts when the request has waited too long, or when its client has gone. */
  readonly signal: AbortSignal
  /** Must be called when it no longer waits. */
  end(): void
}

/**
 * @param response of the request
 * @param tooLong why a request that has waited for `waitMs` is rejected; it can be sent again
 */
export function waitingRequest(response: ServerResponse, waitMs: number, tooLong: string): WaitingRequest {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(busyError(tooLong)), waitMs)
  const onClose = () => waiting.abort(new DirectoryError('busy', 'The client has closed the connection.'))
  response.once('close', onClose)
  return {
    signal: waiting.signal,
    end(): void {
      clearTimeout(timer)
      response.off('close', onClose)
    },
  }
}

/** The error of a request that can be sent again in a few seconds. */
export function busyError(message: string): DirectoryError {
  return new DirectoryError('busy', message, [], 5)
}
