import { Button, SimpleGrid, Stack } from '@mantine/core'
import { Link } from 'react-router'
import { dsync, useRows } from '../../api/queries.ts'
import type { Directory } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Figure, PageHeader } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'

/** How everything is, and what needs somebody. */
export function OverviewPage() {
  const texts = useTexts()
  const directories = useRows<Directory>(`${dsync}/directories`, { pageLimit: 200 }, { every: 15_000 })
  return (
    <>
      <PageHeader title={texts.overview.title} />
      <Loaded query={directories}>
        {(found) =>
          found.length === 0 ? (
            <Empty
              icon="directory"
              title={texts.overview.noDirectories}
              text={texts.overview.noDirectoriesText}
              action={
                <Button component={Link} to="/directories?new" mt="xs">
                  {texts.directories.create}
                </Button>
              }
            />
          ) : (
            <Stack gap="lg">
              <SimpleGrid cols={{ base: 2, sm: 4 }}>
                <Link to="/directories" className="figure-card">
                  <Figure name={texts.overview.directories} value={found.length} />
                </Link>
              </SimpleGrid>
            </Stack>
          )
        }
      </Loaded>
    </>
  )
}
