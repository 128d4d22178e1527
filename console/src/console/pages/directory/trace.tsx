import { Stack } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { dsync, useData } from '../../../api/queries.ts'
import type { ScimRequest, Trace } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Json } from '../../../ui/json.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { Timeline } from '../../../ui/timeline.tsx'
import { traceSteps } from '../../steps.tsx'

/** From one request of the identity provider to the deliveries of its events. */
export function TracePage() {
  const texts = useTexts()
  const { requestId = '' } = useParams()
  const trace = useData<Trace>(`${dsync}/requests/${requestId}`, {}, { every: 10_000 })
  return (
    <Stack gap="lg">
      <Link to=".." relative="path" className="back">
        {texts.requests.back}
      </Link>
      <Loaded query={trace}>
        {(found) => (
          <>
            <Section title={texts.requests.trace} description={texts.requests.traceText}>
              <Timeline label={texts.requests.trace} steps={traceSteps(found, texts)} />
            </Section>
            {found.request === null ? null : <RequestDetails request={found.request} />}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function RequestDetails({ request }: { readonly request: ScimRequest }) {
  const texts = useTexts()
  const { body } = request
  return (
    <Section title={texts.requests.request}>
      <Facts>
        <Fact name={texts.states.requestId}>
          <code>{request.id}</code>
        </Fact>
        <Fact name={texts.requests.subject}>
          <bdi>{request.subject ?? texts.requests.anonymous}</bdi>
        </Fact>
        <Fact name={texts.requests.time}>
          <Time at={request.at} exact />
        </Fact>
        <Fact name={texts.requests.address}>{request.address ?? '–'}</Fact>
        <Fact name={texts.requests.userAgent}>{request.user_agent ?? '–'}</Fact>
      </Facts>
      {body === undefined || body === null ? null : <Json value={body} what={texts.requests.body} />}
    </Section>
  )
}
