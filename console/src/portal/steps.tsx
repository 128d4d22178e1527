import { SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { FormDrawing } from './drawing.tsx'
import type { Guide, GuideStep } from './guide.ts'
import { useTexts } from './texts/use-texts.tsx'

interface StepsProps {
  readonly guide: Guide
  readonly product: string
  readonly endpoint: string
}

/** The numbered steps at the identity provider. */
export function Steps({ guide, product, endpoint }: StepsProps) {
  const { texts } = useTexts()
  const [chosen, setChosen] = useState<string>()
  const variant = guide.variants.find(({ id }) => id === chosen) ?? guide.variants[0]
  return (
    <section aria-labelledby="steps">
      <Title order={3} id="steps" mb="sm">
        {texts.steps.heading}
      </Title>
      {guide.variants.length === 1 ? null : (
        <SegmentedControl
          mb="md"
          aria-label={texts.steps.heading}
          value={variant.id}
          onChange={setChosen}
          data={guide.variants.map(({ id }) => ({ value: id, label: texts.steps.variants[id] }))}
        />
      )}
      <ol className="portal-steps">
        {variant.steps.map((step) => (
          <Step key={step.text} step={step} product={product} endpoint={endpoint} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step, product, endpoint }: Omit<StepsProps, 'guide'> & { readonly step: GuideStep }) {
  const { texts } = useTexts()
  return (
    <li>
      <Stack gap={6}>
        <Text>{texts.steps.texts[step.text](product)}</Text>
        {step.path === undefined ? null : <ClickPath path={step.path} />}
        {step.form === undefined ? null : <FormDrawing form={step.form} endpoint={endpoint} />}
      </Stack>
    </li>
  )
}

/** Where to click, in the words of the provider's own pages. */
function ClickPath({ path }: { readonly path: readonly string[] }) {
  const { texts } = useTexts()
  return (
    <ol className="portal-path" aria-label={texts.steps.clickPath}>
      {path.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path may contain a word twice and does not change
        <li key={index} lang="en">
          {index === 0 ? null : <Icon name="chevron" size={12} />}
          {part}
        </li>
      ))}
    </ol>
  )
}
