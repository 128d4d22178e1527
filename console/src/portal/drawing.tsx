import type { GuideField, GuideStep } from './guide.ts'
import { useTexts } from './texts/use-texts.tsx'

const width = 400
const boxHeight = 52
const switchHeight = 30
const top = 42
/** How many characters a box shows. */
const maxShown = 46

interface DrawingProps {
  readonly form: NonNullable<GuideStep['form']>
  readonly endpoint: string
}

/** A drawing of the provider's form with what to enter, in place of a picture of it. */
export function FormDrawing({ form: { title, fields, button }, endpoint }: DrawingProps) {
  const { texts } = useTexts()
  const tops = fields.map((_, index) => top + sumOf(fields.slice(0, index)))
  const height = top + sumOf(fields) + (button === undefined ? 10 : 50)
  return (
    <svg
      className="portal-drawing"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${texts.steps.drawing(title)}: ${fields.map((field) => `${field.label}: ${shown(field, endpoint, texts)}`).join('; ')}`}
    >
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="8" className="portal-drawing-window" />
      <text x="20" y="28" fontSize="14" fontWeight="650">
        {title}
      </text>
      {fields.map((field, index) => (
        <Field key={field.label} field={field} y={tops[index] ?? top} endpoint={endpoint} />
      ))}
      {button === undefined ? null : (
        <g>
          <rect
            x="20"
            y={height - 46}
            width={24 + button.length * 7.4}
            height="30"
            rx="5"
            className="portal-drawing-button"
          />
          <text x="32" y={height - 26} fontSize="13" fontWeight="600" className="portal-drawing-button-text">
            {button}
          </text>
        </g>
      )}
    </svg>
  )
}

function sumOf(fields: readonly GuideField[]): number {
  return fields.reduce((sum, { value }) => sum + (value === true ? switchHeight : boxHeight), 0)
}

function Field({ field, y, endpoint }: { readonly field: GuideField; readonly y: number; readonly endpoint: string }) {
  const { texts } = useTexts()
  if (field.value === true) {
    return (
      <g>
        <rect x="20" y={y + 4} width="18" height="18" rx="4" className="portal-drawing-on" />
        <path d={`M24 ${y + 13}l4 4 7-8`} fill="none" strokeWidth="2" className="portal-drawing-tick" />
        <text x="48" y={y + 18} fontSize="13">
          {cut(field.label, 52)}
        </text>
      </g>
    )
  }
  const isOurs = typeof field.value === 'string'
  return (
    <g>
      <text x="20" y={y + 10} fontSize="12" fontWeight="600">
        {field.label}
      </text>
      <rect
        x="20"
        y={y + 16}
        width={width - 40}
        height="28"
        rx="5"
        className={isOurs ? 'portal-drawing-ours' : 'portal-drawing-box'}
      />
      <text x="30" y={y + 34.5} fontSize="12" className="portal-drawing-value">
        {cut(shown(field, endpoint, texts), maxShown)}
      </text>
    </g>
  )
}

/** What a field of the drawing contains. The secret itself is never drawn. */
function shown(field: GuideField, endpoint: string, texts: ReturnType<typeof useTexts>['texts']): string {
  const { value } = field
  if (value === true) return texts.steps.turnOn
  if (value === 'secret') return `‹${texts.values.secret}›`
  if (value === 'endpoint') return endpoint
  if (value === 'endpoint-for-entra') return `${endpoint}?aadOptscim062020`
  return value.text
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
