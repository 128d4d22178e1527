import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { FormDrawing } from './drawing.tsx'
import type { Guide, GuideStep, SignIn } from './guide.ts'
import { labelIn } from './labels.ts'
import { useTexts } from './texts/use-texts.tsx'

interface StepsProps {
  readonly guide: Guide
  readonly provider: string
  readonly product: string
  readonly endpoint: string
  readonly tokenEndpoint: string
  /** How the provider signs in. */
  readonly signIn: SignIn
  /** The catalogs that list the product. */
  readonly listedIn: readonly string[]
}

/** The numbered steps at the identity provider. */
export function Steps({ listedIn, signIn, provider, ...step }: StepsProps) {
  const { guide } = step
  const { texts } = useTexts()
  const [chosen, setChosen] = useState<string>()
  const variants = guide.variants.filter(({ catalog }) => catalog === undefined || listedIn.includes(catalog))
  const preferred = variants.find(({ catalog }) => catalog !== undefined) ?? guide.variants[0]
  const variant = variants.find(({ id }) => id === chosen) ?? preferred
  const steps = variant.steps.filter((one) => one.signIn === undefined || one.signIn === signIn)
  return (
    <section aria-labelledby="steps">
      <Title order={3} id="steps" mb="sm">
        {texts.steps.heading}
      </Title>
      {guide.note === undefined ? null : <Text mb="sm">{texts.steps.texts[guide.note](step.product)}</Text>}
      {guide.console === undefined ? null : (
        <Text mb="md">
          <Anchor href={guide.console} target="_blank" rel="noreferrer">
            {texts.steps.console(provider)} <Icon name="external" size={12} />
          </Anchor>
        </Text>
      )}
      {variants.length === 1 ? null : (
        <Button.Group mb="md" aria-labelledby="steps">
          {variants.map(({ id }) => (
            <Button
              key={id}
              size="xs"
              variant={id === variant.id ? 'filled' : 'default'}
              aria-pressed={id === variant.id}
              onClick={() => setChosen(id)}
            >
              {texts.steps.variants[id]}
            </Button>
          ))}
        </Button.Group>
      )}
      <ol className="portal-steps">
        {steps.map((one) => (
          <Step key={one.text} {...step} step={one} />
        ))}
      </ol>
      {guide.help === undefined ? null : (
        <Anchor href={guide.help} target="_blank" rel="noreferrer" size="sm" mt="md" display="inline-block">
          {texts.steps.help} <Icon name="external" size={12} />
        </Anchor>
      )}
    </section>
  )
}

interface StepProps extends Omit<StepsProps, 'listedIn' | 'signIn' | 'provider'> {
  readonly step: GuideStep
}

function Step({ step, ...values }: StepProps) {
  const { guide, product } = values
  const { texts } = useTexts()
  return (
    <li>
      <Stack gap={6}>
        <Text>{texts.steps.texts[step.text](product)}</Text>
        {step.path === undefined ? null : <ClickPath guide={guide} path={step.path} />}
        {step.form === undefined ? null : <FormDrawing {...values} form={step.form} />}
      </Stack>
    </li>
  )
}

/** Where to click, in the words of the provider's own pages. */
function ClickPath({ guide, path }: { readonly guide: Guide; readonly path: readonly string[] }) {
  const { texts } = useTexts()
  return (
    <ol className="portal-path" aria-label={texts.steps.clickPath}>
      {path.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path may contain a word twice and does not change
        <li key={index} lang={labelIn(guide, part, texts) === part ? 'en' : undefined}>
          {index === 0 ? null : <Icon name="chevron" size={12} />}
          <span>{labelIn(guide, part, texts)}</span>
        </li>
      ))}
    </ol>
  )
}
