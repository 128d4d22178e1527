import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

export interface Bar {
  readonly at: string
  readonly value: number
  readonly failed?: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** What the chart shows, for those who do not see it. */
  readonly label: string
  /** What a bar counts. */
  readonly name: string
  /** What the second series counts; undefined: there is none. */
  readonly failedName?: string | undefined
}

/** A bar for each period. */
export function Bars({ bars, label, name, failedName }: BarsProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={180}
        data={[...bars]}
        dataKey="at"
        series={[
          { name: 'value', label: name, color: 'indigo.6' },
          ...(failedName === undefined ? [] : [{ name: 'failed', label: failedName, color: 'red.6' }]),
        ]}
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
