import type { components } from '../client/schema.ts'

type Schemas = components['schemas']

/** An event, discriminated by `event`: after `if (event.event === 'user.created')`, `event.data` is a user. */
export type RollcallEvent = Schemas['Event']

/** An event of one type. */
export type EventOf<Type extends RollcallEvent['event']> = Extract<RollcallEvent, { event: Type }>
