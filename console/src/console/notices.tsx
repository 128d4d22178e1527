import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** The messages about what was done. */
export function Notices() {
  return <Notifications position="bottom-right" />
}
