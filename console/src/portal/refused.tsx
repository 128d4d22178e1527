import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'
import { localTime } from '../ui/times.ts'
import type { PortalHealth, RefusedRequest } from './api.ts'
import { local } from './storage.ts'
import type { PortalTexts } from './texts/texts.ts'
import { useTexts } from './texts/use-texts.tsx'

const settledKey = 'rollcall-portal-settled'

/** The health without a refusal that the administrator of this browser has seen to. */
export function withoutSettled(health: PortalHealth): PortalHealth {
  const { last_refused: refused, state, behaviors } = health
  if (refused === null || refused.at !== local.get(settledKey)) return health
  const settled = Object.values(behaviors).some((seen) => seen !== null) ? 'healthy' : 'waiting'
  return { ...health, last_refused: null, state: state === 'attention' ? settled : state }
}

interface RefusedProps {
  readonly health: PortalHealth
  /** Whether the connection has shown that it works. */
  readonly isMinor: boolean
}

/** The last request that was refused, and how to repair it, in the administrator's words. */
export function Refused({ health, isMinor }: RefusedProps) {
  const { texts, language } = useTexts()
  const { last_refused: refused, failed_authentications: failed } = health
  const client = useQueryClient()
  const settle = (at: string) => {
    local.set(settledKey, at)
    client.setQueryData(['health'], withoutSettled(health))
  }
  return (
    <>
      {failed.since_last_success > 0 && failed.last_at !== null ? (
        <Alert color="red" mt="md" icon={<Icon name="lock" size={18} />}>
          {failed.last_problem === null ? (
            <Stack gap={4} align="flex-start">
              <Text size="sm">{texts.refused.unauthorized(localTime(failed.last_at, language))}</Text>
              <Anchor href="#values" size="sm">
                {texts.values.rotate}
              </Anchor>
            </Stack>
          ) : (
            <Stack gap={4}>
              <Text size="sm">{texts.refused.notSignedIn(localTime(failed.last_at, language))}</Text>
              <Code lang="en">{failed.last_problem}</Code>
            </Stack>
          )}
        </Alert>
      ) : null}
      {refused === null ? null : (
        <Alert
          color={isMinor ? 'gray' : 'yellow'}
          mt="md"
          title={texts.refused.heading}
          icon={<Icon name="warning" size={18} />}
        >
          <Stack gap={4}>
            <Text size="sm">{repairOf(refused, texts)}</Text>
            {refused.subject === null ? null : <Text size="sm">{texts.refused.about(isolated(refused.subject))}</Text>}
            <Text size="sm">{localTime(refused.at, language)}</Text>
            {refused.detail === null ? null : (
              <Text size="sm">
                {texts.refused.detail}: <Code lang="en">{refused.detail}</Code>
              </Text>
            )}
            <Button size="xs" variant="default" mt={4} className="portal-start" onClick={() => settle(refused.at)}>
              {texts.refused.settle}
            </Button>
          </Stack>
        </Alert>
      )}
    </>
  )
}

/** Returns the advice for a refusal: if it is about a domain, else by its scimType (RFC 7644 §3.12), else by its status. */
function repairOf(
  { scim_type: scimType, status, is_outside_domain: isOutside }: RefusedRequest,
  { refused }: PortalTexts,
): string {
  if (isOutside) return refused.outsideDomain
  const byType = Object.entries(refused.reasons).find(([type]) => type === scimType)?.[1]
  const byStatus = Object.entries(refused.statuses).find(([code]) => Number(code) === status)?.[1]
  return byType ?? byStatus ?? refused.other
}
