import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

interface MinuteChartProps {
  readonly data: readonly { readonly minute: string; readonly events: number }[]
  /** What the chart shows, for those who do not see it. */
  readonly label: string
  readonly name: string
}

/** A bar for each minute. */
export function MinuteChart({ data, label, name }: MinuteChartProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={180}
        data={[...data]}
        dataKey="minute"
        series={[{ name: 'events', label: name, color: 'indigo.6' }]}
        tickLine="none"
        gridAxis="x"
        withLegend={false}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        xAxisProps={{ interval: 14 }}
        yAxisProps={{ allowDecimals: false, width: 36 }}
      />
    </div>
  )
}
