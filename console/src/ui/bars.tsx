import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

export interface Bar {
  readonly at: string
  readonly value: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** What the chart shows, for those who do not see it. */
  readonly label: string
  /** What a bar counts. */
  readonly name: string
}

/** A bar for each minute, or for each thing that happened. */
export function Bars({ bars, label, name }: BarsProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={180}
        data={[...bars]}
        dataKey="at"
        series={[{ name: 'value', label: name, color: 'indigo.6' }]}
        tickLine="none"
        gridAxis="x"
        withLegend={false}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        xAxisProps={{ interval: Math.max(0, Math.floor(bars.length / 4) - 1) }}
        yAxisProps={{ allowDecimals: false, width: 44 }}
      />
    </div>
  )
}
