import type { ModalProps } from '@mantine/core'
import { Modal } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'

/** A dialog whose cross has a name, and whose header is not taken for that of the page. */
export function Dialog(props: ModalProps) {
  const texts = useTexts()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': texts.forms.close }}
      attributes={{ header: { role: 'presentation' } }}
      {...props}
    />
  )
}
