import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'
import { localTime } from '../ui/times.ts'
import type { PortalHealth, RefusedRequest } from './api.ts'
import type { PortalTexts } from './texts/texts.ts'
import { useTexts } from './texts/use-texts.tsx'

/** The last request that was refused, and how to repair it, in the administrator's words. */
export function Refused({ health }: { readonly health: PortalHealth }) {
  const { texts, language } = useTexts()
  const { last_refused: refused, failed_authentications: failed } = health
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
        <Alert color="yellow" mt="md" title={texts.refused.heading} icon={<Icon name="warning" size={18} />}>
          <Stack gap={4}>
            <Text size="sm">{repairOf(refused, texts)}</Text>
            {refused.subject === null ? null : <Text size="sm">{texts.refused.about(isolated(refused.subject))}</Text>}
            <Text size="sm">{localTime(refused.at, language)}</Text>
            {refused.detail === null ? null : (
              <Text size="sm">
                {texts.refused.detail}: <Code lang="en">{refused.detail}</Code>
              </Text>
            )}
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
