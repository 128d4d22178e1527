import type { GoogleAnswer, NoAnswer } from './answer.ts'
import { readAnswer, readNoAnswer } from './answer.ts'

/** The largest answer that is read, in bytes; tokens have a few thousand. */
const maxAnswerBytes = 256 * 1024

export interface TokenEndpointOptions {
  readonly tokenUrl: string
  readonly requestTimeoutMs: number
  readonly signal: AbortSignal
}

/** POSTs a form to the token endpoint, once. */
export type PostForm = (form: Readonly<Record<string, string>>) => Promise<GoogleAnswer | NoAnswer>

/**
 * The token endpoint, reached with the HTTP client of Google's auth library, which is loaded by the first request: it
 * has 24 MB in memory. Its OAuth2Client is not used: that puts the old refresh token over one which was rotated, repeats
 * by rules of its own and reads the time by itself.
 */
export function createPostForm({ tokenUrl, requestTimeoutMs, signal }: TokenEndpointOptions): PostForm {
  return async (form) => {
    const { gaxios } = await import('google-auth-library')
    try {
      const response = await new gaxios.Gaxios().request({
        url: tokenUrl,
        method: 'POST',
        data: new URLSearchParams(form),
        responseType: 'json',
        timeout: requestTimeoutMs,
        signal,
        size: maxAnswerBytes,
        retry: false,
        redirect: 'manual',
        validateStatus: () => true,
      })
      return readAnswer(response)
    } catch (error) {
      signal.throwIfAborted()
      return readNoAnswer(error) ?? { status: undefined, reason: 'unsendable' }
    }
  }
}
