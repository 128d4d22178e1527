import { answerApi } from './api/answer-api.ts'
import type { ApiContext } from './api/context.ts'
import { ApiRefusal, apiErrorReply } from './api/errors.ts'
import type { Fault } from './fault.ts'
import { replyOfFault, spoiltBy } from './fault.ts'
import type { Answered } from './http.ts'
import { TokenRefusal } from './oauth/errors.ts'
import type { OAuth } from './oauth/oauth.ts'
import { createQuota } from './quota.ts'
import type { Reply } from './reply.ts'
import type { FakeRequest } from './request.ts'

export interface AnsweringParts {
  readonly api: ApiContext
  readonly oauth: OAuth
}

/** Answers requests, after what is to go wrong with them has been asked for. */
export function createAnswering({ api, oauth }: AnsweringParts) {
  const quota = createQuota(api.knobs, api.now)

  function done(request: FakeRequest, fault: Fault | undefined): Reply {
    const { endpoint } = request
    if (endpoint === 'authorize') return oauth.authorize(request)
    if (endpoint === 'token') return oauth.token(request)
    if (endpoint === 'revoke') return oauth.revoke(request)
    quota.take()
    return answerApi(api, oauth, endpoint, { request, fault })
  }

  return async (request: FakeRequest): Promise<Answered> => {
    const fault = faultOf(api, request)
    if (fault instanceof Error) return { reply: apiErrorReply('internal-error', fault.message), fault: undefined }
    if (fault?.kind === 'slow') await Promise.allSettled([fault.until])
    if (fault?.kind === 'cut' && fault.when === 'before') return { reply: undefined, fault }
    const reply = replyOfFault(fault) ?? refusedOr(() => done(request, fault))
    return { reply: spoiltBy(fault, reply), fault }
  }
}

/** A hook that throws is told of in the answer, as nobody else is there to hear of it. */
function faultOf({ knobs }: ApiContext, request: FakeRequest): Fault | Error | undefined {
  try {
    return knobs.onRequest(request)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function refusedOr(make: () => Reply): Reply {
  try {
    return make()
  } catch (error) {
    if (error instanceof ApiRefusal || error instanceof TokenRefusal) return error.reply
    return apiErrorReply('internal-error', error instanceof Error ? error.message : String(error))
  }
}
