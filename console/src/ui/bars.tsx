import { axisValues, most } from './axis.ts'

export interface Bar {
  readonly at: string
  readonly value: number
  readonly failed?: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** The description of the chart for those who do not see it. */
  readonly label: string
  /** The name of the figures of a bar. */
  readonly name: string
  /** The name of the second series; undefined without one. */
  readonly failedName?: string | undefined
}

/** The height of the plot, in pixels; the labels of the periods come below it. */
const height = 150
/** The part of a period's width that its bars fill. */
const filled = 0.8

/** A chart with bars for each period. The period under the pointer shows its figures. */
export function Bars({ bars, label, name, failedName }: BarsProps) {
  const series = [
    { name, of: ({ value }: Bar) => value, className: 'bars-value' },
    ...(failedName === undefined
      ? []
      : [{ name: failedName, of: ({ failed = 0 }: Bar) => failed, className: 'bars-failed' }]),
  ]
  const axis = axisValues(Math.max(...bars.flatMap((bar) => series.map(({ of }) => of(bar)))))
  const yOf = (value: number) => height * (1 - value / (axis.at(-1) ?? 1))
  const slot = 100 / bars.length
  const width = (slot * filled) / series.length
  const periods = bars.map((bar, index) => ({ bar, key: `${index} ${bar.at}`, x: index * slot }))
  const labelled = periods.filter((_, index) => index % Math.ceil(bars.length / most) === 0)
  return (
    <svg role="img" aria-label={label} className="bars" height={height + 30}>
      {axis.map((value) => (
        <g key={value} transform={`translate(0 ${yOf(value)})`}>
          <line x2="100%" />
          <text x={-18} dy="0.35em" textAnchor="end">
            {value}
          </text>
        </g>
      ))}
      {labelled.map(({ bar, key, x }) => (
        <text key={key} x={`${x + slot / 2}%`} y={height + 26} textAnchor="middle">
          {bar.at}
        </text>
      ))}
      {periods.flatMap(({ bar, key, x }) =>
        series.map(({ of, className }, index) => {
          const y = yOf(of(bar))
          const place = { x: `${x + (slot * (1 - filled)) / 2 + index * width}%`, y, height: height - y }
          return <rect key={`${key} ${className}`} className={className} width={`${width}%`} {...place} />
        }),
      )}
      {periods.map(({ bar, key, x }) => (
        <g key={key} className="bars-period">
          <rect x={`${x}%`} width={`${slot}%`} height={height} />
          <foreignObject {...figuresAt(x + slot / 2)} width={200} height={height}>
            <dl>
              <dt>{bar.at}</dt>
              {series.map(({ name, of, className }) => (
                <dd key={className} className={className}>
                  {name} <span>{of(bar)}</span>
                </dd>
              ))}
            </dl>
          </foreignObject>
        </g>
      ))}
    </svg>
  )
}

/** Where the figures of a period are: to the right of its middle, or to the left in the right half. */
function figuresAt(middle: number) {
  return { x: `${middle}%`, ...(middle > 50 && { transform: 'translate(-200)' }) }
}
