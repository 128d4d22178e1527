import { Text } from '@mantine/core'
import { useTexts } from '../../texts/texts.ts'
import { EditableList } from '../../ui/editable-list.tsx'
import type { Attribute, MappingDocument } from './document.ts'
import { withAttributes } from './document.ts'
import type { Entry } from './key-input.tsx'
import { KeyInput, newName } from './key-input.tsx'
import { PathInput } from './path-input.tsx'
import type { Remarks } from './problems.ts'
import { AttributeLine, RemarkList } from './rule-line.tsx'
import type { AttributeProps } from './step-fields.tsx'
import { StepFields } from './step-fields.tsx'

interface AttributeListProps {
  readonly document: MappingDocument
  readonly remarks: Remarks
  readonly change: (document: MappingDocument) => void
}

/** The attributes, one line each; the fields of one of them at a time. */
export function AttributeList({ document, remarks, change }: AttributeListProps) {
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
      summary={([name, attribute]) => (
        <>
          <AttributeLine name={name} attribute={attribute} />
          <RemarkList remarks={remarks.attributes.get(name)} />
        </>
      )}
    >
      {([name, attribute], _, set) => (
        <div className="rule-fields">
          <KeyInput
            label={texts.roles.attributeName}
            value={name}
            others={names}
            onValue={(value) => set([value, attribute])}
          />
          <SourceFields attribute={attribute} set={(value) => set([name, value])} />
          <StepFields attribute={attribute} set={(value) => set([name, value])} />
        </div>
      )}
    </EditableList>
  )
}

function SourceFields({ attribute, set }: AttributeProps) {
  const texts = useTexts()
  return (
    <fieldset className="conditions">
      <legend>{texts.roles.sources}</legend>
      <Text size="xs" c="dimmed">
        {texts.roles.sourcesText}
      </Text>
      <EditableList
        label={texts.roles.sources}
        items={attribute.from ?? []}
        nameOf={(_, index) => texts.roles.source(index + 1)}
        onChange={(from) => set({ ...attribute, from })}
        addLabel={texts.roles.addSource}
        newItem={() => ''}
        isOrdered
      >
        {(path, index, change) => <PathInput aria-label={texts.roles.source(index + 1)} value={path} onText={change} />}
      </EditableList>
    </fieldset>
  )
}
