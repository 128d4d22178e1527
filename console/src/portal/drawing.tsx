import type { Guide, GuideField, GuideStep } from './guide.ts'
import { endpointFor } from './guide.ts'
import { labelIn } from './labels.ts'
import type { PortalTexts } from './texts/texts.ts'
import { useTexts } from './texts/use-texts.tsx'

interface DrawingProps {
  readonly guide: Guide
  readonly form: NonNullable<GuideStep['form']>
  readonly product: string
  readonly endpoint: string
  readonly tokenEndpoint: string
}

/** A drawing of the provider's form with what to enter, in place of a picture of it. */
export function FormDrawing({ guide, form, ...values }: DrawingProps) {
  const { title, fields, button } = form
  const { texts } = useTexts()
  return (
    <figure className="portal-form" aria-label={texts.steps.drawing(labelIn(guide, title, texts))}>
      <figcaption>{labelIn(guide, title, texts)}</figcaption>
      <dl>
        {fields.map((field) => (
          <div key={field.label} className={typeof field.value === 'boolean' ? 'portal-switch' : 'portal-field'}>
            <dt>{labelIn(guide, field.label, texts)}</dt>
            <dd data-ours={typeof field.value === 'string'} data-on={field.value}>
              {shown(field, { ...values, guide, texts })}
            </dd>
          </div>
        ))}
      </dl>
      {button === undefined ? null : <p className="portal-form-button">{labelIn(guide, button, texts)}</p>}
    </figure>
  )
}

interface Shown extends Omit<DrawingProps, 'form'> {
  readonly texts: PortalTexts
}

/** The content of a field of the drawing. Secrets themselves are never drawn. */
function shown({ value }: GuideField, { guide, product, endpoint, tokenEndpoint, texts }: Shown): string {
  if (value === true) return texts.steps.turnOn
  if (value === false) return texts.steps.turnOff
  if (value === 'secret') return `‹${texts.values.secret}›`
  if (value === 'token-endpoint') return tokenEndpoint
  if (value === 'client-id') return `‹${labelIn(guide, 'Client identifier', texts)}›`
  if (value === 'client-secret') return `‹${labelIn(guide, 'Client secret', texts)}›`
  if (value === 'to-copy') return `‹${texts.steps.toCopy}›`
  if (value === 'product') return product
  if (value === 'test-email') return `‹${texts.steps.testEmail}›`
  return typeof value === 'string' ? endpointFor(value, endpoint) : value.text
}
