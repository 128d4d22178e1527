import type { components } from '../client/schema.ts'

type Schemas = components['schemas']

/** An event, discriminated by `event`: after `if (event.event === 'user.created')`, `event.data` is a user. */
export type RollcallEvent = Schemas['Event']

/** An event of one type. */
export type EventOf<Type extends RollcallEvent['event']> = Extract<RollcallEvent, { event: Type }>

/** A notice to the operator, as `OPERATOR_WEBHOOK_URL` receives it; discriminated by `type`. */
export type OperatorNotice = Schemas['OperatorNotice']

/** A notice of one type. */
export type NoticeOf<Type extends OperatorNotice['type']> = Extract<OperatorNotice, { type: Type }>

/** The fields of one form that another one does not have. */
type Without<Fields extends PropertyKey> = { readonly [Field in Fields]?: undefined }

/**
 * The body of a request: an event, whose `event` names its type, or a notice to the operator, whose `type` does. The
 * other of these two is undefined.
 */
export type RollcallWebhook =
  | (RollcallEvent & Without<Exclude<keyof OperatorNotice, 'data'>>)
  | (OperatorNotice & Without<Exclude<keyof RollcallEvent, 'data'>>)
