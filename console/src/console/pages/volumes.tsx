import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { Overview } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Bars } from '../../ui/bars.tsx'
import { Section } from '../../ui/page.tsx'
import { consoleTimeZone, fullTime, localeFor } from '../../ui/times.ts'

const units = ['minutes', 'hours', 'days'] as const
type Unit = (typeof units)[number]

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', timeZone: consoleTimeZone }
const forms: Readonly<Record<Unit, Intl.DateTimeFormatOptions>> = {
  minutes: clock,
  hours: clock,
  days: { month: 'short', day: 'numeric', timeZone: consoleTimeZone },
}

/** Shows the numbers of events and failed deliveries, by the minute, hour or day. */
export function Volumes({ volumes }: { readonly volumes: Overview['volumes'] }) {
  const texts = useTexts()
  const [unit, setUnit] = useState<Unit>('minutes')
  const periods = volumes[unit]
  const form = new Intl.DateTimeFormat(localeFor(texts.language), forms[unit])
  const sum = (of: (period: (typeof periods)[number]) => number) => periods.reduce((all, period) => all + of(period), 0)
  const [events, failed] = [sum((period) => period.events), sum((period) => period.failed_deliveries)]
  const most = Math.max(0, ...periods.map((period) => period.events))
  return (
    <Section
      title={texts.overview.volumes}
      description={texts.overview.volumesText(fullTime(volumes.counted_since, texts.language))}
      actions={
        <SegmentedControl
          aria-label={texts.overview.period}
          value={unit}
          onChange={(value) => setUnit(units.find((one) => one === value) ?? 'minutes')}
          data={units.map((value) => ({ value, label: texts.overview.periods[value] }))}
        />
      }
    >
      {events + failed === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.overview.volumesEmpty}
        </Text>
      ) : (
        <Bars
          bars={periods.map((period) => ({
            ...{ at: form.format(new Date(period.at)), value: period.events, failed: period.failed_deliveries },
          }))}
          label={texts.overview.volumesLabel(texts.overview.periods[unit], events, most, failed)}
          name={texts.overview.events}
          failedName={texts.overview.failedDeliveries}
        />
      )}
    </Section>
  )
}
