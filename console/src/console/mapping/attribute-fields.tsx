import { Text } from '@mantine/core'
import { useTexts } from '../../texts/texts.ts'
import { EditableList } from '../../ui/editable-list.tsx'
import type { Attribute } from './document.ts'
import { withAttributes } from './document.ts'
import type { Entry } from './key-input.tsx'
import { KeyInput, newName } from './key-input.tsx'
import { PathInput } from './path-input.tsx'
import type { Remark, Remarked } from './problems.ts'
import { useFieldProblems } from './problems.ts'
import { AttributeLine, RemarkList } from './rule-line.tsx'
import { StepFields } from './step-fields.tsx'

/** The attributes, one line each; the fields of one of them at a time. */
export function AttributeList({ document, remarks, wrong, change }: Remarked) {
  const texts = useTexts()
  const entries = Object.entries(document.attributes ?? {})
  const names = entries.map(([name]) => name)
  return (
    <EditableList<Entry<Attribute>>
      label={texts.roles.attributes}
      items={entries}
      nameOf={([name]) => texts.roles.attributeNamed(name)}
      onChange={(attributes) => change(withAttributes(document, attributes))}
      addLabel={texts.roles.addAttribute}
      newItem={() => [newName('attribute', names), { from: [''] }]}
      signatureOf={([name, attribute]) => JSON.stringify([name, attribute, remarks.attributes.get(name)])}
      wrong={wrong?.list === 'attributes' ? wrong : undefined}
      summary={([name, attribute], _, isOpen) => (
        <>
          <AttributeLine name={name} attribute={attribute} />
          {isOpen ? null : <RemarkList remarks={remarks.attributes.get(name)} />}
        </>
      )}
    >
      {([name, attribute], _, set) => (
        <AttributeFields
          name={name}
          others={names}
          attribute={attribute}
          remarks={remarks.attributes.get(name) ?? []}
          isSubmitted={wrong !== undefined}
          set={set}
        />
      )}
    </EditableList>
  )
}

interface AttributeFieldsProps {
  readonly name: string
  readonly others: readonly string[]
  readonly attribute: Attribute
  readonly remarks: readonly Remark[]
  readonly isSubmitted: boolean
  readonly set: (entry: Entry<Attribute>) => void
}

function AttributeFields({ name, others, attribute, remarks, isSubmitted, set }: AttributeFieldsProps) {
  const texts = useTexts()
  const problemOf = useFieldProblems(remarks, isSubmitted)
  const change = (changed: Attribute) => set([name, changed])
  return (
    <div className="rule-fields">
      <KeyInput
        label={texts.roles.attributeName}
        value={name}
        others={others}
        onValue={(value) => set([value, attribute])}
        {...problemOf('name')}
      />
      <fieldset className="conditions">
        <legend>{texts.roles.sources}</legend>
        <Text size="xs" c="dimmed">
          {texts.roles.sourcesText}
        </Text>
        <EditableList
          label={texts.roles.sources}
          items={attribute.from ?? []}
          nameOf={(_, index) => texts.roles.source(index + 1)}
          onChange={(from) => change({ ...attribute, from })}
          addLabel={texts.roles.addSource}
          newItem={() => ''}
          isOrdered
        >
          {(value, index, onText) => (
            <PathInput
              aria-label={texts.roles.source(index + 1)}
              {...{ value, onText }}
              {...problemOf(`from[${index}]`)}
            />
          )}
        </EditableList>
      </fieldset>
      <StepFields attribute={attribute} set={change} />
      <RemarkList remarks={remarks.filter(({ field }) => field?.startsWith('transform') || field === 'from[-1]')} />
    </div>
  )
}
