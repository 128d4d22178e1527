import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.ts'
import { EditableList } from '../../ui/editable-list.tsx'
import type { Attribute } from './document.ts'
import type { Entry } from './key-input.tsx'
import { KeyInput, newName } from './key-input.tsx'
import type { MappedValue, Step, StepKind } from './steps.ts'
import { mappedValueOf, newStep, readStep, stepKinds, transformOf } from './steps.ts'

export interface AttributeProps {
  readonly attribute: Attribute
  readonly set: (attribute: Attribute) => void
}

/** The steps that change the value of an attribute. */
export function StepFields({ attribute, set }: AttributeProps) {
  const texts = useTexts()
  return (
    <fieldset className="conditions">
      <legend>{texts.roles.transforms}</legend>
      <EditableList<unknown>
        label={texts.roles.transforms}
        items={attribute.transform ?? []}
        nameOf={(_, index) => texts.roles.step(index + 1)}
        onChange={(transform) => set({ ...attribute, transform: transform.length === 0 ? undefined : transform })}
        addLabel={texts.roles.addStep}
        newItem={() => 'trim'}
        isOrdered
      >
        {(transform, index, change) => {
          const step = readStep(transform)
          if (step === undefined) return <Text size="sm">{texts.roles.unknownStep}</Text>
          return <StepField step={step} name={texts.roles.step(index + 1)} set={(one) => change(transformOf(one))} />
        }}
      </EditableList>
    </fieldset>
  )
}

interface StepFieldProps {
  readonly step: Step
  readonly name: string
  readonly set: (step: Step) => void
}

function StepField({ step, name, set }: StepFieldProps) {
  const texts = useTexts()
  const { kind, value } = step
  return (
    <div className="field-row">
      <NativeSelect
        aria-label={name}
        value={kind}
        data={stepKinds.map((one) => ({ value: one, label: texts.roles.steps[one] }))}
        onChange={({ currentTarget }) => set(newStep(currentTarget.value as StepKind))}
      />
      {value === undefined ? null : typeof value === 'object' ? (
        <MappedFields value={value} set={(mapped) => set({ kind, value: mapped })} />
      ) : (
        <TextInput
          aria-label={`${name}: ${texts.roles.stepValue}`}
          value={String(value)}
          onChange={({ currentTarget }) => set({ kind, value: mappedValueOf(currentTarget.value, value) })}
        />
      )}
    </div>
  )
}

interface MappedFieldsProps {
  readonly value: Readonly<Record<string, MappedValue>>
  readonly set: (value: Readonly<Record<string, MappedValue>>) => void
}

/** The values that a step replaces, each with what it becomes. */
function MappedFields({ value, set }: MappedFieldsProps) {
  const texts = useTexts()
  const names = Object.keys(value)
  return (
    <div className="mapped">
      <EditableList<Entry<MappedValue>>
        label={texts.roles.steps.map}
        items={Object.entries(value)}
        nameOf={([name]) => `“${name}”`}
        onChange={(entries) => set(Object.fromEntries(entries))}
        addLabel={texts.roles.addMapped}
        newItem={() => [newName('value', names), '']}
      >
        {([name, becomes], _, change) => (
          <div className="field-pair">
            <KeyInput
              aria-label={texts.roles.mapFrom}
              value={name}
              others={names}
              onValue={(text) => change([text, becomes])}
            />
            <span aria-hidden="true">→</span>
            <TextInput
              aria-label={`“${name}”: ${texts.roles.mapTo}`}
              value={String(becomes)}
              onChange={({ currentTarget }) => change([name, mappedValueOf(currentTarget.value, becomes)])}
            />
          </div>
        )}
      </EditableList>
      <Text size="xs" c="dimmed" mt={4}>
        {texts.roles.mapText}
      </Text>
    </div>
  )
}
