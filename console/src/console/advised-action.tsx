import { Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, send, useAction } from '../api/queries.ts'
import type { Explanation, Health } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Failure } from '../ui/states.tsx'
import { useMayWrite } from './session.tsx'

type ExplainedAction = NonNullable<Explanation['action']>
type ReasonCode = Health['reasons'][number]['code']

/** The action of an advice: the actions of explanations, and those of the reasons of a directory's health. */
export type ActionKind = ExplainedAction['kind'] | 'invite' | 'show-dead-events' | 'show-overdue'

/** The part of a directory's pages where an action is taken; a call has none. */
const places = {
  'resume-delivery': null,
  replay: null,
  'test-endpoint': '#delivery',
  'set-endpoint': 'settings#endpoint',
  'release-hold': 'hold',
  'rotate-secret': 'settings#scim',
  reconnect: 'sync-runs',
  'start-sync': 'sync-runs',
  'approve-deletions': 'sync-runs',
  'activate-directory': 'settings#danger',
  invite: 'settings#setup-link',
  'show-sync-runs': 'sync-runs',
  'show-request': 'requests',
  'show-oauth-clients': 'oauth-clients',
  'show-dead-events': 'dead-events',
  'show-overdue': '#deprovisioning',
} as const satisfies Readonly<Record<ActionKind, string | null>>

/** The action of the advice of each reason. */
export const actionOfReason = {
  held: 'release-hold',
  'deprovisioning-overdue': 'show-overdue',
  unauthorized: 'rotate-secret',
  'connection-lost': 'reconnect',
  'sync-failed': 'start-sync',
  'delivery-paused': 'resume-delivery',
  'delivery-failing': 'test-endpoint',
  'sync-held': 'approve-deletions',
  'dead-events': 'show-dead-events',
  'delivery-behind': 'test-endpoint',
  'no-consumer': 'set-endpoint',
  'not-connected': 'reconnect',
  'never-connected': 'invite',
  deactivated: 'activate-directory',
  'credential-expiring': 'show-oauth-clients',
  'sync-not-scheduled': 'start-sync',
  'group-gone': 'show-sync-runs',
} as const satisfies Readonly<Record<ReasonCode, ActionKind>>

interface AdvisedActionProps extends Omit<ExplainedAction, 'kind' | 'call'> {
  readonly kind: ActionKind
}

/** Offers the action of an advice: a button or a link for those who may, a sentence for the others. */
export function AdvisedAction({ kind, directory_id: id, sequence, request_id: requestId }: AdvisedActionProps) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const place = places[kind]
  if (!mayWrite && !kind.startsWith('show-'))
    return (
      <Text size="sm" mt="xs">
        {texts.advice.mayNot(texts.advice.actions[kind])}
      </Text>
    )
  if (place === null) return <CallButton path={`${dsync}/${id}`} {...(kind === 'replay' ? { sequence } : {})} />
  const part = kind === 'show-request' && requestId !== undefined ? `${place}/${requestId}` : place
  const to = part.startsWith('#') ? `/directories/${id}${part}` : `/directories/${id}/${part}`
  return (
    <Button component={Link} to={to} size="xs" variant="default" mt="xs">
      {texts.advice.actions[kind]}
    </Button>
  )
}

interface CallButtonProps {
  /** The path of the directory in the API. */
  readonly path: string
  /** The event to send again; undefined: delivery is resumed. */
  readonly sequence?: number | undefined
}

/** A button that resumes delivery, or sends an event again. */
function CallButton({ path, sequence }: CallButtonProps) {
  const texts = useTexts()
  const [call, body] = sequence === undefined ? ['resume', undefined] : ['replay', { sequence }]
  const act = useAction(() => send('POST', `${path}/${call}`, body), [path, 'explain'])
  return (
    <>
      <Button size="xs" mt="xs" loading={act.isPending} onClick={() => act.mutate(undefined)}>
        {texts.advice.actions[sequence === undefined ? 'resume-delivery' : 'replay']}
      </Button>
      {act.error === null ? null : <Failure error={act.error} />}
    </>
  )
}
